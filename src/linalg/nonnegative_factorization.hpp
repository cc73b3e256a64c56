#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"

// Nonnegative matrix factorisation: its initial factors, its updates, and nonnegative least squares for single rows.
namespace isogon {

/// Stopping rule of coordinate descent on a row.
struct DescentEnd {
    int sweeps = 1000;    ///< most sweeps over all coordinates
    double share = 1e-9;  ///< or once a sweep moves by less than this share of what the first one moved by
};

/// Nonnegative least squares for one row at a time: min over w >= 0 of |x - w H|^2, by coordinate descent on G = H H^T
/// and p = x H^T. Each coordinate is set to its minimiser with the others fixed (HALS: Cichocki and Phan 2009), so the
/// objective never increases. Holds a workspace: use one object for each thread.
class NonnegativeRow {
public:
    /// `gram` is G, d x d, and must outlive this.
    explicit NonnegativeRow(const DenseMatrix& gram);

    /// Improves `weights` (d, none negative) for `products` p (d). Moves are measured as |dw H|, coordinate by
    /// coordinate. A coordinate whose row of H is zero, or 1e-7 of the longest, keeps its weight. Returns whether the
    /// share was reached. O(d^2) time a sweep.
    bool improve(std::span<const double> products, std::span<double> weights, const DescentEnd& end);

private:
    double sweep(std::span<double> weights);

    const DenseMatrix& gram_;
    double smallest_ = 0.0;         ///< bound above which G_kk counts
    std::vector<double> gradient_;  ///< G w - p
};

/// Stopping rule of a factorisation.
struct FactorizationEnd {
    int iterations = 200;
    /// Or after ten updates in a row of which each made |X - W H| fall by a smaller share of itself; 0: never.
    double tolerance = 1e-4;
};

/// X ~ W H with X (n x D), W (n x d) and H (d x D) nonnegative: least squares by HALS (Cichocki and Phan 2009), each
/// factor row by row (NonnegativeRow). Several sweeps for each product with X follow Gillis and Glineur 2012, who
/// found this faster. H is extrapolated along its last change (Ang and Gillis 2019), which on digits takes a fourth of
/// the updates. An update reads X once, by blocks of rows: X H^T, the rows of W, then their part of X^T W. The
/// objective never increases but for float32 rounding: an update that would increase it is rejected.
class NonnegativeFactorization {
public:
    /// `parts` is the initial H^T (D x d); W begins at 0. `x` must outlive this. O(n D) time.
    NonnegativeFactorization(const PointsView& x, MultiVector<float> parts, const RunContext& context);

    /// Updates until the stopping rule holds; throws Interruption when the context ends the run, with parts() of the
    /// last complete update. 2 n D d multiplications an update, and n d^2 for each sweep.
    Termination run(const FactorizationEnd& end);

    /// W, n x d.
    [[nodiscard]] const MultiVector<float>& weights() const { return weights_; }
    /// H^T, D x d: rows of H are of unit length, or zero.
    [[nodiscard]] const MultiVector<float>& parts() const { return parts_; }
    /// |X - W H| / |X| after the last update (1 before the first), from |X|^2 - 2 <X, W H> + |W H|^2: below about 1e-3
    /// it is rounding.
    [[nodiscard]] double relative_residual() const { return residual_; }
    /// One record an update: relative_residual() and by what share of itself it fell.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Index rank);

private:
    struct Sums;
    /// How far H is extrapolated; constants of Ang and Gillis 2019.
    struct Momentum {
        double value = 0.5;
        double bound = 1.0;
        void grow();
        void shrink();
    };
    void update();
    void extrapolate();
    Sums update_weights();
    void update_block(std::size_t block, const DenseMatrix& factor, Sums& sums);
    void update_parts(const Sums& sums);
    void measure(const Sums& sums);
    void normalize();

    PointsView x_;
    RunContext context_;
    MultiVector<float> weights_;
    MultiVector<float> parts_;
    MultiVector<float> previous_;  ///< H^T before the last update; empty: no extrapolation in the next one
    Momentum momentum_;
    double squares_ = 0.0;  ///< |X|^2
    double residual_ = 1.0;
    std::vector<IterationRecord> trace_;
};

/// |X - W H|^2 by its definition, block of rows by block, summed in float64. `parts` is H^T. n D d time.
[[nodiscard]] double squared_distance_to_product(const PointsView& x, const PointsView& weights,
                                                 const MultiVector<float>& parts, const RunContext& context);

/// Rows of points in aligned memory. Row i is multiplied by factors[i]; empty: by 1.
[[nodiscard]] MultiVector<float> aligned_rows(const PointsView& x, Index first, Index count,
                                              std::span<const double> factors = {});

// Initial H of a factorisation X ~ W H, transposed (D x d), with rows of unit length and no negative entry.

/// From the singular directions v_k of X, as NNDSVD (Boutsidis and Gallopoulos 2008): the positive or the negative
/// part of v_k, whichever carries more of X v_k v_k^T. Directions along which X is rounding noise are replaced by
/// random rows. Time of truncated_svd and n D d; memory of truncated_svd and n x d floats.
[[nodiscard]] MultiVector<float> nonnegative_svd_start(const PointsView& x, Index rank, std::uint64_t seed,
                                                       const RunContext& context);

/// Uniform random entries. O(D d) time.
[[nodiscard]] MultiVector<float> nonnegative_random_start(Index dimension, Index rank, std::uint64_t seed);

/// Bytes that nonnegative_svd_start takes.
[[nodiscard]] std::uint64_t nonnegative_svd_start_bytes(Index count, Index dimension, Index rank);

}  // namespace isogon
