#include "program/former_flags.hpp"

#include <algorithm>
#include <array>

namespace isogon::cli {

namespace {

struct FormerFlag {
    std::string_view verb;
    std::string_view flag;
    std::string_view instead;
};

constexpr auto former_flags = std::to_array<FormerFlag>(
    {{"embed", "--threshold",
      "faithful keeps neighbours by distance, without a threshold: leave it out; angles above one are kept by "
      "--method tsm --threshold NUMBER"},
     {"embed", "--favor",
      "faithful keeps neighbours and has nothing else to favor: leave it out; angles are kept by --method tsm "
      "--solver sphere"},
     {"embed", "--weights", "pairs count alike in faithful: leave it out; by lengths they are weighed by --method tsm"},
     {"embed", "--balance", "faithful has no such weight any more: leave it out"},
     {"embed", "--start",
      "faithful begins at principal components: leave it out, or give coordinates by --start-from FILE"},
     {"embed", "--output-for",
      "coordinates of faithful are searched by Euclidean distance, as they are: leave it out; what is near by "
      "cosine is kept by --metric cosine"},
     {"embed", "--search",
      "neighbours are searched exactly as long as that takes minutes; else, or to choose: isogon neighbors --search "
      "WORD, and --neighbor-graph FILE"},
     {"embed", "--recipe", "tsm has the fast one alone, which ended better than the literal one: leave it out"},
     {"embed", "--momentum", "extrapolation, which adapts itself, stands for it: leave it out"},
     {"embed", "--regularize", "tsm does from 16 dimensions on, where angles stay as good: leave it out"},
     {"embed", "--virtual-inputs", "isolated points are always tied to the nearest: leave it out"},
     {"embed", "--no-virtual-inputs", "isolated points are always tied to the nearest: leave it out"},
     {"embed", "--norms", "outputs always have the lengths of their inputs, which changes no angle: leave it out"},
     {"embed", "--scale", "it is 1 over the mean of |x|^2: leave it out, or multiply the inputs"},
     {"embed", "--offset", "it is 1: leave it out; --kernel precomputed takes the values of any kernel"},
     {"embed", "--affinity", "laplacian has it as --kernel"},
     {"embed", "--keep", "sde keeps distances of shared neighbours too, lsde those to neighbours: leave it out"},
     {"embed", "--rule",
      "slack goes with --solver exact, at-most with --solver low-rank: choose that, or leave it out"},
     {"embed", "--price", "it is what holds a sheet, and raised where points let go: leave it out"},
     {"embed", "--weight-neighbors", "as many points rebuild each as twice --neighbors: leave it out, or raise these"},
     {"embed", "--rounds", "200, where some ten are usual: leave it out; --time-limit ends a run before"},
     {"embed", "--ridge", "it is 0.001, scikit-learn's: leave it out"},
     {"embed", "--extension-ridge", "it is 1e-4: leave it out; isogon transform --by weights --ridge has another"},
     {"embed", "--repulsion", "tsne has it as --solver"},
     {"embed", "--samples", "100 are drawn for each point: leave it out"},
     {"embed", "--epochs", "umap has them as --iterations"},
     {"embed", "--affinities", "edges of umap have its fuzzy weights: leave it out; --method tsne has the others"},
     {"embed", "--rank", "isogon embed --method pca --dim RANK first, and then pca-forces of its output, is the same"},
     {"embed", "--step", "it is the longest step that is proven to lower the objective: leave it out"},
     {"embed", "--closeness", "squares, as the objective is written: leave it out"},
     {"embed", "--supervised", "labels count with --target-weight 0.5"},
     {"embed", "--words", "isogon report INPUT OUTPUT --words FILE makes the page"},
     {"embed", "--image-shape", "isogon report INPUT OUTPUT --image-shape WxH makes the page"},
     {"embed", "--no-images", "isogon report INPUT OUTPUT --no-images makes the page"},
     {"embed", "--title", "isogon report INPUT OUTPUT --title TEXT makes the page"},
     {"embed", "--store",
      "a model keeps what transform needs: leave it out; in Python query_map() of a fit is the map for queries alone"},
     {"embed", "--prototypes", "256: leave it out; in Python query_map(prototypes=N) of a fit has others"},
     {"embed", "--queries-like", "leave it out; in Python query_map(queries_like=X) of a fit has it"},
     {"embed", "--codes", "isogon quantize OUTPUT -o CODES --bytes N makes them of the coordinates"},
     {"embed", "--save-neighbors", "isogon neighbors INPUT -k N -o FILE finds them, for --neighbor-graph FILE"},
     {"embed", "--save-affinities", "leave it out: a fit makes them again from --neighbor-graph FILE"},
     {"embed", "--affinity-graph", "in Python fit(X, affinities=A) takes them"},
     {"transform", "--as-queries",
      "queries are placed as any rows are, and coordinates of faithful searched by Euclidean distance: leave it out"},
     {"transform", "--codes", "isogon quantize OUTPUT -o CODES --by CODES encodes the coordinates"},
     {"transform", "--shard",
      "leave it out: one run transforms all inputs, and several machines share them by Dask, Spark or Ray "
      "(docs/many_machines.md)"},
     {"transform", "--check", "leave it out: an output is whole or missing, and ls says which are there"},
     {"transform", "--allow-gaps", "leave it out: the files that match the pattern are all that count"}});

}  // namespace

std::string_view in_place_of(std::string_view verb, std::string_view flag) {
    const auto* const found = std::ranges::find_if(
        former_flags, [&](const FormerFlag& former) { return former.verb == verb && former.flag == flag; });
    return found == former_flags.end() ? std::string_view() : found->instead;
}

std::string_view in_place_of_verb(std::string_view verb) {
    return verb == "reproduce" ? "papers/reproduce of the repository makes figures of papers (docs/reproduction.md)"
                               : "";
}

}  // namespace isogon::cli
