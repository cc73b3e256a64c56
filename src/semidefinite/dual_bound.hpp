#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "semidefinite/distance_graph.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

/// The smallest eigenvalue of L(weights) v = mu M v among v with m.v = 0, M the masses.
struct LeastEigenpair {
    double value = 0.0;
    double residual = 0.0;         ///< |M^-1/2 (L v - mu M v)|: an eigenvalue is within that of `value`
    std::vector<double> vector{};  ///< v^T M v = 1

    /// A lower bound of the eigenvalue despite rounding and an early end.
    [[nodiscard]] double sure() const { return value - residual; }
};

/// Searches a block Krylov space of (L + shift M)^-1, which some fifteen products fill: wanted eigenvalues are next to
/// 1, the others far above. O(fill of the factor + 60^2 n); on one thread. Memory 180 vectors and a factor.
[[nodiscard]] LeastEigenpair least_eigenpair(const DistanceGraph& graph, const std::vector<double>& weights,
                                             std::uint64_t seed, const RunContext& context);

/// Bounds on the trace from multipliers. Where the least eigenvalue mu of L(y) is not 1, y is made feasible: for Equal
/// and AtMost by y / mu; where mu is not positive, and for Slack, whose multipliers must stay within the price, by a
/// step towards weights that are known to be feasible, 1 / d_a or the price itself.
class DualBound {
public:
    DualBound(const DistanceGraph& graph, MultiplierRule rule, std::uint64_t seed, const RunContext& context);

    /// Whether the program is unbounded with this penalty of Slack.
    [[nodiscard]] bool unbounded() const;
    /// An upper bound on the trace; infinite if y gives none. `least` is L(y)'s.
    [[nodiscard]] double from(const std::vector<double>& multipliers, const LeastEigenpair& least) const;

private:
    [[nodiscard]] double value(const std::vector<double>& multipliers) const;

    const DistanceGraph& graph_;
    MultiplierRule rule_;
    std::vector<double> feasible_;  ///< weights; for Equal and AtMost any multiple of them may be added
    LeastEigenpair least_;          ///< least eigenpair of their Laplacian
};

/// How well outputs satisfy the constraints.
struct KeptDistances {
    double scale = 1.0;              ///< at most 1: the scaling at which every AtMost holds
    double paid = 0.0;               ///< prices of Slack
    double largest_violation = 0.0;  ///< the same as in Unfolding, before the scaling
};

/// The constraints are in the unit of the outputs' squares.
[[nodiscard]] KeptDistances kept_distances(const MultiVector<double>& outputs, const DistanceConstraints& constraints,
                                           const MultiplierRule& rule);

/// The result of a method that found outputs, a bound and a status: outputs are centred, scaled so that every AtMost
/// holds, rotated to their principal axes (the component of largest magnitude of each is positive), and checked against
/// all constraints, which gives gap, status and message.
[[nodiscard]] Unfolding finished_unfolding(Unfolding found, const DistanceConstraints& constraints,
                                           const MultiplierRule& rule, double tolerance, const RunContext& context);

}  // namespace isogon
