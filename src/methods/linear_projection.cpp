#include "isogon/methods/linear_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "methods/input_points.hpp"
#include "methods/layout_steps.hpp"
#include "methods/linear_projection.hpp"

namespace isogon {

const OptionTable<PcaOptions>& pca_option_table() {
    static const OptionTable<PcaOptions> table = OptionTable<PcaOptions>().integer(
        "dimension", &PcaOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding pca(const PointsView& x, const PcaOptions& options, const RunContext& context) {
    pca_option_table().validate(options);
    Embedding result = linear_projection(x, options.dimension, true, context);
    result.options = pca_option_table().values(options);
    return result;
}

Method pca_method() {
    return {"pca", "principal components: directions of largest variance about the mean",
            "Pearson 1901; Hotelling 1933", pca_option_table().specs(),
            [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                return pca(x, pca_option_table().make(values), context);
            }};
}

const OptionTable<SvdOptions>& svd_option_table() {
    static const OptionTable<SvdOptions> table = OptionTable<SvdOptions>().integer(
        "dimension", &SvdOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding svd(const PointsView& x, const SvdOptions& options, const RunContext& context) {
    svd_option_table().validate(options);
    Embedding result = linear_projection(x, options.dimension, false, context);
    result.options = svd_option_table().values(options);
    return result;
}

Method svd_method() {
    return {"svd", "projections on the top singular directions, not centred",
            "Eckart and Young 1936; Saul 2022, eq. 10", svd_option_table().specs(),
            [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                return svd(x, svd_option_table().make(values), context);
            }};
}

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

std::map<std::string, Array, std::less<>> linear_map_of(const TruncatedSvd& svd, double unit) {
    const DenseMatrix& directions = svd.directions;
    std::vector<double> rows;
    for (std::size_t i = 0; i < directions.rows; ++i) {
        for (std::size_t a = 0; a < directions.columns; ++a) {
            rows.push_back(directions(i, a));
        }
    }
    std::vector<double> center = svd.center;
    center.resize(directions.rows);  // zeros where nothing was subtracted
    return {{"directions", {{directions.rows, directions.columns}, std::move(rows)}},
            {"center", {{directions.rows}, std::move(center)}},
            {"centered", {{}, std::vector<std::uint64_t>{svd.center.empty() ? 0U : 1U}}},
            {"unit", {{}, std::vector<double>{unit}}}};
}

/// In float64, for a row that is longer than any fitted one could be.
void project_long_row(std::span<const float> x, const TruncatedSvd& svd, double unit, const std::string& place,
                      std::span<float> y) {
    for (std::size_t a = 0; a < y.size(); ++a) {
        double sum = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            sum += (double{x[k]} - (svd.center.empty() ? 0.0 : svd.center[k] * unit)) * svd.directions(k, a);
        }
        if (!(std::abs(sum) <= double{std::numeric_limits<float>::max()})) {
            throw InputError("input", place, "its coordinates are beyond the largest number of float32");
        }
        y[a] = static_cast<float>(sum);
    }
}

/// Rows of which `long_row` is true are left out: float32 may not hold them in the other unit.
template <class LongRow>
Points project_scaled(const PointsView& x, const TruncatedSvd& svd, double unit, const LongRow& long_row,
                      const RunContext& context) {
    Points scaled(x.count, x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        if (!long_row(i)) {
            std::transform(x[i].begin(), x[i].end(), scaled[i].begin(),
                           [&](float value) { return static_cast<float>(double{value} / unit); });
        }
    }
    Points result = project(scaled.view(), svd, context);
    for (float& value : result.values()) {
        value = static_cast<float>(double{value} * unit);
    }
    return result;
}

}  // namespace

Embedding linear_projection(const PointsView& x, int dimension, bool centered, const RunContext& context) {
    require_points(x, dimension);
    const PowerOfTwoScaling input(x, context);
    require_memory(
        context,
        {{"the points in another unit of length", input.bytes()},
         {"the singular directions", truncated_svd_bytes(x.count, x.dimension, static_cast<Index>(dimension))},
         {"the coordinates", std::uint64_t{x.count} * static_cast<std::uint64_t>(dimension) * 4}},
        "raise the limit");
    Embedding result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    try {
        TruncatedSvd decomposition;
        {
            const PhaseTimer timer(summary, "svd");
            decomposition = truncated_svd(input.points(), static_cast<Index>(dimension), centered, context);
        }
        const PhaseTimer timer(summary, "projection");
        result.coordinates = project(input.points(), decomposition, context);
        input.restore(result.coordinates);
        result.linear_map = linear_map_of(decomposition, input.unit());
        describe(decomposition, x.count, input.unit(), summary);
        record_accuracy(decomposition, summary);
    } catch (const Interruption& interruption) {
        result.coordinates = Points();
        summary.termination = interruption.reason;
        summary.message = "ended before there were any coordinates";
    }
    return result;
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
        summary.warn(of_all + " directions have not converged (residual " + rounded(largest) +
                     "): their singular values hardly differ from the next ones, so they are mixed with "
                     "those; another --dim may end at a gap");
    }
}

Points project_in_unit(const PointsView& x, const TruncatedSvd& svd, double unit, const RunContext& context) {
    const std::vector<double> lengths = lengths_in_float(x);
    const auto long_row = [&](Index i) { return lengths[i] > PowerOfTwoScaling::longest * unit; };
    Points result = unit == 1.0 ? project(x, svd, context) : project_scaled(x, svd, unit, long_row, context);
    for (Index i = 0; i < x.count; ++i) {
        if (long_row(i)) {
            project_long_row(x[i], svd, unit, "row " + std::to_string(i), result[i]);
        }
    }
    return result;
}

}  // namespace isogon
