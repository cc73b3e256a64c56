#include "methods/fit_steps.hpp"

#include <utility>

namespace isogon {

Embedding unfitted(OptionValues options, std::uint64_t seed, const RunContext& context) {
    Embedding result;
    result.options = std::move(options);
    result.summary.seed = seed;
    result.summary.threads = context.thread_count();
    return result;
}

void run_steps(Embedding& result, const std::function<void()>& steps, const std::string& nothing,
               const std::string& coordinates) {
    try {
        steps();
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
        result.summary.message = result.coordinates.empty() || coordinates.empty() ? nothing : coordinates;
    }
}

}  // namespace isogon
