#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "semidefinite/distance_graph.hpp"

namespace isogon {

/// The Hessian of an unfolding's augmented Lagrangian and its factor:
///     H = 2 (L(forces) - M) x I + sum_a stiffness_a (e_i - e_j)(e_i - e_j)^T x d_a d_a^T,
/// d_a = r_i - r_j, M the masses: n r unknowns in r x r blocks. Centring, +2 m m^T / |m|, is omitted, because it would
/// make H dense: H makes -2 m of constants, so what is orthogonal to constants is solved by what is centred, and among
/// those H is positive definite just where its factor L D L^T has r negative pivots, one for each direction in which
/// all points may move.
class NewtonSystem {
public:
    /// Finds the pattern and the order of elimination. `columns`: r.
    NewtonSystem(const DistanceGraph& graph, Index columns);
    ~NewtonSystem();
    NewtonSystem(const NewtonSystem&) = delete;
    NewtonSystem& operator=(const NewtonSystem&) = delete;

    /// What the constructor takes, with the pattern that stays.
    [[nodiscard]] static std::uint64_t order_bytes(const DistanceGraph& graph, Index columns);
    [[nodiscard]] double operations() const;    ///< multiplications of one elimination
    [[nodiscard]] std::uint64_t bytes() const;  ///< of matrix and factor

    /// Assembles and factors H; false unless it is positive definite on centred outputs.
    [[nodiscard]] bool factor(const MultiVector<double>& outputs, const std::vector<double>& forces,
                              const std::vector<double>& stiffness, const RunContext& context);
    /// x := H^-1 x, for x orthogonal to constants.
    void solve(MultiVector<double>& x) const;

private:
    struct Parts;
    void fill_node(std::size_t v, const MultiVector<double>& outputs, const std::vector<double>& forces,
                   const std::vector<double>& stiffness);

    const DistanceGraph& graph_;
    Index columns_;
    std::unique_ptr<Parts> parts_;
};

}  // namespace isogon
