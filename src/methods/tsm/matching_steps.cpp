#include "methods/tsm/matching_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "linalg/truncated_svd.hpp"
#include "pairs/isolated_points.hpp"
#include "pairs/matching_problem.hpp"

namespace isogon {

AngleHistograms threshold_step(const DistributedPoints& x, const std::optional<double>& given, std::uint64_t seed,
                               Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "threshold");
    const ThresholdOptions sample{.seed = seed};
    AngleHistograms angles =
        given ? describe_threshold(x, *given, sample, context) : choose_threshold(x, sample, context);
    summary.measure("threshold", angles.threshold);
    return angles;
}

void state_matching(const DistributedPoints& x, Index rank, double density, std::vector<MemoryItem> more,
                    const RunContext& context) {
    more.push_back({"the similarities", similarities_bytes(x.count(), x.dimension(), density, ranks_of(x))});
    more.push_back({"the singular directions", truncated_svd_bytes(x.count(), x.dimension(), rank)});
    require_memory(context, more, "raise the limit, the threshold (fewer similarities) or embed fewer points");
}

Similarities tied_similarities(const DistributedPoints& points, double tau, const RunContext& context,
                               Summary& summary) {
    const PhaseTimer timer(summary, "similarities");
    MatchingProblem problem = prepare_matching(points, tau, false, context, summary);
    const IsolatedSupport tied = support_isolated(points, isolated_points(problem.similarities), ties_of_isolated,
                                                  problem.similarities, context);
    summary.count("isolated_pairs", static_cast<double>(tied.added));
    if (tied.unreachable > 0) {
        summary.warn(std::to_string(tied.unreachable) +
                     " points lie 90 degrees or more from all others: nothing ties them to the rest");
    }
    return std::move(problem.similarities);
}

Points given_start(const FitExtras& extras) {
    Points start(extras.start.count, extras.start.dimension);
    for (Index i = 0; i < start.count(); ++i) {
        std::copy(extras.start[i].begin(), extras.start[i].end(), start[i].begin());
    }
    return start;
}

MultiVector<float> on_spheres(const PointsView& coordinates, const std::vector<float>& lengths, std::uint64_t seed) {
    const std::vector<double> norms_of_start = norms(coordinates);
    MultiVector<float> start(coordinates.count, coordinates.dimension);
    for (Index i = 0; i < coordinates.count; ++i) {
        std::vector<double> row(coordinates[i].begin(), coordinates[i].end());
        double length = norms_of_start[i];
        Random random(seed, RandomStream::FaithfulStart, i);
        while (length == 0.0) {
            double square = 0.0;
            for (double& value : row) {
                value = random.normal();
                square += value * value;
            }
            length = std::sqrt(square);
        }
        for (std::size_t k = 0; k < row.size(); ++k) {
            start.row(i)[k] = static_cast<float>(row[k] * double{lengths[i]} / length);
        }
    }
    return start;
}

std::string message_of(const MatchingEnd& end) {
    const std::string count = std::to_string(end.updates);
    const std::string updates = count + " updates" + end.form;
    switch (end.termination) {
        case Termination::Converged:
            if (end.tolerance.empty()) {
                return "nothing was left to solve after " + updates + end.residual;
            }
            return "the residual changed by less than " + end.tolerance + " in each of ten updates after " + updates +
                   end.residual;
        case Termination::IterationLimit: return "all " + count + " updates made" + end.form + end.residual;
        case Termination::Stalled: return "no step led further after " + updates + end.residual;
        case Termination::NumericalFailure: return "the residual became infinite after " + updates + end.fallback;
        default: return "ended after " + updates + end.residual;
    }
}

Progress with_coordinates(Progress progress, std::function<Points()> coordinates) {
    progress.coordinates = std::move(coordinates);
    return progress;
}

RunContext restoring(const RunContext& context, const std::function<void(Points&)>& restore) {
    RunContext shown = context;
    if (const auto report = context.on_iteration) {
        shown.on_iteration = [&restore, report](const Progress& progress) {
            if (!progress.coordinates) {
                return report(progress);
            }
            report(with_coordinates(progress, [&] {
                Points coordinates = progress.coordinates();
                restore(coordinates);
                return coordinates;
            }));
        };
    }
    return shown;
}

}  // namespace isogon
