#include "methods/linear.hpp"

#include <algorithm>
#include <string>

#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"
#include "methods/linear_projection.hpp"
#include "methods/method_frame.hpp"
#include "transform/projection_map.hpp"

namespace isogon {

namespace {

void describe(const TruncatedSvd& decomposition, Index points, double unit, Summary& summary) {
    double kept = 0.0;
    for (std::size_t a = 0; a < decomposition.singular_values.size(); ++a) {
        const double value = decomposition.singular_values[a];
        const double length = value * unit;
        kept += value * value;
        const bool centered = !decomposition.center.empty();
        const std::string label = (centered ? "variance_" : "singular_value_") + std::to_string(a);
        summary.measure(label, centered ? length * length / (points - 1.0) : length);
    }
    summary.measure("share_of_squares_kept",
                    decomposition.total_squares > 0.0 ? kept / decomposition.total_squares : 0.0);
}

/// Points or a sparse matrix, in a unit of length.
template <class Rows>
Embedding project_rows(const Rows& x, int dimension, bool centered, double unit, const RunContext& context) {
    Embedding result = unfitted({}, 0, context);
    Summary& summary = result.summary;
    run_steps(result, [&] {
        TruncatedSvd decomposition;
        {
            const PhaseTimer timer(summary, "svd");
            decomposition = truncated_svd(x, static_cast<Index>(dimension), centered, context);
        }
        const PhaseTimer timer(summary, "projection");
        result.coordinates = project(x, decomposition, context);
        result.linear_map = ProjectionMap::arrays(decomposition, unit);
        describe(decomposition, result.coordinates.count(), unit, summary);
        record_accuracy(decomposition, summary);
    });
    return result;
}

/// Projections of the inputs on their top singular directions, those of the centred inputs if `centered`.
Embedding linear_projection(const PointsView& x, int dimension, bool centered, const RunContext& context) {
    require_points(x, dimension);
    const PowerOfTwoScaling input(x, context);
    require_memory(
        context,
        {{"the points in another unit of length", input.bytes()},
         {"the singular directions", truncated_svd_bytes(x.count, x.dimension, static_cast<Index>(dimension))},
         {"the coordinates", std::uint64_t{x.count} * static_cast<std::uint64_t>(dimension) * 4}},
        "raise the limit");
    Embedding result = project_rows(input.points(), dimension, centered, input.unit(), context);
    input.restore(result.coordinates);
    return result;
}

Embedding linear_projection(const CsrMatrix<double>& x, int dimension, bool centered, const RunContext& context) {
    require_points(x, dimension);
    const auto d = static_cast<Index>(dimension);
    require_memory(context,
                   {{"the singular directions, and the columns of the inputs", sparse_svd_bytes(x, d)},
                    {"the coordinates", std::uint64_t{x.rows} * d * (sizeof(float) + sizeof(double))}},
                   "raise the limit");
    return project_rows(x, dimension, centered, 1.0, context);
}

/// The inputs may be sparse.
template <class Options, auto option_table, bool centered>
Embedding fit_linear(const PointsView& x, const Options& options, const RunContext& context, const FitExtras& extras) {
    option_table().validate(options);
    Embedding result = extras.sparse != nullptr
                           ? linear_projection(*extras.sparse, options.dimension, centered, context)
                           : linear_projection(x, options.dimension, centered, context);
    result.options = option_table().values(options);
    return result;
}

constexpr auto fit_pca = fit_linear<PcaOptions, pca_option_table, true>;
constexpr auto fit_svd = fit_linear<SvdOptions, svd_option_table, false>;

}  // namespace

const OptionTable<PcaOptions>& pca_option_table() {
    static const OptionTable<PcaOptions> table = OptionTable<PcaOptions>().integer(
        "dimension", &PcaOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding pca(const PointsView& x, const PcaOptions& options, const RunContext& context) {
    return fit_pca(x, options, context, {});
}

Method pca_method() {
    return method_entry({.name = "pca",
                         .title = "principal components: directions of largest variance about the mean",
                         .source = "Pearson 1901; Hotelling 1933",
                         .accepts_sparse = true},
                        pca_option_table(), fit_pca);
}

const OptionTable<SvdOptions>& svd_option_table() {
    static const OptionTable<SvdOptions> table = OptionTable<SvdOptions>().integer(
        "dimension", &SvdOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding svd(const PointsView& x, const SvdOptions& options, const RunContext& context) {
    return fit_svd(x, options, context, {});
}

Method svd_method() {
    return method_entry({.name = "svd",
                         .title = "projections on the top singular directions, not centred",
                         .source = "Eckart and Young 1936; Saul 2022, eq. 10",
                         .accepts_sparse = true},
                        svd_option_table(), fit_svd);
}

void record_accuracy(const TruncatedSvd& svd, Summary& summary) {
    const double largest = *std::max_element(svd.residuals.begin(), svd.residuals.end());
    const std::size_t unresolved = svd.unresolved();
    const std::string of_all = std::to_string(unresolved) + " of " + std::to_string(svd.residuals.size());
    summary.measure("residual", largest);
    summary.count("unresolved_directions", static_cast<double>(unresolved));
    summary.message =
        "each direction v with singular value s has |X^T X v - s^2 v| of at most " + rounded(largest) + " of s^2";
    const auto empty = std::count(svd.singular_values.begin(), svd.singular_values.end(), 0.0);
    if (empty > 0) {
        summary.message += "; the points have no extent along the last " + std::to_string(empty);
    }
    if (unresolved > 0) {
        summary.termination = Termination::IterationLimit;
        summary.message =
            of_all + " directions have not converged: |X^T X v - s^2 v| is up to " + rounded(largest) + " of s^2";
        summary.warn({of_all + " directions have not converged (residual " + rounded(largest) +
                          "): their singular values hardly differ from the next ones, so they are mixed with "
                          "those; another ",
                      Text::option("dimension"), " may end at a gap"});
    }
}

}  // namespace isogon
