#pragma once
#include <algorithm>
#include <cstdint>

#include "isogon/core/run_context.hpp"

namespace isogon::support {

/// The largest need in bytes that a step, called with a context, states.
template <class Step>
[[nodiscard]] std::uint64_t stated_need(const Step& step) {
    std::uint64_t most = 0;
    RunContext context{.threads = 1};
    context.on_need = [&](std::uint64_t bytes) { most = std::max(most, bytes); };
    step(context);
    return most;
}

}  // namespace isogon::support
