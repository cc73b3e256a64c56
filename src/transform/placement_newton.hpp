#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// g(u) near an anchor: the fitted points with a residual there. Since |u.u_j - anchor.u_j| <= |u - anchor|, the sum
/// over the members equals the sum over all points while |u - anchor| is at most a margin, if all points with
/// anchor.u_j > tau - margin are members.
struct SphereProblem {
    std::vector<Index> members{};  ///< the support, then the near misses
    std::vector<float> targets{};  ///< c_j of the support
    Eigen::VectorXd anchor{};      ///< of length 1
    double reach = 0.0;            ///< largest |u - anchor|
};

/// The iterate of a row.
struct SphereState {
    Eigen::VectorXd u{};  ///< of length 1
    int steps = 0;
    bool settled = false;
};

/// Newton steps along great circles that never increase g. With A the rows u_j of active members, r their residuals
/// and P the projection on the tangent space, the Hessian is 2 (P A^T A P - (u . A^T r) P): the Gauss-Newton matrix
/// plus a multiple of P. One object serves one thread: it keeps scratch memory, no state between rows.
class SphereNewton {
public:
    /// `directions` hold the u_j and must outlive this.
    SphereNewton(const MultiVector<float>& directions, double threshold, int most_steps, double tolerance);

    /// Steps until the row converges, reaches the limit of steps, or a step would exceed the reach of the anchor. Time
    /// O(k d^2 + d^3) a step for k active members.
    void advance(const SphereProblem& problem, SphereState& state);
    /// g at u, over the members; the products are float32.
    [[nodiscard]] double value(const SphereProblem& problem, const Eigen::VectorXd& u);

    /// Bytes of scratch for at most `members` of `dimension` coordinates.
    [[nodiscard]] static std::uint64_t bytes(Index members, Index dimension);

private:
    enum class Outcome { Moved, Settled, OutOfReach };
    /// The change of g along the arc, and its slope.
    struct Arc {
        double rise = 0.0;
        double slope = 0.0;  ///< half the derivative by the angle
    };

    [[nodiscard]] double residual(const SphereProblem& problem, std::size_t k, double product) const;
    void multiply_members(const SphereProblem& problem, const Eigen::VectorXd& vector);
    void linearize(const SphereProblem& problem, const Eigen::VectorXd& u);
    void add_gathered(Index count);
    [[nodiscard]] Arc along_arc(const SphereProblem& problem, double angle) const;
    [[nodiscard]] double search_arc(const SphereProblem& problem, double farthest, double first_slope) const;
    [[nodiscard]] Eigen::VectorXd newton_step(const Eigen::VectorXd& u) const;
    [[nodiscard]] Outcome step(const SphereProblem& problem, SphereState& state);
    void move(SphereState& state, const Eigen::VectorXd& direction, double angle);

    const MultiVector<float>& directions_;
    double threshold_;
    int most_steps_;
    double tolerance_;
    MultiVector<float> padded_;     ///< one row: u, or a move of it, in float32
    MultiVector<float> gathered_;   ///< active members, in batches
    std::vector<double> products_;  ///< u.u_j of the members
    std::vector<float> changes_;    ///< products with what is in padded_
    Eigen::MatrixXd normal_;        ///< A^T A, lower triangle
    Eigen::VectorXd pull_;          ///< A^T r
    double scale_ = 0.0;            ///< mean eigenvalue of A^T A
};

}  // namespace isogon
