#include "methods/forces/tsne_checkpoints.hpp"

#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

void require_same_course(const Archive& saved, Index points, const TsneOptions& options) {
    const auto iterations = static_cast<std::uint64_t>(options.iterations);
    if (saved.count("iteration") > iterations) {
        throw InputError(saved.source, "array iteration",
                         std::to_string(saved.count("iteration")) + " is beyond the " + std::to_string(iterations) +
                             " iterations of this run: resume with at least as many");
    }
    const TsneOptions before = tsne_option_table().make(saved.options);
    const auto exaggerated = [&](int of) {
        return tsne_schedule(points, {.iterations = of}).phases.front().iterations;
    };
    if (exaggerated(before.iterations) != exaggerated(options.iterations)) {
        throw InputError(saved.source, "",
                         "made with iterations = " + std::to_string(before.iterations) + ", of which " +
                             std::to_string(exaggerated(before.iterations)) + " are exaggerated; of the " +
                             std::to_string(iterations) + " of this run it would be " +
                             std::to_string(exaggerated(options.iterations)) + ": resume with the same");
    }
}

Termination run_schedule(ForceLayout& layout, Checkpoints& checkpoints) {
    constexpr int iterations_between_checkpoints = 10;  // at least; the interval in seconds is checked then
    if (checkpoints.resume() != nullptr) {
        layout.restore(*checkpoints.resume());
    }
    const auto save = [&](Archive& archive) { layout.save(archive); };
    while (true) {
        const Termination end = layout.run_to(layout.iteration() + iterations_between_checkpoints);
        const bool interrupted = end == Termination::Cancelled || end == Termination::TimeLimit;
        checkpoints.take(save, interrupted);
        if (end != Termination::IterationLimit) {
            return end;
        }
    }
}

}  // namespace isogon
