#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"
#include "transform/newton_kernel.hpp"
#include "transform/placement.hpp"

namespace isogon {

/// The fitted points that are nonzero in both spaces, in the layouts of the kernels. A place is an index among them,
/// in the order in which they were given.
struct FittedDirections {
    /// Throws InputError if no point is left.
    FittedDirections(const PointsView& x, const PointsView& y, const RunContext& context);

    PackedPoints inputs;            ///< x_j / |x_j|
    PackedPoints outputs;           ///< y_j / |y_j|
    MultiVector<float> directions;  ///< y_j / |y_j| by rows

    [[nodiscard]] Index count() const { return inputs.count(); }
    [[nodiscard]] static std::uint64_t bytes(Index count, Index input_dimension, Index output_dimension);
};

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
/// plus a multiple of P. One object serves one thread: it keeps
/// scratch memory, no state between rows.
class SphereNewton {
public:
    /// `directions` hold the u_j and must outlive this.
    SphereNewton(const MultiVector<float>& directions, double threshold, int most_steps, double tolerance);

    /// Steps until the row converges (a step is below the tolerance, or the root of g below a fifth of it), reaches the
    /// limit of steps, or a step would exceed the reach of the anchor. Time O(k d^2 + d^3) a step for k active members,
    /// O(k^2 d + k^3) where they are few.
    void advance(const SphereProblem& problem, SphereState& state);
    /// g at u, over the members; the products are float32.
    [[nodiscard]] double value(const SphereProblem& problem, const Eigen::VectorXd& u);

    /// Bytes of scratch for at most `members` of `dimension` coordinates.
    [[nodiscard]] static std::uint64_t bytes(Index members, Index dimension);

private:
    enum class Outcome { Moved, Settled, OutOfReach };

    void set_bounds(const SphereProblem& problem);
    void multiply_members(const SphereProblem& problem, const double* vector);
    void find_residuals();
    void find_active(const SphereProblem& problem);
    void linearize(const SphereProblem& problem);
    void multiply_columns();
    void multiply_rows();
    [[nodiscard]] static ArcPoint arc_point(double angle);
    [[nodiscard]] ArcSums along_arc(double angle) const;
    [[nodiscard]] double search_arc(double farthest, double first_slope) const;
    void newton_step();
    [[nodiscard]] bool solve_by_coordinates(double shift);
    [[nodiscard]] bool solve_by_members(double shift);
    [[nodiscard]] Outcome step(const SphereProblem& problem, SphereState& state);
    void move(SphereState& state, double angle);

    // Vectors of stride_ numbers, zero from d on.
    [[nodiscard]] double* at() { return vectors_.data(); }                      ///< u
    [[nodiscard]] double* direction() { return vectors_.data() + stride_; }     ///< the step, then its direction
    [[nodiscard]] double* pull() { return vectors_.data() + 2 * stride_; }      ///< A^T r
    [[nodiscard]] double* gradient() { return vectors_.data() + 3 * stride_; }  ///< -P A^T r
    // Vectors of as many numbers as there are coordinates or, where these are fewer, active members.
    [[nodiscard]] double* of_u() { return vectors_.data() + 4 * stride_; }      ///< A^T A u, or A u
    [[nodiscard]] double* removed() { return vectors_.data() + 5 * stride_; }   ///< v of the system
    [[nodiscard]] double* right() { return vectors_.data() + 6 * stride_; }     ///< r of the members
    [[nodiscard]] double* solution() { return vectors_.data() + 7 * stride_; }  ///< of the members' system
    [[nodiscard]] double* scratch() { return vectors_.data() + 8 * stride_; }   ///< two of them
    static constexpr std::size_t vectors_held = 10;

    /// A row of A, and what belongs to it.
    struct ActiveMember {
        const float* row;
        double residual;  ///< the entry of r
        double product;   ///< of A u
    };

    const MultiVector<float>& directions_;
    double threshold_;
    int most_steps_;
    double tolerance_;
    std::size_t stride_;
    MultiVector<float> padded_;      ///< one row: u, or a move of it, in float32
    MultiVector<float> gathered_;    ///< rows of A, in batches
    AlignedArray<double> columns_;   ///< columns of A, and u as one row more, where its rows are few
    std::size_t size_ = 0;           ///< of the arrays of members, padding included
    AlignedArray<double> products_;  ///< u.u_j of the members
    AlignedArray<float> changes_;    ///< products with what is in padded_
    ResidualBounds bounds_;
    AlignedArray<double> residuals_;
    AlignedArray<double> normal_;  ///< A^T A or A A^T, on and above the diagonal
    AlignedArray<double> factor_;  ///< room for two matrices
    AlignedArray<double> vectors_;
    double scale_ = 0.0;    ///< mean eigenvalue of A^T A
    double squares_ = 0.0;  ///< g
    std::vector<ActiveMember> active_{};
    bool by_members_ = false;  ///< they are few: systems of as many numbers
};

/// A fitted point and its cosine with a new one.
struct CosineNeighbor {
    Index place = 0;
    float cosine = 0.0F;
};

/// The descent of one row, from one look at the fitted outputs to the next: each look sets the anchor to the present u
/// and the members beyond the support to those near it.
struct RowDescent {
    SphereProblem problem{};
    SphereState state{};
    Eigen::VectorXd lowest_u{};  ///< the last u at which g was evaluated with the members of a look
    double lowest = std::numeric_limits<double>::infinity();
    bool certain = false;  ///< since then u stayed within certain_reach, so g is known not to have increased

    [[nodiscard]] bool is_moving(int most_steps) const {
        return !certain || (!state.settled && state.steps < most_steps);
    }
    /// Adds a support. With empty members before.
    void add_support(std::span<const CosineNeighbor> support);
    /// The anchor is the present u, the members are the support alone.
    void reset_anchor();
    /// Advances if the last steps decreased g; else resets it to their start, from then on within certain_reach.
    void advance(SphereNewton& newton);
    [[nodiscard]] bool is_in_support(Index place) const;
};

/// Finds the first row that equals a given one, number by number: 0 equals -0, NaN equals nothing.
class EqualRowLookup {
public:
    /// The rows must outlive this. O(n D) time.
    EqualRowLookup(const PointsView& rows, const RunContext& context);

    /// O(D + log n), as long as few different rows share a hash.
    [[nodiscard]] std::optional<Index> find(std::span<const float> row) const;
    [[nodiscard]] static std::uint64_t bytes(Index count) { return std::uint64_t{count} * sizeof(Entry); }

private:
    using Entry = std::pair<std::uint64_t, Index>;

    PointsView rows_;
    std::vector<Entry> entries_;  ///< by hash, then by index
};

/// The fitted points above tau of a new point, ordered by place, and its nearest points, nearest first (ties by
/// place).
class Neighborhood {
public:
    Neighborhood(double threshold, std::size_t nearest)
        : threshold_(static_cast<float>(threshold)), capacity_(nearest) {}

    /// Adds the next fitted point; to be called by ascending place.
    void offer(CosineNeighbor neighbor);
    /// A cosine at or below this changes nothing.
    [[nodiscard]] float floor() const;

    [[nodiscard]] const std::vector<CosineNeighbor>& support() const { return support_; }
    [[nodiscard]] const std::vector<CosineNeighbor>& nearest() const { return nearest_; }

private:
    std::vector<CosineNeighbor> support_;
    std::vector<CosineNeighbor> nearest_;
    float threshold_;
    std::size_t capacity_;
};

/// Adds every fitted direction to the neighbourhoods of a panel of up to 48 directions, one for each. The result of a
/// row is independent of the other rows. Time 48 m D; memory is that of the neighbourhoods.
void find_neighborhoods(PanelView<float> rows, const PackedPoints& fitted, std::span<Neighborhood> found);

/// Places up to 48 rows at once: their cosines with all fitted inputs; then, until all have settled, their products
/// with all fitted outputs and Newton steps of each. Rows share the products' panel and nothing else.
class PlacementPanel {
public:
    PlacementPanel(const FittedDirections& fitted, double threshold, const PlacementOptions& options);

    /// Directions of the rows, one unit vector of R^d each; `rows` has one panel. Adds to the counts.
    [[nodiscard]] std::vector<SphereState> place(const PackedPoints& rows, PlacementCounts& counts);

    /// Bytes at most, besides what is fitted.
    [[nodiscard]] static std::uint64_t bytes(Index fitted, Index input_dimension, Index output_dimension,
                                             const PlacementOptions& options);

private:
    void find_support(const PackedPoints& rows, PlacementCounts& counts);
    void find_near_misses();

    const FittedDirections& fitted_;
    double threshold_;
    PlacementOptions options_;
    SphereNewton newton_;
    PackedPoints current_;  ///< the u of all rows
    std::vector<RowDescent> rows_;
};

}  // namespace isogon
