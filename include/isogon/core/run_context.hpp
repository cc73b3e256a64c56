#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon {

/// The reason for the end of a run.
enum class Termination { Converged, IterationLimit, TimeLimit, Cancelled, Stalled, NumericalFailure };

/// Whether the context ended the run.
[[nodiscard]] constexpr bool was_interrupted(Termination end) {
    return end == Termination::Cancelled || end == Termination::TimeLimit;
}

/// The reason as the word that JSON and messages use: "converged", "iteration-limit", ...
[[nodiscard]] std::string_view name(Termination reason);

/// One line of the trace. `objective` and `change` are relative to quantities that the method's page names.
struct IterationRecord {
    int iteration = 0;
    double objective = 0.0;
    double change = 0.0;
    double seconds = 0.0;  ///< since the run began
};

/// Times, counts and measures of a run, and the reason for its end. Every method returns one; only the seconds depend
/// on the number of threads.
struct Summary {
    Termination termination = Termination::Converged;
    std::string message;  ///< one sentence with the numbers behind `termination`
    std::vector<IterationRecord> trace;
    std::vector<std::pair<std::string, double>> seconds;   ///< by phase, in the order they ran
    std::vector<std::pair<std::string, double>> counts;    ///< isolated points, zero vectors, violations, ...
    std::vector<std::pair<std::string, double>> measures;  ///< thresholds, residuals, eigenvalues, ...
    std::vector<Text> warnings;                            ///< plain sentences, each with its remedy
    std::uint64_t seed = 0;
    int threads = 0;

    void count(std::string what, double value) { counts.emplace_back(std::move(what), value); }
    void measure(std::string what, double value) { measures.emplace_back(std::move(what), value); }
    void warn(Text sentence) { warnings.push_back(std::move(sentence)); }

    /// False after a numerical failure: the coordinates must then not be used.
    [[nodiscard]] bool usable() const { return termination != Termination::NumericalFailure; }
    /// The value counted or measured under `what`, or `otherwise` if there is none.
    [[nodiscard]] double value(std::string_view what, double otherwise = 0.0) const;
};

/// Adds the seconds between its construction and its destruction to a phase of the summary. The constructor adds the
/// phase, so that the destructor allocates no memory. The times of phases of the same name are added.
class PhaseTimer {
public:
    PhaseTimer(Summary& summary, std::string phase);
    ~PhaseTimer();
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

private:
    Summary& summary_;
    std::string phase_;
    std::chrono::steady_clock::time_point start_;
};

class Points;

/// The arguments of the progress callback.
struct Progress {
    std::string phase{};     ///< "similarities", "matching", ...
    std::uint64_t done = 0;  ///< steps done of `total`, in steps of the phase
    std::uint64_t total = 0;
    double objective = 0.0;  ///< 0 in phases without an objective
    /// For tsne, umap, pca2, lle2, tsm and faithful: the coordinates of all points as they are now, those that an
    /// end of the run at this step would return. To be called before the callback returns, or not at all. Empty in
    /// other phases.
    std::function<Points()> coordinates{};
};

/// How to run, as opposed to what to compute: nothing in here changes a result, except by ending a run early.
struct RunContext {
    int threads = 0;  ///< 0: as many as the process may use (core/processors.hpp)
    std::stop_token stop{};
    /// Called between iterations, only ever from the thread that called the solver.
    std::function<void(const Progress&)> on_iteration{};
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::optional<std::uint64_t> memory_limit{};  ///< bytes that the method may allocate beyond its input
    std::uint64_t memory_held = 0;                ///< bytes held by the caller, added to each need that is stated
    /// Called with memory_held plus the need whenever a memory need is stated, with or without a limit. As
    /// on_iteration, only from the thread that called the solver.
    std::function<void(std::uint64_t bytes)> on_need{};
    /// For a run that several processes share (module distributed sets it): the reason why all of them have to end it
    /// now, of the reason that this process has. All of them must ask at the same time.
    std::function<std::optional<Termination>(std::optional<Termination> own)> agree_on_stop{};

    /// The number of threads that a run uses.
    [[nodiscard]] int thread_count() const;
    /// Sets the deadline that many seconds from now; none from 1e9 on. Throws InvalidArgument for NaN.
    void limit_seconds(double seconds);
    /// The reason why the run has to end now, if there is one. Of this process alone.
    [[nodiscard]] std::optional<Termination> interruption() const;
    void report(const Progress& progress) const;
};

/// Ends a run, or a phase of one that has no partial result: methods catch it and report the reason in the Summary;
/// functions without a Summary do not catch it.
class Interruption : public std::exception {
public:
    explicit Interruption(Termination why) noexcept : reason(why) {}
    [[nodiscard]] const char* what() const noexcept override {
        return reason == Termination::TimeLimit ? "stopped by the time limit" : "cancelled";
    }

    Termination reason;
};

/// Throws Interruption if the context ended a run of which a part serves nobody.
inline void throw_if_interrupted(Termination end) {
    if (was_interrupted(end)) {
        throw Interruption{end};
    }
}

/// Throws Interruption if the run has to end now; with agree_on_stop in all processes at the same place if any of them
/// has to. It must then not be called within a parallel loop.
void throw_if_cancelled(const RunContext& context);

/// For the bodies of parallel loops: throws Interruption if the run has to end now, but never with agree_on_stop: the
/// processes agree on the end of a run after the loop.
void throw_if_cancelled_in_task(const RunContext& context);

/// One item of a memory estimate: its name and its maximal size in bytes.
struct MemoryItem {
    std::string what{};
    std::uint64_t bytes = 0;
};

/// Call it before memory is allocated. Reports the need to the context's on_need. Throws LimitExceeded, which names the
/// need, the limit, the largest item and the `remedy`, if the sum exceeds the context's limit. Returns the sum in
/// bytes.
std::uint64_t require_memory(const RunContext& context, const std::vector<MemoryItem>& items, const Text& remedy);

/// The context of a step during which the caller holds so many bytes: reduces the limit, and adds them to its needs.
[[nodiscard]] RunContext beside(const RunContext& context, std::uint64_t bytes);
/// The context of a step whose need the caller has stated with its own: the step reports no need.
[[nodiscard]] RunContext already_stated(const RunContext& context);
/// The context without its stop request and its deadline: for reading the result of an interrupted run, about a second.
[[nodiscard]] RunContext uninterrupted(const RunContext& context);

/// "1.5 GB": bytes in powers of 1000, three digits.
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);

}  // namespace isogon
