#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "isogon/core/run_context.hpp"

namespace isogon::cli {

/// Shows progress on stderr: a line that rewrites itself on a terminal, a plain line every half minute in a log.
class ProgressLine {
public:
    enum class Style { Silent, Log, Bar };

    explicit ProgressLine(Style style) : style_(style) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void update(const Progress& progress);
    /// Takes the bar away, so that other text can be printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string describe(const Progress& progress, Clock::time_point now) const;
    void draw(const std::string& text);

    Style style_;
    std::string phase_;
    Clock::time_point phase_start_;
    std::uint64_t phase_first_ = 0;  ///< steps that were done when the phase was first seen
    Clock::time_point last_shown_;
    bool drawn_ = false;
};

/// Bar on a terminal, Log elsewhere.
[[nodiscard]] ProgressLine::Style progress_style_for_stderr();

}  // namespace isogon::cli
