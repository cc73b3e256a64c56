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

    /// Bytes that the constructor takes, with the pattern that stays.
    [[nodiscard]] static std::uint64_t order_bytes(const DistanceGraph& graph, Index columns);
    [[nodiscard]] double operations() const;    ///< multiplications of one elimination
    [[nodiscard]] std::uint64_t bytes() const;  ///< bytes of matrix and factor

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

/// The inner minimisation of the low-rank solver over outputs R of a distance graph: the augmented Lagrangian
///     -sum_v m_v |r_v|^2 + sum_a h(y_a + sigma_a (|r_i - r_j|^2 - d_a)) / sigma_a
/// with h' the force of pull_at(), minimised over centred R by Newton steps at fixed multipliers y. Penalties sigma and
/// roundings are chosen by one number each, whatever the unit and the lengths of edges: forces that balance the pull
/// have sum_a y_a d_a = trace, so trace / (m d_a) is a typical force, and `stiffness` is the growth of a force, in
/// typical forces, when the violation equals d_a.
class Stretching {
public:
    /// The context must outlive it. Throws InvalidArgument where a factor would take more than 1e11 operations,
    /// LimitExceeded where it would not fit the memory limit.
    Stretching(const DistanceGraph& graph, MultiVector<double> outputs, const RunContext& context);

    /// Newton steps until the next would gain less than that share of the trace, or the limit is reached. Returns their
    /// number; checks for cancellation between them.
    std::int64_t descend(double least_gain, std::int64_t steps);
    /// Sets the multipliers to the forces, and the stiffness relative to the current trace.
    void update(double stiffness, double rounding);
    /// Rotates R to its principal axes, drops columns beyond the `fewest` that hold less than that share of the trace,
    /// and adds `column` if it is not empty, shorter than the others.
    void reshape(Index fewest, double least_share, const std::vector<double>& column);

    /// Whether one column more would still have a factor that fits.
    [[nodiscard]] bool may_grow() const;

    [[nodiscard]] const MultiVector<double>& outputs() const { return outputs_; }
    [[nodiscard]] const std::vector<double>& forces() const { return forces_; }
    [[nodiscard]] const std::vector<double>& excess() const { return excess_; }  ///< |r_i - r_j|^2 - d_a
    [[nodiscard]] double trace() const;

    static constexpr double first_stiffness = 30.0;  ///< with a rounding of 3 a sheet then unfolds without a crease
    static constexpr double first_rounding = 3.0;

    static constexpr double most_operations = 1e11;  ///< a minute or two per step, which cannot be interrupted

private:
    void evaluate();
    void prepare_system();
    [[nodiscard]] double newton_direction();
    [[nodiscard]] double exact_step(double slope);
    [[nodiscard]] double usual_force(std::size_t a) const;

    const DistanceGraph& graph_;
    const RunContext& context_;
    MultiVector<double> outputs_;
    MultiVector<double> gradient_;
    MultiVector<double> direction_;
    std::unique_ptr<NewtonSystem> system_{};
    std::vector<double> multipliers_;
    std::vector<double> penalties_;
    std::vector<double> roundings_;
    std::vector<double> excess_;
    std::vector<double> forces_;
    std::vector<double> stiffness_;  ///< 4 sigma h'': the Hessian's term of an edge
    std::vector<double> held_;       ///< forces, and the terms that make the Hessian positive definite
    std::vector<double> linear_;     ///< |r_i - r_j|^2 along the direction: linear and
    std::vector<double> quadratic_;  ///< quadratic coefficients
    double last_trace_ = 0.0;        ///< when penalties were chosen
    double shift_ = 0.0;             ///< share of the usual forces that was sufficient last
    bool shift_was_needed_ = false;  ///< a quarter of it was not sufficient
};

}  // namespace isogon
