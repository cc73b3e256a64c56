#include "methods/linear_projection.hpp"

#include <string>

#include "methods/input_checks.hpp"

namespace isogon {

namespace {

void describe(const TruncatedSvd& decomposition, Index points, Summary& summary) {
    double kept = 0.0;
    for (std::size_t a = 0; a < decomposition.singular_values.size(); ++a) {
        const double value = decomposition.singular_values[a];
        kept += value * value;
        const bool centered = !decomposition.center.empty();
        const std::string label = (centered ? "variance_" : "singular_value_") + std::to_string(a);
        summary.measure(label, centered ? value * value / (points - 1.0) : value);
    }
    summary.measure("share_of_squares_kept",
                    decomposition.total_squares > 0.0 ? kept / decomposition.total_squares : 0.0);
}

}  // namespace

Embedding linear_projection(const PointsView& x, int dimension, bool centered, const RunContext& context) {
    require_points(x, dimension);
    require_memory(context,
                   {{"the product of the inputs with themselves", std::uint64_t{x.dimension} * x.dimension * 48},
                    {"the coordinates", std::uint64_t{x.count} * static_cast<std::uint64_t>(dimension) * 4}},
                   "raise the limit");
    Embedding result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    try {
        TruncatedSvd decomposition;
        {
            const PhaseTimer timer(summary, "svd");
            decomposition = truncated_svd(x, static_cast<Index>(dimension), centered, context);
        }
        const PhaseTimer timer(summary, "projection");
        result.coordinates = project(x, decomposition, context);
        describe(decomposition, x.count, summary);
        summary.message = "the decomposition is exact to rounding";
    } catch (const Interruption& interruption) {
        result.coordinates = Points();
        summary.termination = interruption.reason;
        summary.message = "ended before there were any coordinates";
    }
    return result;
}

}  // namespace isogon
