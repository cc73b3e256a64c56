#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "isogon/core/run_context.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"
#include "program/process.hpp"
#include "program/ranks.hpp"

namespace isogon::cli {

/// The options of every verb, as the command line spells them.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    bool overwrite = false;              ///< verbs that write only
    std::optional<std::string> threads;  ///< empty: as many as the process may use
    std::optional<std::string> memory_limit;
    std::optional<std::string> time_limit;
    std::string command;  ///< the whole command, for reports
};

void add_common_options(CLI::App& app, CommonOptions& options, bool writes);

/// Throws InvalidArgument for a bad number. The time limit counts from this call.
[[nodiscard]] RunContext make_context(const CommonOptions& options, std::stop_token stop);

/// Progress on stderr: a line that is redrawn on a terminal; in a log a new line when a phase begins, every half
/// minute, and when it ends.
class ProgressLine {
public:
    enum class Style { Silent, Log, Bar };

    explicit ProgressLine(Style style) : style_(style) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void update(const Progress& progress);
    /// Erases the bar, so that other text can be printed.
    void clear();
    /// The work is done: a log tells the last step, the bar goes.
    void end();

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string describe() const;
    void show(Clock::time_point now);
    void end_phase();

    Style style_;
    Progress last_;  ///< its coordinates are not kept
    Clock::time_point last_time_;
    bool last_is_shown_ = true;
    Clock::time_point phase_start_;
    std::uint64_t phase_first_ = 0;  ///< steps that were done when the phase was first seen
    Clock::time_point last_shown_;
    bool drawn_ = false;
};

/// Bar on a terminal, Log elsewhere.
[[nodiscard]] ProgressLine::Style progress_style_for_stderr();

/// One run of one verb: its limits, its stop request, its messages on stderr.
class Session {
public:
    /// Throws InvalidArgument for a bad common option. Of several ranks only rank 0 prints. `files` records those
    /// that the run reads and writes.
    Session(const CommonOptions& options, Interrupts& interrupts, const Ranks& ranks, FileRecord& files);

    /// The context for library calls.
    [[nodiscard]] const RunContext& context() const { return context_; }
    /// All processes of this run.
    [[nodiscard]] RankGroup ranks() const { return ranks_.group(); }
    /// Returns Ranks::sparse().
    [[nodiscard]] const SpectralRanks* sparse_ranks() const { return ranks_.sparse(); }
    /// Whether this process prints and writes: rank 0, or a program without other ranks.
    [[nodiscard]] bool is_root() const { return ranks_.is_root(); }
    [[nodiscard]] bool overwrite() const { return options_.overwrite; }
    [[nodiscard]] const std::string& command() const { return options_.command; }
    /// Held while a file is written.
    [[nodiscard]] std::unique_lock<std::mutex> while_writing() { return interrupts_.while_writing(); }
    [[nodiscard]] double seconds() const;

    /// Registers an output file, before work starts. Removes temporary files of killed runs from its folder.
    void expect_output(const std::string& path);
    /// Removes temporary files of killed runs from a folder, and logs how many.
    void remove_leftovers(const std::filesystem::path& folder);

    void log(std::string_view sentence);
    void warn(std::string_view sentence);
    void end_progress() { progress_.end(); }

    /// Checks the memory of the input against the memory limit, and subtracts it from what the method may use. Throws
    /// LimitExceeded.
    void reserve_for_input(std::uint64_t bytes);
    /// The same for other memory that is held during the fit.
    void reserve(const std::string& what, std::uint64_t bytes, const std::string& remedy);
    /// The largest memory requirement stated so far: the input and everything held at the same time. The program itself
    /// is not included: docs/memory.md.
    [[nodiscard]] std::uint64_t stated_memory_bytes() const { return stated_; }
    /// " (--memory-limit 8 GB, of which the input takes 310 MB)", or nothing if nothing is reserved: the message of the
    /// method names only the remaining limit.
    [[nodiscard]] std::string limit_note() const;

private:
    CommonOptions options_;
    Interrupts& interrupts_;
    FileRecord& files_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    ProgressLine progress_;
    RunContext context_;
    std::uint64_t reserved_ = 0;
    std::uint64_t stated_ = 0;
    const Ranks& ranks_;
};

/// Adds seconds and peak_memory_bytes of the run so far.
void add_costs(Json& json, const Session& session);
/// Adds the fields of add_summary(), then those of add_costs().
void add_run(Json& json, const Summary& summary, const Session& session);
/// "12.3 s, 8 threads, peak memory 310 MB", a line; `phases` of phases_text(), or none, follow the time.
[[nodiscard]] std::string costs_text(const Summary& summary, const Session& session, const std::string& phases = "");

/// Peak memory of this process (VmHWM; not getrusage, whose maximum a process inherits from its parent).
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace isogon::cli
