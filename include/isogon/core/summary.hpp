#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon {

/// The reason for the end of a run.
enum class Termination { Converged, IterationLimit, TimeLimit, Cancelled, Stalled, NumericalFailure };

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

}  // namespace isogon
