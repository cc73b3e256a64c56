#include "isogon/core/run_context.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/processors.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

int RunContext::thread_count() const {
    static const int usable = usable_processors();  // asked before every loop
    return threads > 0 ? threads : usable;
}

void RunContext::limit_seconds(double seconds) {
    using Clock = std::chrono::steady_clock;
    // Thirty years: more would overflow the clock's nanoseconds, and means no limit.
    constexpr double longest = 1e9;
    if (std::isnan(seconds)) {
        throw InvalidArgument("time limit", "NaN", "must be a number of seconds");
    }
    if (seconds >= longest) {
        deadline.reset();
        return;
    }
    seconds = std::max(seconds, 0.0);
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::optional<Termination> RunContext::interruption() const {
    if (stop.stop_requested()) {
        return Termination::Cancelled;
    }
    if (deadline && std::chrono::steady_clock::now() >= *deadline) {
        return Termination::TimeLimit;
    }
    return std::nullopt;
}

void RunContext::report(const Progress& progress) const {
    if (on_iteration) {
        on_iteration(progress);
    }
}

void throw_if_cancelled(const RunContext& context) {
    const auto own = context.interruption();
    if (const auto reason = context.agree_on_stop ? context.agree_on_stop(own) : own) {
        throw Interruption{*reason};
    }
}

void throw_if_cancelled_in_task(const RunContext& context) {
    const auto reason = context.agree_on_stop ? std::nullopt : context.interruption();
    if (reason) {
        throw Interruption{*reason};
    }
}

std::string human_bytes(std::uint64_t bytes) {
    constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // From 999.5 on, three digits would be written 1e+03.
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000.0;
        ++unit;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s", value, units.at(unit));
    return text.data();
}

std::uint64_t require_memory(const RunContext& context, const std::vector<MemoryItem>& items, const Text& remedy) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t need = 0;
    const MemoryItem* largest = nullptr;
    for (const auto& item : items) {
        need = item.bytes > most - need ? most : need + item.bytes;
        if (largest == nullptr || item.bytes > largest->bytes) {
            largest = &item;
        }
    }
    if (context.memory_limit && need > *context.memory_limit) {
        throw LimitExceeded(
            {"this run needs " + human_bytes(need) + " of memory (" + human_bytes(largest->bytes) + " for " +
                 largest->what + "), the limit is " + human_bytes(*context.memory_limit) + "; ",
             remedy},
            need, *context.memory_limit);
    }
    if (context.on_need) {
        context.on_need(need > most - context.memory_held ? most : need + context.memory_held);
    }
    return need;
}

RunContext beside(const RunContext& context, std::uint64_t bytes) {
    RunContext rest = context;
    rest.memory_held += std::min(bytes, std::numeric_limits<std::uint64_t>::max() - rest.memory_held);
    if (rest.memory_limit) {
        *rest.memory_limit -= std::min(*rest.memory_limit, bytes);
    }
    return rest;
}

RunContext already_stated(const RunContext& context) {
    RunContext quiet = context;
    quiet.memory_limit.reset();
    quiet.on_need = nullptr;
    return quiet;
}

RunContext uninterrupted(const RunContext& context) {
    RunContext finishing = context;
    finishing.stop = {};
    finishing.deadline.reset();
    return finishing;
}

}  // namespace isogon
