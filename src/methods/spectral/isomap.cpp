#include "methods/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graph/shortest_paths.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"
#include "methods/spectral/kernel_family.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "methods/spectral/spectral_steps.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "pairs/threshold.hpp"

namespace isogon {

namespace {

/// Chords between directions from 1 - cos.
void take_chords(CsrMatrix<double>& graph) {
    std::transform(graph.values.begin(), graph.values.end(), graph.values.begin(),
                   [](double distance) { return std::sqrt(std::max(0.0, 2.0 * distance)); });
}

/// Both halves of 1 - cos from the upper half of cosines.
CsrMatrix<double> distances_of(const CsrMatrix<float>& upper) {
    const CsrMatrix<float> lower = transpose(upper);
    CsrMatrix<double> graph{.rows = upper.rows, .columns = upper.rows};
    const auto take = [&graph](const CsrMatrix<float>& half, Index i) {
        for (std::size_t k = 0; k < half.row_indices(i).size(); ++k) {
            graph.indices.push_back(half.row_indices(i)[k]);
            graph.values.push_back(std::max(0.0, 1.0 - double{half.row_values(i)[k]}));
        }
    };
    for (Index i = 0; i < upper.rows; ++i) {
        take(lower, i);
        take(upper, i);
        graph.offsets.push_back(graph.indices.size());
    }
    return graph;
}

ChosenPolicy policy_of(const IsomapOptions& options) {
    return chosen_policy(options.components, ComponentPolicy::Bridge);
}

/// A graph of neighbours, lengths of shortest paths through it, and classical scaling of these: steps 1 to 3 of
/// Tenenbaum, de Silva and Langford 2000, table 1. The last is that of KernelFamily, with K = -1/2 squared lengths.
class Isomap : public KernelFamily {
public:
    Isomap(const PowerOfTwoScaling& input, const PointsView& table, const IsomapOptions& options,
           const FitExtras& extras, bool reduced)
        : KernelFamily(reduced),
          bridged_{input.points(), options.graph == IsomapGraph::Tsm ? Metric::Cosine : options.metric, table,
                   input.unit()},
          x_(input.points()),
          options_(options),
          wanted_{.neighbors = options.neighbors,
                  .metric = options.metric,
                  .seed = options.seed,
                  .given = extras.neighbors,
                  .unit = input.unit(),
                  .shared = extras.shared,
                  .unequal = true} {}

    /// For the graph of nearest neighbours: the size of the graph of tsm is known only after its similarities.
    [[nodiscard]] ProblemBytes bytes() const override {
        const std::uint64_t kernel = reduced() ? 0 : KernelMatrix::bytes(x_.count);
        if (options_.graph == IsomapGraph::Tsm) {
            return {0, kernel};
        }
        const Index neighbors = std::min(static_cast<Index>(options_.neighbors), x_.count);
        const std::uint64_t entries = std::uint64_t{x_.count} * neighbors;
        return {symmetric_graph_bytes(x_.count, neighbors), entries * (sizeof(Index) + sizeof(double)) + kernel};
    }

    [[nodiscard]] std::vector<Index> kept() const override { return graph_.kept; }

protected:
    void prepare(Summary& summary, const RunContext& context) override {
        CsrMatrix<double> graph = options_.graph == IsomapGraph::Tsm
                                      ? above_threshold(summary, context)
                                      : symmetric_graph(neighbors_of(x_, wanted_, summary, context), context);
        const PhaseTimer timer(summary, "graph");
        graph_ = apply_policy(bridged_, std::move(graph), policy_of(options_), summary, context);
        if (bridged_.metric == Metric::Cosine || bridged_.metric == Metric::Correlation) {
            take_chords(graph_.graph);
        }
        summary.count("edges", static_cast<double>(graph_.graph.entries()) / 2.0);
    }

    [[nodiscard]] Index size() const override { return graph_.graph.rows; }

    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const override {
        const std::size_t size = graph_.graph.rows;
        for_each_shortest_path_block(
            graph_.graph, sources,
            [&](Range range, std::span<const double> lengths) {
                std::transform(lengths.begin(), lengths.end(),
                               values.begin() + static_cast<std::ptrdiff_t>(range.begin * size),
                               [](double length) { return -0.5 * length * length; });
            },
            context);
    }

private:
    [[nodiscard]] CsrMatrix<double> above_threshold(Summary& summary, const RunContext& context) const {
        const PhaseTimer timer(summary, "similarities");
        const ThresholdOptions sample{.seed = options_.seed};
        const double tau = options_.threshold ? *options_.threshold : choose_threshold(x_, sample, context).threshold;
        summary.measure("threshold", tau);
        return distances_of(pairs_above(x_, tau, context));
    }

    BridgedBy bridged_;
    PointsView x_;
    const IsomapOptions& options_;
    NeighborsWanted wanted_;
    SpectralGraph graph_{};
};

void require_consistent(const IsomapOptions& options, const FitExtras& extras, const LandmarkOptions* landmarks) {
    isomap_option_table().validate(options);
    require_all_kept(policy_of(options).policy, landmarks != nullptr);
    if (options.graph == IsomapGraph::Tsm && extras.neighbors != nullptr) {
        throw InvalidArgument("neighbor graph", "given",
                              {"has an effect only with ", Text::option("graph"),
                               " neighbors, and that is tsm: leave out one of the two"});
    }
    if (options.negative_eigenvalues != 0 && landmarks != nullptr) {
        throw InvalidArgument("negative-eigenvalues", std::to_string(options.negative_eigenvalues),
                              "are those of an exact fit; leave out the landmarks");
    }
}

}  // namespace

const OptionTable<IsomapOptions>& isomap_option_table() {
    static const OptionTable<IsomapOptions> table = with_eigensolver_options(
        OptionTable<IsomapOptions>()
            .integer("dimension", &IsomapOptions::dimension, {.minimum = 1},
                     "numbers for each point; beyond the data's own they hold what is wrong with the distances")
            .choice("graph", &IsomapOptions::graph, {{"neighbors", IsomapGraph::Neighbors}, {"tsm", IsomapGraph::Tsm}},
                    "neighbors: every point joined to its nearest; tsm: to all whose cosine is above the threshold, on "
                    "inputs of length 1")
            .integer("neighbors", &IsomapOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; too many make short cuts")
            .only_with("graph", {"neighbors"})
            .choice("metric", &IsomapOptions::metric, neighbor_metric_choices(true),
                    "distances along edges; cosine and correlation: chords between directions; hamming and jaccard: of "
                    "rows of zeros and ones; precomputed: the input is a square table of distances")
            .only_with("graph", {"neighbors"})
            .number("threshold", &IsomapOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "of the graph tsm: the cosine above which points are joined; auto: as tsm chooses it")
            .only_with("graph", {"tsm"})
            .choice("components", &IsomapOptions::components, component_choices(false, true), components_help)
            .integer("negative-eigenvalues", &IsomapOptions::negative_eigenvalues, {.minimum = 0},
                     "find and tell so many from the other end: how far distances are from Euclidean ones"),
        "lambda x", ", landmarks and approximate neighbours");
    return table;
}

namespace {

Embedding fit_isomap(const GivenData& given, const IsomapOptions& options, const RunContext& context,
                     const FitExtras& extras, const LandmarkOptions* landmarks) {
    require_points_or_graph(given, options.dimension, extras);
    require_graph_serves(given.points, extras, landmarks != nullptr);
    const PowerOfTwoScaling unit = unit_of(given.points, extras, context);
    Isomap family(unit, given.table, options, extras, landmarks != nullptr);
    SpectralRun run = spectral_graph_run(unit.points(), options, landmarks, extras);
    run.other_end = static_cast<Index>(options.negative_eigenvalues);
    Embedding result = embed_spectrally(family, run, beside(context, unit.bytes()));
    if (options.graph == IsomapGraph::Neighbors && has_unit(options.metric)) {
        restore_lengths(unit, result);
    }
    IsomapOptions used = options;
    used.components = policy_of(options).policy;
    result.options = isomap_option_table().values(used);
    return result;
}

}  // namespace

Embedding isomap(const PointsView& x, const IsomapOptions& options, const RunContext& context, const FitExtras& extras,
                 const LandmarkOptions* landmarks) {
    require_consistent(options, extras, landmarks);
    if (options.metric == Metric::Precomputed) {
        return fit_of_table({x, options.neighbors}, options, context, extras,
                            [&](auto&&... graph) { return fit_isomap(graph..., landmarks); });
    }
    return fit_isomap({x}, options, context, extras, landmarks);
}

Method isomap_method() {
    return method_entry({.name = "isomap",
                         .title = "isomap: distances along the data, through a graph of neighbours",
                         .source = "Tenenbaum, de Silva, Langford, Science 2000",
                         .uses_neighbors = true,
                         .accepts_precomputed = true,
                         .accepts_sparse = true},
                        isomap_option_table(), isomap);
}

}  // namespace isogon
