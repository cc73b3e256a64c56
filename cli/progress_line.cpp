#include "progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "quantity.hpp"
#include "standard_streams.hpp"

namespace isogon::cli {

namespace {

std::size_t terminal_width() {
    constexpr std::size_t usual = 80;
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::string bar(double share) {
    constexpr std::size_t cells = 20;
    const auto full = std::min(cells, static_cast<std::size_t>(share * static_cast<double>(cells)));
    return '[' + std::string(full, '#') + std::string(cells - full, '.') + ']';
}

}  // namespace

void ProgressLine::update(const Progress& progress) {
    if (style_ == Style::Silent) {
        return;
    }
    const auto now = Clock::now();
    const bool new_phase = progress.phase != phase_;
    if (new_phase) {
        phase_ = progress.phase;
        phase_start_ = now;
        phase_first_ = progress.done;
    }
    const auto pause = style_ == Style::Bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(30000);
    // The first call of a run shows at once: last_shown_ is then the clock's epoch.
    if (now - last_shown_ < pause && !(new_phase && style_ == Style::Log)) {
        return;
    }
    last_shown_ = now;
    draw(describe(progress, now));
}

std::string ProgressLine::describe(const Progress& progress, Clock::time_point now) const {
    std::string text = "isogon: " + progress.phase;
    if (progress.total > 0) {
        const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
        text += style_ == Style::Bar ? fmt::format(" {} {:3.0f}%", bar(share), 100.0 * share) : "";
        text += fmt::format(" {} of {}", progress.done, progress.total);
    }
    const double elapsed = std::chrono::duration<double>(now - phase_start_).count();
    const auto steps = static_cast<double>(progress.done - std::min(progress.done, phase_first_));
    if (steps > 0.0 && elapsed > 0.0) {
        const double rate = steps / elapsed;
        text += fmt::format(", {:.3g}/s", rate);
        if (progress.total > progress.done) {
            const auto left = static_cast<double>(progress.total - progress.done);
            text += fmt::format(", {} left", human_seconds(left / rate));
        }
    }
    if (progress.objective != 0.0) {
        text += fmt::format(", objective {:.6g}", progress.objective);
    }
    return text;
}

void ProgressLine::draw(const std::string& text) {
    if (style_ == Style::Log) {
        print_on_stderr(text + '\n');
        return;
    }
    // One cell less than the width: a full last column makes some terminals wrap. "\033[K" erases the rest.
    print_on_stderr(fmt::format("\r{}\033[K", text.substr(0, terminal_width() - 1)));
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) {
        print_on_stderr("\r\033[K");
        drawn_ = false;
    }
}

ProgressLine::Style progress_style_for_stderr() {
    return isatty(STDERR_FILENO) == 1 ? ProgressLine::Style::Bar : ProgressLine::Style::Log;
}

}  // namespace isogon::cli
