#include "session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "isogon/io/abandoned_files.hpp"
#include "standard_streams.hpp"

namespace isogon::cli {

namespace {

bool is_first(const Team* team) {
    return team == nullptr || team->rank() == 0;
}

}  // namespace

bool Session::leads() const {
    return is_first(team_);
}

Session::Session(const CommonOptions& options, Interrupts& interrupts, const Ranks& ranks, OutputRecord& outputs)
    : options_(options),
      interrupts_(interrupts),
      outputs_(outputs),
      progress_(options.quiet || !is_first(ranks.team()) ? ProgressLine::Style::Silent : progress_style_for_stderr()),
      context_(make_context(options, interrupts.token())),
      ranks_(ranks),
      team_(ranks.team()) {
    options_.quiet = options.quiet || !leads();
    context_.on_iteration = [this](const Progress& progress) { progress_.update(progress); };
}

RunContext Session::shared_context() const {
    RunContext shared = context_;
    shared.team = team_;
    return shared;
}

double Session::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::log(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: {}\n", sentence));
    }
}

void Session::warn(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: warning: {}\n", sentence));
    }
}

void Session::expect_output(const std::string& path) {
    outputs_.add(path);
    const auto folder = std::filesystem::path(path).parent_path();
    remove_leftovers(folder.empty() ? "." : folder);
}

void Session::remove_leftovers(const std::filesystem::path& folder) {
    if (const std::size_t left = leads() ? remove_abandoned(folder) : 0; left > 0) {
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
    if (context_.memory_limit) {
        require_memory(context_, {{what, bytes}}, remedy);
        *context_.memory_limit -= bytes;
        reserved_ += bytes;
    }
}

std::string Session::limit_note() const {
    if (!context_.memory_limit || reserved_ == 0) {
        return {};
    }
    return fmt::format(" (--memory-limit {}, of which the input takes {})",
                       human_bytes(*context_.memory_limit + reserved_), human_bytes(reserved_));
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace isogon::cli
