#pragma once
#include <algorithm>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/pairs/hinge_pass.hpp"

namespace isogon {

/// How much a deviation of a squared distance counts.
enum class DeviationScale {
    Absolute,  ///< all pairs alike: the squared distances of unit vectors are 2 - 2 cos
    Relative,  ///< in squared distances of the pair, so that dense and sparse regions count alike
};

/// The weights a_ij of squared deviations. Absolute: 1/4, so that for unit vectors a deviation is that of a cosine.
/// Relative: near pairs 1 / max(D, r^2 / 20)^2, with the lower bound so that few very near pairs do not outweigh all
/// others; pairs that are too near 1 / r^4. Distances below a thousandth of the mean radius count as that: duplicates
/// have distance 0, and so has the radius of a point with k of them.
class DeviationWeights {
public:
    /// `radii` are squared.
    DeviationWeights(DeviationScale scale, const std::vector<float>& radii);

    [[nodiscard]] double near(double target, double radius) const { return of(std::max(target, 0.05 * radius)); }
    [[nodiscard]] double off(double radius) const { return of(radius); }

private:
    [[nodiscard]] double of(double squared) const {
        const double length = std::max(squared, least_);
        return scale_ == DeviationScale::Absolute ? 0.25 : 1.0 / (length * length);
    }

    DeviationScale scale_;
    double least_ = 0.0;
};

/// The pairs to keep: squared distances of some pairs i < j, and for each point the squared radius r_i^2 inside which
/// no other point belongs. Pairs not listed are to stay at least max(r_i, r_j) apart (mathematics page, section 10).
struct LocalTargets {
    CsrMatrix<float> near;     ///< D_ij = d_ij^2, the pairs of which one is among the k nearest of the other
    std::vector<float> radii;  ///< r_i^2
    CsrMatrix<float> far{};    ///< D_ij of the other pairs inside `far_radius`; none of them is in `near`
    float far_radius = 0.0F;   ///< squared; pairs that are not inside it are to stay this far apart, with `far_weight`
    double far_weight = 0.0;   ///< w; 0: `far` and `far_radius` are not used
    RankGroup ranks{};         ///< that share the passes
    bool in_places = false;    ///< points are in the order of places (place_order)
};

/// Sums over the unordered pairs i < j.
struct LocalSums {
    double near_squares = 0.0;  ///< of weighted deviations of the pairs in `near`
    double far_squares = 0.0;   ///< of those inside the far radius, with w
    double off_squares = 0.0;   ///< of the pairs that are too near, local and far bound, with w
    double violations = 0.0;    ///< pairs in no list with |y_i - y_j| < max(r_i, r_j)

    LocalSums& operator+=(const LocalSums& part) {
        near_squares += part.near_squares;
        far_squares += part.far_squares;
        off_squares += part.off_squares;
        violations += part.violations;
        return *this;
    }
};

/// With q_ij = |y_i - y_j|^2 and r_ij = max(r_i, r_j), the local form
///     f = sum_{near} a_ij (q_ij - D_ij)^2 + b sum_{not near} a'_ij max(0, r_ij^2 - q_ij)^2
///       + w [ sum_{D_ij < far_radius} a_ij (q_ij - D_ij)^2 + b sum_{all others} a'_ij max(0, far_radius - q_ij)^2 ]
/// with the weights a, a' of DeviationWeights, and its gradient, in one streaming pass over all pairs i < j, tile by
/// tile, without a matrix of n x n. Every pair is in both sums, so that f is the global form where w is large.
///
/// A first look at a tile of products y_i.y_j in float32 finds the pairs that may be too near; these and the pairs of
/// the lists are then computed from differences y_i - y_j: nearest neighbours a thousandth of the spread apart would be
/// lost in the rounding of products. The same bits for any number of threads. Memory: 6 bytes an entry of the lists, 8
/// bytes a tile. Time n^2 depth / 2 multiplications and additions, and some ten nanoseconds for each pair found.
class LocalPass {
public:
    LocalPass(const LocalTargets& targets, DeviationScale scale, double off_support_weight);

    /// sums_i = sum_j R_ij (y_i - y_j), with R_ij = a_ij (D_ij - q_ij) on the lists and (...) off them: the gradient of
    /// f by y_i is -4 sums_i. Rows of `y` are points; `sums` gets their shape. Points without a direction (absolute
    /// scale: length 0) take no part. Ranks share the work, as in HingePass.
    LocalSums apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context);

    [[nodiscard]] static std::uint64_t bytes(Index count, Offset near, Offset far);

private:
    class Visit;

    TiledSparseMatrix near_;
    TiledSparseMatrix far_;
    std::vector<float> radii_;  ///< padded to whole panels
    float far_radius_;
    double far_weight_;
    double off_support_weight_;
    DeviationWeights weights_;
    DeviationScale scale_;
    RankGroup ranks_;
};

}  // namespace isogon
