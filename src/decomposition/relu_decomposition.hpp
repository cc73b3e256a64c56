#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "decomposition/low_rank.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/block_eigensolver.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/hinge_pass.hpp"
#include "pairs/similarities.hpp"

namespace isogon {

/// Residual sums of L against S, over ordered pairs and the diagonal.
struct ResidualSums {
    double support_squares = 0.0;     ///< sum of (S_ij - L_ij)^2 where S_ij > 0
    double hinge_squares = 0.0;       ///< sum of max(0, L_ij)^2 where S_ij = 0
    double hinge = 0.0;               ///< sum of max(0, L_ij) where S_ij = 0
    double support_difference = 0.0;  ///< sum of S_ij - L_ij where S_ij > 0
    double violations = 0.0;          ///< pairs with L_ij > 0 where S_ij = 0

    /// |L - Z|_F^2 for Z of eq. 5, the objective of eq. 4.
    [[nodiscard]] double objective() const { return support_squares + hinge_squares; }
};

/// Products with the sparse matrix R = Z - L, for Z of eq. 5: R_ij = S_ij - L_ij on the support of S and -max(0, L_ij)
/// off it. R is never stored: one pass over all pairs computes L tile by tile, corrects the support from S, finds the
/// violations, and multiplies both with the block of vectors while the tile is in cache. Memory: 6 bytes an entry of S
/// besides the operands.
///
/// Separate from relu_residuals() (decomposition/relu_problem.hpp), which only sums: that pass is float64 over all
/// entries of a rectangular S, this one float32 over half of a symmetric one, divided among ranks. A shared pass would
/// give one of them other bits.
class ResidualPass {
public:
    explicit ResidualPass(const Similarities& similarities);

    /// out = R in (equal shapes). `support_sums`, if not null, receives M in, with M_ij = 1 where S_ij > 0, else 0.
    /// Time: n^2 k / 2 multiplications and additions, plus a few nanoseconds for each entry of R.
    ResidualSums apply(const PackedLowRank& l, const MultiVector<float>& in, MultiVector<float>& out,
                       MultiVector<float>* support_sums, const RunContext& context);

private:
    void add_diagonal(const std::vector<double>& diagonal, const MultiVector<float>& in, MultiVector<float>& out,
                      MultiVector<float>* support_sums, ResidualSums& sums) const;

    const Similarities& s_;
    HingePass pass_;
};

struct ReluOptions {
    Index rank = 16;
    bool accelerate = true;  ///< extrapolate L by L + g (L - L_previous) with g adapted; false: the plain alternation
    /// eqs. 19-22 with the opposite sign: decrease entries off the support while their sum is too large
    bool regularize = true;
    double tolerance =
        0.0;          ///< stop when the residual changes by less than this share in each of ten updates; 0: never
    Index guard = 8;  ///< additional vectors of the eigensolver beyond the rank
    std::uint64_t seed = 0;
    double first_extrapolation = 0.5;
    double largest_extrapolation = 0.99;
};

/// S ~ max(0, L) with rank(L) = r for a symmetric S (Saul 2022a): alternates Z (eq. 5, regularised eqs. 20-22) and the
/// best rank-r L (eq. 6), with Z = L + R never stored: one pass over all pairs an update. Time an update: one pass
/// (n^2 r / 2, or n^2 r when extrapolating) plus O(n r^2). Memory: S, and O(n r). Without acceleration an update takes
/// a second pass, for eigenpairs that are optimal in a space that contains the previous L. Its objective therefore
/// never increases from the second update on (the start may have any rank), unless regularised.
class ReluDecomposition {
public:
    /// `start` is any low-rank matrix of the size of S (TSM: eq. 17).
    ReluDecomposition(const Similarities& s, LowRank start, const ReluOptions& options, RunContext context);

    /// One update of Z and L. Throws Interruption when the context ends the run; L then stays as it was.
    void update();
    /// Updates until `iterations` have been made in all; run_to(a) then run_to(b) equals run_to(b) bit for bit.
    /// Returns early when the tolerance is met, or with the reason for which the context ended the run.
    Termination run_to(int iterations);

    [[nodiscard]] int iterations() const { return iterations_; }
    [[nodiscard]] const LowRank& matrix() const { return current_; }
    /// The residual in the last update's pass: at the extrapolated L that the update started from.
    [[nodiscard]] const ResidualSums& residual() const { return sums_; }
    /// |L - Z| / |S| at the same L, with the regularisation shift if there is one.
    [[nodiscard]] double relative_residual() const;
    [[nodiscard]] double lift() const { return lift_; }                    ///< delta of eq. 21, 0 or below
    [[nodiscard]] double extrapolation() const { return extrapolation_; }  ///< g
    /// |Z q - lambda q| over |lambda_1|, the worst of the rank columns at the last update.
    [[nodiscard]] double eigen_residual() const { return eigen_residual_; }
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// Bytes that the decomposition takes besides S.
    [[nodiscard]] static std::uint64_t bytes(Index size, const ReluOptions& options);

private:
    [[nodiscard]] std::vector<LowRankTerm> extrapolated() const;
    [[nodiscard]] BlockEigenpairs eigenpairs(const std::vector<LowRankTerm>& terms);
    void multiply_completed(const std::vector<LowRankTerm>& terms, const MultiVector<float>& in,
                            MultiVector<float>& product);
    void add_lift(const std::vector<LowRankTerm>& terms, const MultiVector<float>& in,
                  const MultiVector<float>& support_sums, MultiVector<float>& product);
    void truncate(BlockEigenpairs pairs);
    void adapt_extrapolation();

    const Similarities& s_;
    ReluOptions options_;
    RunContext context_;
    ResidualPass pass_;
    LowRank current_;
    std::optional<LowRank> previous_;
    MultiVector<float> basis_;  ///< orthonormal, rank + guard columns, the first `rank` those of current_
    ResidualSums sums_;
    double lift_ = 0.0;
    double objective_ = 0.0;
    double extrapolation_ = 0.0;
    double eigen_residual_ = 0.0;
    int iterations_ = 0;
    std::vector<IterationRecord> trace_;
};

}  // namespace isogon
