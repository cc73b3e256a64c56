#include "methods/matching/matching_steps.hpp"

#include <utility>

#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/matching_problem.hpp"

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
