#include "methods/unfolding_summary.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr double resolved = 1e-6;

double total(const std::vector<double>& eigenvalues) {
    return std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
}

/// Those that are more than what the solver leaves of zero.
Index resolved_count(const std::vector<double>& eigenvalues) {
    const double least = resolved * total(eigenvalues);
    return static_cast<Index>(
        std::count_if(eigenvalues.begin(), eigenvalues.end(), [least](double value) { return value > least; }));
}

void tell_end(const LandmarkUnfolding& unfolded, const RunContext& context, Summary& summary) {
    const Unfolding& unfolding = unfolded.unfolding;
    const bool all_rounds = unfolded.unfolding.message.find("after all rounds") != std::string::npos;
    summary.termination = unfolding.outputs.values.empty() && unfolding.status != SemidefiniteStatus::Interrupted
                              ? Termination::NumericalFailure
                          : all_rounds ? Termination::IterationLimit
                                       : termination_of(unfolding.status, context);
    summary.message = std::to_string(unfolded.rounds) + " rounds, " + std::to_string(unfolded.monitored) +
                      " constraints told to the solver, gap " + to_text(unfolding.gap);
    if (summary.termination != Termination::Converged) {
        summary.message += "; " + unfolding.message;
        summary.warn("the unfolding may be " + to_text(100.0 * unfolding.gap) + "% of its trace short of the best: " +
                     unfolding.message + "; allow more --rounds or time, or raise --tolerance");
    }
}

void tell_rounds(const LandmarkUnfolding& unfolded, Summary& summary) {
    summary.count("monitored", static_cast<double>(unfolded.monitored));
    summary.count("told", static_cast<double>(unfolded.told));
    summary.count("rounds", static_cast<double>(unfolded.rounds));
}

}  // namespace

Index suggested_dimension(const std::vector<double>& eigenvalues) {
    constexpr double share = 0.99;
    const double wanted = share * total(eigenvalues);
    double held = 0.0;
    Index dimension = 0;
    while (dimension < eigenvalues.size() && held < wanted) {
        held += eigenvalues[dimension++];
    }
    return dimension;
}

Termination termination_of(SemidefiniteStatus status, const RunContext& context) {
    switch (status) {
        case SemidefiniteStatus::Solved: return Termination::Converged;
        case SemidefiniteStatus::NotConverged: return Termination::Stalled;
        case SemidefiniteStatus::Interrupted: return context.interruption().value_or(Termination::Cancelled);
        case SemidefiniteStatus::Unbounded:
        case SemidefiniteStatus::Infeasible: break;
    }
    return Termination::NumericalFailure;
}

void tell_spectrum(const Unfolding& unfolding, const PowerOfTwoScaling& unit, Summary& summary) {
    summary.count("suggested_dimension", suggested_dimension(unfolding.eigenvalues));
    summary.measure("duality_gap", unfolding.gap);
    summary.measure("largest_violation", unfolding.largest_violation);
    summary.measure("trace", unfolding.trace * unit.unit() * unit.unit());
    const double sum = total(unfolding.eigenvalues);
    for (std::size_t k = 0; k < unfolding.eigenvalues.size(); ++k) {
        summary.measure("spectrum_" + std::to_string(k), unfolding.eigenvalues[k] / sum);
    }
}

Points leading_outputs(const Unfolding& unfolding, int dimension, const PowerOfTwoScaling& unit, Summary& summary) {
    const auto wished = static_cast<Index>(dimension);
    const Index there = resolved_count(unfolding.eigenvalues);
    if (there < wished) {
        summary.warn("the unfolding has " + std::to_string(there) + " dimensions, the other " +
                     std::to_string(wished - there) + " are zero; lower --dim");
    }
    Points points(unfolding.outputs.rows, wished);
    for (Index i = 0; i < points.count(); ++i) {
        std::transform(unfolding.outputs.row(i), unfolding.outputs.row(i) + std::min(wished, there), points[i].begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    unit.restore(points);
    return points;
}

Points told(const LandmarkUnfolding& unfolded, int dimension, const PowerOfTwoScaling& unit, const RunContext& context,
            Summary& summary) {
    summary.seconds.insert(summary.seconds.end(), unfolded.summary.seconds.begin(), unfolded.summary.seconds.end());
    summary.trace = unfolded.summary.trace;
    for (IterationRecord& record : summary.trace) {
        record.objective *= unit.unit() * unit.unit();
    }
    tell_end(unfolded, context, summary);
    tell_rounds(unfolded, summary);
    tell_spectrum(unfolded.unfolding, unit, summary);
    return unfolded.unfolding.outputs.values.empty() ? Points()
                                                     : leading_outputs(unfolded.unfolding, dimension, unit, summary);
}

}  // namespace isogon
