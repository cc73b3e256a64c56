#include "program/session.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"
#include "program/option_flags.hpp"
#include "program/process.hpp"

namespace isogon::cli {

namespace {

/// An upper bound against typing errors, far above any machine of today.
constexpr int most_threads = 4096;

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& options, bool writes) {
    const std::string group = "Running";
    if (writes) {
        app.add_flag("--overwrite", options.overwrite, "Replace an output that exists; without it that is refused")
            ->group(group);
    }
    app.add_flag("--json", options.json,
                 "Print one JSON object on stdout and nothing else; a failure is {\"error\": {\"kind\", \"message\", "
                 "\"exit_code\"}}")
        ->group(group);
    app.add_flag("--quiet", options.quiet, "No progress, log or warnings on stderr; errors still appear")->group(group);
    app.add_option("--threads", options.threads,
                   "Threads to use; default: as many as the machine has. Results do not depend on it")
        ->type_name("N")
        ->group(group);
    app.add_option("--memory-limit", options.memory_limit,
                   "Refuse, before work starts, what needs more: 8G, 500M, 2GiB")
        ->type_name("SIZE")
        ->group(group);
    app.add_option("--time-limit", options.time_limit,
                   "Stop after 90s, 5m or 1h with the best result so far (exit code 5)")
        ->type_name("TIME")
        ->group(group);
}

RunContext make_context(const CommonOptions& options, std::stop_token stop) {
    RunContext context;
    context.stop = std::move(stop);
    if (options.threads) {
        context.threads = static_cast<int>(parse_whole("--threads", *options.threads, 1, most_threads));
    }
    if (options.memory_limit) {
        context.memory_limit = parse_bytes("--memory-limit", *options.memory_limit);
    }
    if (options.time_limit) {
        context.limit_seconds(parse_seconds("--time-limit", *options.time_limit));
    }
    return context;
}

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

Session::Session(const CommonOptions& options, Interrupts& interrupts, const Ranks& ranks, OutputRecord& outputs)
    : options_(options),
      interrupts_(interrupts),
      outputs_(outputs),
      progress_(options.quiet || !ranks.is_root() ? ProgressLine::Style::Silent : progress_style_for_stderr()),
      context_(make_context(options, interrupts.token())),
      ranks_(ranks) {
    options_.quiet = options.quiet || !is_root();
    context_.on_need = [this](std::uint64_t bytes) { stated_ = std::max(stated_, bytes); };
    context_.on_iteration = [this](const Progress& progress) { progress_.update(progress); };
}

double Session::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::log(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: {}\n", printable(sentence)));
    }
}

void Session::warn(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: warning: {}\n", printable(sentence)));
    }
}

void Session::expect_output(const std::string& path) {
    outputs_.add(path);
    const auto folder = std::filesystem::path(path).parent_path();
    remove_leftovers(folder.empty() ? "." : folder);
}

void Session::remove_leftovers(const std::filesystem::path& folder) {
    if (const std::size_t left = is_root() ? remove_abandoned(folder) : 0; left > 0) {
        log(fmt::format("temporary files that killed runs had left are removed: {}", left));
    }
}

void Session::reserve_for_input(std::uint64_t bytes) {
    reserve(
        "the input in memory", bytes,
        "raise --memory-limit, take fewer rows (--every), or convert the input to .npy, which is read from the disk "
        "as it is needed");
}

void Session::reserve(const std::string& what, std::uint64_t bytes, const std::string& remedy) {
    require_memory(context_, {{what, bytes}}, remedy);
    context_ = beside(context_, bytes);
    reserved_ += bytes;
}

std::string Session::limit_note() const {
    if (!context_.memory_limit || reserved_ == 0) {
        return {};
    }
    return fmt::format(" (--memory-limit {}, of which the input takes {})",
                       human_bytes(*context_.memory_limit + reserved_), human_bytes(reserved_));
}

std::uint64_t peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) {
            return kibibytes * 1024;
        }
    }
    // In a root without /proc; at least what the parent had when it started this process.
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace isogon::cli
