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

constexpr std::array<FormerFlag, 10> former_flags{
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
     {"transform", "--as-queries",
      "queries are placed as any rows are, and coordinates of faithful searched by Euclidean distance: leave it out"},
     {"transform", "--shard",
      "leave it out: one run transforms all inputs, and several machines share them by Dask, Spark or Ray "
      "(docs/many_machines.md)"},
     {"transform", "--check", "leave it out: an output is whole or missing, and ls says which are there"},
     {"transform", "--allow-gaps", "leave it out: the files that match the pattern are all that count"}}};

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
