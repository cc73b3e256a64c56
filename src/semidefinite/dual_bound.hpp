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

/// Bounds on the trace from multipliers. Where the least eigenvalue mu of L(y) is not 1, y is made feasible: by y / mu,
/// or by a step towards weights that are known to be feasible, 1 / d_a.
class DualBound {
public:
    DualBound(const DistanceGraph& graph, std::uint64_t seed, const RunContext& context);

    /// An upper bound on the trace; infinite if y gives none. `least` is L(y)'s.
    [[nodiscard]] double from(const std::vector<double>& multipliers, const LeastEigenpair& least) const;

private:
    [[nodiscard]] double value(const std::vector<double>& multipliers) const;

    const DistanceGraph& graph_;
    std::vector<double> feasible_;  ///< weights, of which any multiple may be added
    LeastEigenpair least_;          ///< least eigenpair of their Laplacian
};

/// The largest |y_i - y_j|^2 / d_a, but at least 1: outputs divided by its root pass no distance. The constraints are
/// in the unit of the outputs' squares.
[[nodiscard]] double largest_stretch(const MultiVector<double>& outputs, const DistanceConstraints& constraints);

/// The result of a method that found outputs, a bound and a status: outputs are centred, scaled so that they pass no
/// distance, rotated to their principal axes (the component of largest magnitude of each is positive), and checked
/// against all constraints, which gives gap, status and message.
[[nodiscard]] Unfolding finished_unfolding(Unfolding found, const DistanceConstraints& constraints, double tolerance,
                                           const RunContext& context);

}  // namespace isogon
