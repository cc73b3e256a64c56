#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "isogon/core/run_context.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// What every method's run begins with: no coordinates, the options, and seed and threads in the summary.
[[nodiscard]] Embedding unfitted(OptionValues options, std::uint64_t seed, const RunContext& context);

/// Runs the steps of a method, which write into `result` what they reach. An interruption ends them; its reason stands
/// in the summary then, and as message what there is: nothing, or coordinates, which an early step has left.
void run_steps(Embedding& result, const std::function<void()>& steps,
               const std::string& nothing = "ended before there were any coordinates",
               const std::string& coordinates = {});

}  // namespace isogon
