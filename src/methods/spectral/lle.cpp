#include "methods/spectral.hpp"

#include "graph/barycentric_weights.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/sparse_algebra.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"
#include "methods/spectral/distributed_steps.hpp"
#include "methods/spectral/neighbor_list_family.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

namespace {

/// The lists of a component's points, renumbered within it. All neighbours are in the same component.
NeighborLists lists_of(const std::vector<Index>& kept, const NeighborLists& lists) {
    std::vector<Index> place(lists.count(), 0);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        place[kept[i]] = static_cast<Index>(i);
    }
    NeighborLists result{.size = lists.size};
    for (const Index i : kept) {
        for (const Index j : lists[i]) {
            result.indices.push_back(place[j]);
        }
    }
    return result;
}

/// Weights W of rows that sum to 1, of least sum |x_i - sum_j W_ij x_j|^2 (Roweis and Saul 2000, eq. 1); then
/// min tr(X^T (I - W)^T (I - W) X) subject to X^T X = I and X^T 1 = 0 (eq. 2).
class LocallyLinearEmbedding : public NeighborListFamily<LleOptions> {
public:
    using NeighborListFamily::NeighborListFamily;

    [[nodiscard]] SpectralSolution by_ranks(const SpectralRanks& ranks, const DistributedSolution& how,
                                            Summary& summary, const RunContext& context) override {
        const NeighborLists own = own_lists(ranks, summary, context);
        return ranks.lle({x_, own}, how, summary, context);
    }

    void require_nystrom() const override {
        throw InvalidArgument("extension", "nystrom", "needs a kernel, which lle has not; use lll or weights");
    }

    [[nodiscard]] MultiVector<double> nystrom(const std::vector<Index>& /*landmarks*/,
                                              const SpectralSolution& /*solution*/, Summary& /*summary*/,
                                              const RunContext& /*context*/) override {
        require_nystrom();
        return {};
    }

private:
    /// I - W and its transpose.
    [[nodiscard]] std::uint64_t matrices() const override { return 2; }

    [[nodiscard]] SpectralProblem problem_of(const PointsView& points, NeighborLists lists, Summary& summary,
                                             const RunContext& context) override {
        const PhaseTimer timer(summary, "weights");
        kept_ = apply_policy({points, options_.metric}, symmetric_graph(lists, context), {*options_.components, false},
                             summary, context)
                    .kept;
        return kept_.empty()
                   ? problem_in_one_piece(points, lists, context)
                   : problem_in_one_piece(read_rows(ViewRows(points), kept_).view(), lists_of(kept_, lists), context);
    }

    [[nodiscard]] SpectralProblem problem_in_one_piece(const PointsView& points, const NeighborLists& lists,
                                                       const RunContext& context) const {
        SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
        problem.a = normal_spectral_matrix(identity_minus(barycentric_weights(points, lists, usual_ridge, context)));
        return problem;
    }
};

}  // namespace

const OptionTable<LleOptions>& lle_option_table() {
    static const OptionTable<LleOptions> table = with_eigensolver_options(
        OptionTable<LleOptions>()
            .integer("dimension", &LleOptions::dimension, {.minimum = 1},
                     "numbers for each point; should be below the neighbours")
            .integer("neighbors", &LleOptions::neighbors, {.minimum = 1},
                     "nearest points that rebuild each; more rebuild it from farther away")
            .choice("metric", &LleOptions::metric, neighbor_metric_choices(false), neighbor_metrics_help)
            .choice("components", &LleOptions::components, component_choices(true, false), unbridged_components_help),
        "lambda x", ", landmarks and approximate neighbours");
    return table;
}

Embedding locally_linear_embedding(const PointsView& x, const LleOptions& options, const RunContext& context,
                                   const FitExtras& extras, const LandmarkOptions* landmarks) {
    lle_option_table().validate(options);
    LleOptions used = options;
    const ComponentPolicy usual = landmarks == nullptr ? ComponentPolicy::Largest : ComponentPolicy::Separate;
    used.components = chosen_policy(options.components, usual, extras.ranks).policy;
    require_all_kept(*used.components, landmarks != nullptr);
    require_points(x, used.dimension, MostNumbers::OfPoints);
    require_divisible(x, lle_option_table().values(used), *used.components, landmarks, extras.ranks);
    const PowerOfTwoScaling unit(x, context);
    LocallyLinearEmbedding family(unit, used, extras);
    Embedding result = embed_spectrally(family, family.run(landmarks, extras), beside(context, unit.bytes()));
    if (used.neighbors <= used.dimension) {
        result.summary.warn(
            {"with no more neighbours than dimensions a point's neighbours do not span the outputs; raise ",
             Text::option("neighbors"), " or lower ", Text::option("dimension")});
    }
    result.options = lle_option_table().values(used);
    return result;
}

Method lle_method() {
    return method_entry(
        {.name = "lle",
         .title = "locally linear embedding: what rebuilds a point from its neighbours rebuilds its coordinates",
         .source = "Roweis and Saul, Science 2000",
         .uses_neighbors = true,
         .distributes_graph = true},
        lle_option_table(), locally_linear_embedding);
}

}  // namespace isogon
