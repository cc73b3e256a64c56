#include "methods/semidefinite/unfolding_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

ComponentChoices joined_component_choices() {
    return {{"auto", std::nullopt}, {"error", ComponentPolicy::Error}, {"bridge", ComponentPolicy::Bridge}};
}

namespace {

void require_no_lists(Index again, const FitExtras& extras) {
    if (again > 0 && extras.neighbors != nullptr) {
        throw InputError("neighbor graph", "",
                         std::to_string(again) +
                             " points equal earlier ones, and equal points are fitted as one; leave "
                             "out the graph, or the points that come again");
    }
}

/// Inserts the edges that join components, which are in no list, in the ascending order of pairs.
void add_bridges(const PointsView& points, const CsrMatrix<double>& graph, DistanceConstraints& constraints) {
    DistanceConstraints joined;
    std::size_t a = 0;
    const auto take_before = [&](const std::pair<Index, Index>& pair) {
        for (; a < constraints.size() && constraints.pairs[a] < pair; ++a) {
            joined.pairs.push_back(constraints.pairs[a]);
            joined.squared.push_back(constraints.squared[a]);
        }
    };
    for (Index i = 0; i < graph.rows; ++i) {
        for (const Index j : graph.row_indices(i)) {
            const std::pair<Index, Index> pair{i, j};
            take_before(pair);
            if (i < j && (a == constraints.size() || constraints.pairs[a] != pair)) {
                joined.pairs.push_back(pair);
                joined.squared.push_back(squared_distance(points[i].data(), points[j].data(), points.dimension));
            }
        }
    }
    take_before({graph.rows, 0});
    constraints = std::move(joined);
}

/// Raises distances below a thousandth of the usual one to that: a solver of six digits resolves no more, and bounds of
/// 1e-40 beside others of 1 would make it fail. Returns their number.
std::size_t raise_shortest(DistanceConstraints& constraints) {
    constexpr double share = 1e-6;  // share of the mean squared distance
    std::vector<double>& squared = constraints.squared;
    const double mean = std::accumulate(squared.begin(), squared.end(), 0.0) / static_cast<double>(squared.size());
    const auto raised = std::count_if(squared.begin(), squared.end(), [&](double b) { return b < share * mean; });
    std::transform(squared.begin(), squared.end(), squared.begin(),
                   [&](double b) { return std::max(b, share * mean); });
    return static_cast<std::size_t>(raised);
}

}  // namespace

UnfoldingPoints::UnfoldingPoints(const PointsView& x, const FitExtras& extras, Summary& summary,
                                 const RunContext& context)
    : unit_(x, context), distinct_(distinct_points(unit_.points())) {
    const Index again = x.count - distinct_.count();
    require_no_lists(again, extras);
    if (again > 0) {
        once_ = read_rows(ViewRows(unit_.points()), rows());
    }
    summary.count("duplicates", again);
}

DistanceConstraints distances_to_keep(const PointsView& points, const NeighborLists& lists,
                                      const DistancesWanted& wanted, Summary& summary, const RunContext& context) {
    const auto& [kept, chosen] = wanted;
    const PhaseTimer timer(summary, "graph");
    CsrMatrix<double> neighbors = symmetric_graph(lists, context);
    if (chosen.policy == ComponentPolicy::Error) {
        require_connected(connected_components(neighbors), "input", "bridge");
    }
    const SpectralGraph graph = apply_policy({.points = points}, std::move(neighbors), chosen, summary, context);
    DistanceConstraints constraints = distance_constraints(points, lists, kept, context);
    if (chosen.policy == ComponentPolicy::Bridge) {
        add_bridges(points, graph.graph, constraints);
    }
    summary.count("raised", static_cast<double>(raise_shortest(constraints)));
    summary.count("constraints", static_cast<double>(constraints.size()));
    return constraints;
}

namespace {

constexpr double resolved = 1e-6;

double total(const std::vector<double>& eigenvalues) {
    return std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
}

/// The eigenvalues above the solver's error of a zero.
Index resolved_count(const std::vector<double>& eigenvalues) {
    const double least = resolved * total(eigenvalues);
    return static_cast<Index>(
        std::count_if(eigenvalues.begin(), eigenvalues.end(), [least](double value) { return value > least; }));
}

void record_end(const LandmarkUnfolding& unfolded, const RunContext& context, Summary& summary) {
    const Unfolding& unfolding = unfolded.unfolding;
    const bool all_rounds = unfolded.unfolding.message.find("after all rounds") != std::string::npos;
    summary.termination = unfolding.outputs.values().empty() && unfolding.status != SemidefiniteStatus::Interrupted
                              ? Termination::NumericalFailure
                          : all_rounds ? Termination::IterationLimit
                                       : termination_of(unfolding.status, context);
    summary.message = std::to_string(unfolded.rounds) + " rounds, " + std::to_string(unfolded.monitored) +
                      " constraints passed to the solver, gap " + rounded(unfolding.gap);
    if (summary.termination != Termination::Converged) {
        summary.message += "; " + unfolding.message;
        summary.warn({"the unfolding may be " + rounded(100.0 * unfolding.gap) +
                          "% of its trace short of the best: " + unfolding.message + "; allow more time, or raise ",
                      Text::option("tolerance")});
    }
}

void record_rounds(const LandmarkUnfolding& unfolded, Summary& summary) {
    summary.count("monitored", static_cast<double>(unfolded.monitored));
    summary.count("told", static_cast<double>(unfolded.passed_constraints));
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

void record_spectrum(const Unfolding& unfolding, const PowerOfTwoScaling& unit, Summary& summary) {
    summary.count("suggested_dimension", suggested_dimension(unfolding.eigenvalues));
    if (std::isfinite(unfolding.gap)) {  // a run that ended before its first bound has none
        summary.measure("duality_gap", unfolding.gap);
    }
    summary.measure("largest_violation", unfolding.largest_violation);
    summary.measure("trace", unfolding.trace * unit.unit() * unit.unit());
    const double sum = total(unfolding.eigenvalues);
    for (std::size_t k = 0; k < unfolding.eigenvalues.size(); ++k) {
        summary.measure("spectrum_" + std::to_string(k), unfolding.eigenvalues[k] / sum);
    }
}

Points leading_outputs(const Unfolding& unfolding, int dimension, const PowerOfTwoScaling& unit, Summary& summary) {
    const auto requested = static_cast<Index>(dimension);
    const Index there = resolved_count(unfolding.eigenvalues);
    if (there < requested) {
        summary.warn({"the unfolding has " + std::to_string(there) + " dimensions, the other " +
                          std::to_string(requested - there) + " are zero; lower ",
                      Text::option("dimension")});
    }
    Points points(unfolding.outputs.rows(), requested);
    for (Index i = 0; i < points.count(); ++i) {
        std::transform(unfolding.outputs.row(i), unfolding.outputs.row(i) + std::min(requested, there),
                       points[i].begin(), [](double value) { return static_cast<float>(value); });
    }
    unit.restore(points);
    return points;
}

Points recorded_outputs(const LandmarkUnfolding& unfolded, int dimension, const PowerOfTwoScaling& unit,
                        const RunContext& context, Summary& summary) {
    summary.seconds.insert(summary.seconds.end(), unfolded.summary.seconds.begin(), unfolded.summary.seconds.end());
    summary.trace = unfolded.summary.trace;
    for (IterationRecord& record : summary.trace) {
        record.objective *= unit.unit() * unit.unit();
    }
    record_end(unfolded, context, summary);
    record_rounds(unfolded, summary);
    record_spectrum(unfolded.unfolding, unit, summary);
    return unfolded.unfolding.outputs.values().empty() ? Points()
                                                       : leading_outputs(unfolded.unfolding, dimension, unit, summary);
}

}  // namespace isogon
