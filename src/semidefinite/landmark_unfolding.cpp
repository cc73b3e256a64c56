#include "semidefinite/landmark_unfolding.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "semidefinite/distance_monitor.hpp"

namespace isogon {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// F with F F^T = X, columns orthogonal and descending, without the directions in which X is negative by rounding.
DenseMatrix root_of(const DenseMatrix& x) {
    constexpr double least_share = 1e-15;
    const SmallEigen eigen = symmetric_eigen(x, SpectrumOrder::Largest);
    const auto kept =
        static_cast<std::size_t>(std::count_if(eigen.values.begin(), eigen.values.end(), [&](double value) {
            return value > least_share * eigen.values.front();
        }));
    DenseMatrix root(x.rows, eigen.values.front() > 0.0 ? kept : 0);
    for (std::size_t k = 0; k < root.columns; ++k) {
        for (std::size_t l = 0; l < root.rows; ++l) {
            root(l, k) = eigen.vectors(l, k) * std::sqrt(eigen.values[k]);
        }
    }
    return root;
}

/// For each point, the landmark with the largest weight.
std::vector<Index> surroundings(const MultiVector<double>& reconstruction) {
    std::vector<Index> nearest(reconstruction.rows());
    for (Index i = 0; i < reconstruction.rows(); ++i) {
        const double* row = reconstruction.row(i);
        nearest[i] = static_cast<Index>(std::max_element(row, row + reconstruction.columns()) - row);
    }
    return nearest;
}

/// The relative gap between value and bound, independent of the unit.
double gap_of(const Unfolding& unfolding) {
    const double sum = unfolding.bound + unfolding.trace;
    return std::isfinite(sum) ? std::max(0.0, unfolding.bound - unfolding.trace) / sum : 1.0;
}

class Rounds {
public:
    Rounds(const MultiVector<double>& reconstruction, const DistanceConstraints& constraints,
           const LandmarkUnfoldingOptions& options, const RunContext& context)
        : options_(options),
          context_(context),
          constraints_(constraints),
          basis_(centred_basis(reconstruction, context)),
          monitor_(basis_, constraints, context),
          nearest_(surroundings(reconstruction)),
          landmarks_(reconstruction.columns()),
          states_(constraints.size(), State::Unseen) {
        result_.unfolding.bound = infinity;
    }

    [[nodiscard]] LandmarkUnfolding run() {
        begin();
        while (!done_) {
            const SemidefiniteSolution solution = solve_round();
            look_at(solution);
        }
        finish();
        return std::move(result_);
    }

private:
    enum class State : char { Unseen, Monitored, Dropped, Kept };

    /// The constraints without which there is no bound.
    void begin() {
        const PhaseTimer timer(result_.summary, "monitoring");
        const std::vector<std::size_t> first = monitor_.spanning();
        if (first.size() < basis_.columns()) {
            end(SemidefiniteStatus::Unbounded, "distances do not join all points: some could go as far as they like");
        }
        for (const std::size_t a : first) {
            add(a);
        }
    }

    void add(std::size_t a) {
        result_.passed_constraints += states_[a] == State::Unseen ? 1 : 0;
        states_[a] = states_[a] == State::Dropped ? State::Kept : State::Monitored;
        monitored_.push_back(a);
    }

    [[nodiscard]] SemidefiniteSolution solve_round() {
        const PhaseTimer timer(result_.summary, "solver");
        std::sort(monitored_.begin(), monitored_.end());
        program_ = {.objective = identity_matrix(basis_.columns()),
                    .vectors = monitor_.vectors(monitored_),
                    .values = std::vector<double>(monitored_.size(), 1.0),
                    .shortfall_price = 0.0};
        return solve(program_, options_.solver, context_);
    }

    void look_at(const SemidefiniteSolution& solution) {
        const PhaseTimer timer(result_.summary, "monitoring");
        Unfolding& best = result_.unfolding;
        best.iterations += solution.iterations;
        if (solution.y.size() == monitored_.size()) {
            best.bound = std::min(best.bound, monitor_.unit() * trace_bound(program_.vectors, solution.y));
        }
        const double violated = take(solution);
        ++result_.rounds;
        tell(violated);
        if (solution.status == SemidefiniteStatus::Interrupted || context_.interruption()) {
            end(SemidefiniteStatus::Interrupted, "ended in a round");
        } else if (violated <= options_.tolerance) {
            settle("nothing is violated, but the solver did not come to an end");
        } else if (result_.rounds >= options_.rounds) {
            end(SemidefiniteStatus::NotConverged, "constraints are still violated after all rounds");
        } else {
            drop(solution);
            if (!add_violated()) {
                settle("the solver passes bounds that it was given");
            }
        }
    }

    /// The measured gap decides, not the solver's own status.
    void settle(const std::string& trouble) {
        const double gap = gap_of(result_.unfolding);
        const bool solved = gap <= 2.0 * options_.tolerance;
        end(solved ? SemidefiniteStatus::Solved : SemidefiniteStatus::NotConverged, solved ? "" : trouble);
    }

    /// Scales a solution until all bounds hold, keeps it if it is the best, and returns by how much bounds were
    /// exceeded.
    double take(const SemidefiniteSolution& solution) {
        DenseMatrix root = solution.x.rows == basis_.columns() ? root_of(solution.x) : DenseMatrix();
        if (root.columns == 0) {
            // X is zero up to rounding. Every bound counts as violated, those of long pairs most.
            ratios_ = monitor_.ratios(basis_);
            std::transform(ratios_.begin(), ratios_.end(), ratios_.begin(), [](double ratio) { return 2.0 + ratio; });
            return infinity;
        }
        ratios_ = monitor_.ratios(multiply(basis_, root, context_));
        const double largest = *std::max_element(ratios_.begin(), ratios_.end());
        const double scale = 1.0 / std::sqrt(largest);
        double trace = 0.0;
        for (double& value : root.values) {
            value *= scale;
            trace += value * value;
        }
        // Ratios are those of a unit in which X = unit: lengths of P F itself.
        for (double& ratio : ratios_) {
            ratio *= monitor_.unit();
        }
        if (std::isfinite(trace) && trace > result_.unfolding.trace) {
            result_.unfolding.trace = trace;
            root_ = std::move(root);
        }
        return std::max(0.0, largest * monitor_.unit() - 1.0);
    }

    void tell(double violated) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
        result_.summary.trace.push_back(
            {static_cast<int>(result_.rounds), result_.unfolding.trace, violated, seconds.count()});
        context_.report({"unfolding", static_cast<std::uint64_t>(result_.rounds),
                         static_cast<std::uint64_t>(options_.rounds), result_.unfolding.trace});
    }

    /// Constraints with slack and a negligible multiplier. Each is dropped once only, so that the rounds end.
    void drop(const SemidefiniteSolution& solution) {
        constexpr double slack = 0.9;
        constexpr double least_price = 1e-6;  // share of the mean
        if (solution.y.size() != monitored_.size()) {
            return;
        }
        const double mean =
            std::accumulate(solution.y.begin(), solution.y.end(), 0.0) / static_cast<double>(monitored_.size());
        std::vector<std::size_t> left;
        for (std::size_t k = 0; k < monitored_.size(); ++k) {
            const std::size_t a = monitored_[k];
            if (states_[a] == State::Monitored && ratios_[a] < slack && solution.y[k] < least_price * mean) {
                states_[a] = State::Dropped;
            } else {
                left.push_back(a);
            }
        }
        monitored_ = std::move(left);
    }

    /// The most violated, a few from the surroundings of each landmark.
    bool add_violated() {
        constexpr Index most_of_one = 3;
        std::vector<std::size_t> violated;
        for (std::size_t a = 0; a < ratios_.size(); ++a) {
            if (ratios_[a] > 1.0 + options_.tolerance && !is_monitored(a)) {
                violated.push_back(a);
            }
        }
        std::stable_sort(violated.begin(), violated.end(),
                         [&](std::size_t a, std::size_t b) { return ratios_[a] > ratios_[b]; });
        std::vector<Index> taken(landmarks_, 0);
        for (const std::size_t a : violated) {
            if (taken[nearest_[constraints_.pairs[a].first]]++ < most_of_one) {
                add(a);
            }
        }
        return !violated.empty();
    }

    [[nodiscard]] bool is_monitored(std::size_t a) const {
        return states_[a] == State::Monitored || states_[a] == State::Kept;
    }

    void end(SemidefiniteStatus status, std::string message) {
        result_.unfolding.status = status;
        result_.unfolding.message = std::move(message);
        done_ = true;
    }

    void finish() {
        result_.monitored = monitored_.size();
        if (!root_) {
            return;
        }
        const PhaseTimer timer(result_.summary, "outputs");
        Unfolding& best = result_.unfolding;
        best.outputs = multiply(basis_, *root_, context_);
        for (std::size_t k = 0; k < root_->columns; ++k) {
            double sum = 0.0;
            for (std::size_t l = 0; l < root_->rows; ++l) {
                sum += (*root_)(l, k) * (*root_)(l, k);
            }
            best.eigenvalues.push_back(sum);
        }
        best.gap = gap_of(best);
        const std::vector<double> ratios = monitor_.ratios(best.outputs);
        best.largest_violation = std::max(0.0, *std::max_element(ratios.begin(), ratios.end()) - 1.0);
    }

    const LandmarkUnfoldingOptions& options_;
    const RunContext& context_;
    const DistanceConstraints& constraints_;
    MultiVector<double> basis_;
    DistanceMonitor monitor_;
    std::vector<Index> nearest_;
    Index landmarks_;
    std::vector<State> states_;
    std::vector<std::size_t> monitored_{};
    SemidefiniteProgram program_{};
    std::vector<double> ratios_{};  ///< ratios of the last round's solution, as the solver returned it
    std::optional<DenseMatrix> root_{};
    LandmarkUnfolding result_{};
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool done_ = false;
};

}  // namespace

LandmarkUnfolding landmark_unfolding(const MultiVector<double>& reconstruction, const DistanceConstraints& constraints,
                                     const LandmarkUnfoldingOptions& options, const RunContext& context) {
    if (reconstruction.columns() < 2 || reconstruction.rows() < reconstruction.columns()) {
        throw InvalidArgument("landmarks", std::to_string(reconstruction.columns()),
                              "must be at least 2, and at most as many as points");
    }
    require_memory(context,
                   {{"the unfolding of landmarks",
                     landmark_unfolding_bytes(reconstruction.rows(), reconstruction.columns(), constraints.size())}},
                   "raise the limit, or take fewer landmarks or neighbours");
    throw_if_cancelled(context);
    return Rounds(reconstruction, constraints, options, context).run();
}

std::uint64_t landmark_unfolding_bytes(Index points, Index landmarks, std::size_t constraints) {
    return 3 * MultiVector<double>::bytes(points, landmarks) + std::uint64_t{points} * sizeof(Index) +
           std::uint64_t{constraints} * (3 * sizeof(double) + 1);
}

}  // namespace isogon
