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
#include <vector>

#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "program/option_flags.hpp"
#include "program/process.hpp"

namespace isogon::cli {

namespace {

/// An upper bound against typing errors, far above any machine of today.
constexpr int most_threads = 4096;

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& options, bool writes) {
    const FlagGroup group(app, "Running");
    if (writes) {
        app.add_flag("--overwrite", options.overwrite, "Replace an output that exists; without it that is refused");
    }
    app.add_flag("--json", options.json,
                 "Print one JSON object on stdout and nothing else; a failure is {\"error\": {\"kind\", \"message\", "
                 "\"exit_code\"}}");
    app.add_flag("--quiet", options.quiet, "No progress, log or warnings on stderr; errors still appear");
    add_value(app, "--threads N", options.threads,
              "Threads to use; default: as many as this process may use at a time. Results do not depend on it");
    add_value(app, "--memory-limit SIZE", options.memory_limit,
              "Refuse, before work starts, what needs more: 8G, 500M, 2GiB");
    add_value(app, "--time-limit TIME", options.time_limit,
              "Stop after 90s, 5m or 1h with the best result so far (exit code 5)");
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
    const bool new_phase = progress.phase != last_.phase;
    if (new_phase) {
        end_phase();
        phase_start_ = now;
        phase_first_ = progress.done;
    }
    last_ = {.phase = progress.phase, .done = progress.done, .total = progress.total, .objective = progress.objective};
    last_time_ = now;
    last_is_shown_ = false;
    const auto pause = style_ == Style::Bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(30000);
    // The first call of a run shows at once: last_shown_ is then the clock's epoch.
    if (now - last_shown_ >= pause || (new_phase && style_ == Style::Log)) {
        show(now);
    }
}

/// The text that fits the terminal: the parts of less interest are left out first.
std::string ProgressLine::describe() const {
    const std::string phase = "isogon: " + last_.phase;
    const bool counted = last_.total > 0;
    const std::string count = counted ? fmt::format(" {} of {}", last_.done, last_.total) : "";
    std::vector<std::string> details;
    const double elapsed = std::chrono::duration<double>(last_time_ - phase_start_).count();
    const auto steps = static_cast<double>(last_.done - std::min(last_.done, phase_first_));
    if (steps > 0.0 && elapsed > 0.0) {
        const double rate = steps / elapsed;
        details.push_back(fmt::format(", {:.3g}/s", rate));
        if (last_.total > last_.done) {
            const auto left = static_cast<double>(last_.total - last_.done);
            details.push_back(fmt::format(", {} left", human_seconds(left / rate)));
        }
    }
    if (last_.objective != 0.0) {
        details.push_back(fmt::format(", objective {:.6g}", last_.objective));
    }
    if (style_ == Style::Log) {
        return fmt::format("{}{}{}", phase, count, fmt::join(details, ""));
    }
    // One cell less than the width: a full last column makes some terminals wrap.
    const std::size_t width = terminal_width() - 1;
    const double share = counted ? static_cast<double>(last_.done) / static_cast<double>(last_.total) : 0.0;
    const std::string drawn = counted ? fmt::format(" {} {:3.0f}%", bar(share), 100.0 * share) : "";
    for (;; details.pop_back()) {
        std::string text = fmt::format("{}{}{}{}", phase, drawn, count, fmt::join(details, ""));
        if (text.size() <= width) {
            return text;
        }
        if (details.empty()) {
            return (phase + count).substr(0, width);
        }
    }
}

void ProgressLine::show(Clock::time_point now) {
    last_shown_ = now;
    last_is_shown_ = true;
    const std::string text = describe();
    if (style_ == Style::Log) {
        print_on_stderr(text + '\n');
        return;
    }
    print_on_stderr(fmt::format("\r{}\033[K", text));  // "\033[K" erases the rest of the line
    drawn_ = true;
}

void ProgressLine::end_phase() {
    if (style_ == Style::Log && !last_is_shown_) {
        show(last_time_);
    }
}

void ProgressLine::end() {
    end_phase();
    clear();
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

Session::Session(const CommonOptions& options, Interrupts& interrupts, const Ranks& ranks, FileRecord& files)
    : options_(options),
      interrupts_(interrupts),
      files_(files),
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
    if (path == standard_stream && options_.json) {
        throw UsageError("-: --json writes to standard output, too: leave it out, or name a file");
    }
    {
        const auto held = while_writing();  // the other thread may be reading them
        files_.add(path);
    }
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
    files_.inputs_are_read();
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

void add_costs(Json& json, const Session& session) {
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
}

void add_run(Json& json, const Summary& summary, const Session& session) {
    add_summary(json, summary);
    add_costs(json, session);
}

std::string costs_text(const Summary& summary, const Session& session, const std::string& phases) {
    return fmt::format("{}{}, {} threads, peak memory {}\n", human_seconds(session.seconds()), phases, summary.threads,
                       human_bytes(peak_memory_bytes()));
}

std::uint64_t peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) {
            return kibibytes * 1024;
        }
    }
    // A root without /proc: at least the memory that the parent had when it started this process.
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace isogon::cli
