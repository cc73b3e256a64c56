#include "methods/spectral.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/affinities.hpp"
#include "graph/calibrated_affinities.hpp"
#include "graph/laplacian.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"
#include "methods/spectral/distributed_steps.hpp"
#include "methods/spectral/neighbor_list_family.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

/// W of a graph of distances. A chosen sigma is recorded.
CsrMatrix<double> weights_of(CsrMatrix<double> graph, const LaplacianOptions& options, Summary& summary,
                             const RunContext& context) {
    const auto neighbor = static_cast<Index>(options.neighbors);
    switch (options.affinity) {
        case AffinityKind::SelfTuning: return self_tuning_affinities(std::move(graph), neighbor, context);
        case AffinityKind::Perplexity: return perplexity_affinities(std::move(graph), options.perplexity, context);
        case AffinityKind::Connectivity: return connectivity(std::move(graph), context);
        case AffinityKind::Gaussian: break;
    }
    const double sigma = options.sigma ? *options.sigma : default_sigma(graph, neighbor, context);
    summary.measure("sigma", sigma);
    return gaussian_affinities(std::move(graph), sigma, context);
}

ChosenPolicy policy_of(const LaplacianOptions& options, const SpectralRanks* ranks = nullptr) {
    return chosen_policy(options.components, ComponentPolicy::Bridge, ranks);
}

/// A graph of neighbours, its weights W, and min tr(X^T L X) subject to X^T D X = I and X^T D 1 = 0, L = D - W: steps 1
/// to 3 of Belkin and Niyogi 2003, section 2.
class LaplacianEigenmaps : public NeighborListFamily<LaplacianOptions> {
public:
    LaplacianEigenmaps(const PowerOfTwoScaling& input, const PointsView& table, const LaplacianOptions& options,
                       const FitExtras& extras)
        : NeighborListFamily(input, options, extras), table_(table) {
        wanted_.unequal = extras.ranks == nullptr;
    }

    [[nodiscard]] SpectralSolution by_ranks(const SpectralRanks& ranks, const DistributedSolution& how,
                                            Summary& summary, const RunContext& context) override {
        const NeighborLists own = own_lists(ranks, summary, context);
        return ranks.laplacian({x_, own}, options_, how, summary, context);
    }

    void require_nystrom() const override {
        if (options_.affinity != AffinityKind::Gaussian) {
            throw InvalidArgument(
                "extension", "nystrom",
                {"needs a kernel between any two points, which only ", Text::option("kernel"), " gaussian has"});
        }
    }

    /// Nystrom formula. The landmarks' coordinates X~ are eigenvectors of the random walk P = D^-1 W, P X~ = X~ (I -
    /// Lambda); so a new point's are sum over landmarks of p(y, l) x_l, over 1 - lambda (Bengio et al., "Out-of-sample
    /// extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering", NIPS 2003), p by the same kernel on its
    /// nearest landmarks.
    [[nodiscard]] MultiVector<double> nystrom(const std::vector<Index>& landmarks, const SpectralSolution& solution,
                                              Summary& summary, const RunContext& context) override {
        const PhaseTimer timer(summary, "nystrom");
        const auto k = std::min(static_cast<Index>(options_.neighbors), landmarks_.count());
        const NeighborLists lists = exact_neighbors(x_, landmarks_.view(), k, options_.metric, context);
        const CsrMatrix<double> p = gaussian_transitions(lists, landmarks_.count(), summary.value("sigma"));
        MultiVector<double> result = mixtures(p, solution.landmarks, context);
        for (std::size_t i = 0; i < result.rows(); ++i) {
            for (std::size_t j = 0; j < result.columns(); ++j) {
                result.at(i, j) /= std::max(1.0 - solution.eigenvalues[j], least_value);
            }
        }
        for (std::size_t l = 0; l < landmarks.size(); ++l) {
            std::copy_n(solution.landmarks.row(l), result.columns(), result.row(landmarks[l]));
        }
        return result;
    }

private:
    /// Eigenvalues of the walk below this are noise, which the formula would amplify.
    static constexpr double least_value = 1e-3;

    [[nodiscard]] SpectralProblem problem_of(const PointsView& points, NeighborLists lists, Summary& summary,
                                             const RunContext& context) override {
        const PhaseTimer timer(summary, "graph");
        SpectralGraph graph =
            apply_policy({points, options_.metric, table_, wanted_.unit}, symmetric_graph(std::move(lists), context),
                         policy_of(options_), summary, context);
        kept_ = std::move(graph.kept);
        // W, and the pencil (L, D).
        CsrMatrix<double> weights = weights_of(std::move(graph.graph), options_, summary, context);
        SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
        problem.b = degrees(weights, context);
        problem.a = laplacian_spectral_matrix(std::move(weights), problem.b);
        return problem;
    }

    [[nodiscard]] std::uint64_t matrices() const override { return 1; }

    PointsView table_;
};

void require_consistent(const LaplacianOptions& options) {
    laplacian_option_table().validate(options);
    if (options.affinity == AffinityKind::Perplexity && options.perplexity >= options.neighbors) {
        throw InvalidArgument("perplexity", to_text(options.perplexity),
                              "must be below " + std::to_string(options.neighbors) + ", the neighbours");
    }
}

}  // namespace

const OptionTable<LaplacianOptions>& laplacian_option_table() {
    static const OptionTable<LaplacianOptions> table = with_eigensolver_options(
        OptionTable<LaplacianOptions>()
            .integer("dimension", &LaplacianOptions::dimension, {.minimum = 1},
                     "numbers for each point; more follow finer structure")
            .integer("neighbors", &LaplacianOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; more join what is apart and blur what is fine")
            .choice("metric", &LaplacianOptions::metric, neighbor_metric_choices(true), neighbor_metrics_or_table_help)
            .choice(
                "kernel", &LaplacianOptions::affinity,
                {{"gaussian", AffinityKind::Gaussian},
                 {"self-tuning", AffinityKind::SelfTuning},
                 {"perplexity", AffinityKind::Perplexity},
                 {"connectivity", AffinityKind::Connectivity}},
                "how distances become weights: by one width for all; by a width for each point, its distance to its "
                "last neighbour; by a width that makes so many neighbours weigh; or 1 for every edge")
            .number("sigma", &LaplacianOptions::sigma, {.minimum = 0.0, .open = true},
                    "width of gaussian weights exp(-(d / sigma)^2); auto: the median distance to the last neighbour")
            .only_with("kernel", {"gaussian"})
            .number("perplexity", &LaplacianOptions::perplexity, {.minimum = 1.0, .open = true},
                    "of that affinity: how many neighbours weigh, in effect")
            .only_with("kernel", {"perplexity"})
            .choice("components", &LaplacianOptions::components, component_choices(true, true), components_help),
        "lambda B x", ", landmarks and approximate neighbours");
    return table;
}

namespace {

Embedding fit_laplacian(const GivenData& given, const LaplacianOptions& options, const RunContext& context,
                        const FitExtras& extras, const LandmarkOptions* landmarks) {
    const PointsView& x = given.points;
    LaplacianOptions used = options;
    used.components = policy_of(options, extras.ranks).policy;
    require_all_kept(*used.components, landmarks != nullptr);
    require_points_or_graph(given, options.dimension, extras);
    require_graph_serves(x, extras, landmarks != nullptr);
    if (extras.ranks != nullptr && options.affinity == AffinityKind::Perplexity) {
        refuse_over_ranks("kernel", "perplexity", "gaussian or self-tuning");
    }
    require_divisible(x, laplacian_option_table().values(used), *used.components, landmarks, extras.ranks);
    const PowerOfTwoScaling unit = unit_of(x, extras, context);
    LaplacianOptions in_unit = options;
    const double unit_of_sigma = has_unit(options.metric) ? unit.unit() : 1.0;
    if (options.sigma) {
        in_unit.sigma = *options.sigma / unit_of_sigma;
    }
    LaplacianEigenmaps family(unit, given.table, in_unit, extras);
    Embedding result = embed_spectrally(family, family.run(landmarks, extras), beside(context, unit.bytes()));
    for (auto& [what, value] : result.summary.measures) {
        value *= what == "sigma" ? unit_of_sigma : 1.0;
    }
    result.options = laplacian_option_table().values(used);
    return result;
}

}  // namespace

Embedding laplacian_eigenmaps(const PointsView& x, const LaplacianOptions& options, const RunContext& context,
                              const FitExtras& extras, const LandmarkOptions* landmarks) {
    require_consistent(options);
    if (options.metric == Metric::Precomputed) {
        return fit_of_table({x, options.neighbors}, options, context, extras,
                            [&](auto&&... graph) { return fit_laplacian(graph..., landmarks); });
    }
    return fit_laplacian({x}, options, context, extras, landmarks);
}

Method laplacian_method() {
    return method_entry(
        {.name = "laplacian",
         .title = "Laplacian eigenmaps: neighbours stay near, by the smoothest functions on their graph",
         .source = "Belkin and Niyogi, Neural Computation 2003",
         .uses_neighbors = true,
         .accepts_precomputed = true,
         .accepts_sparse = true,
         .distributes_graph = true},
        laplacian_option_table(), laplacian_eigenmaps);
}

}  // namespace isogon
