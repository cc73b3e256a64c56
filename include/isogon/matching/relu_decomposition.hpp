#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "isogon/core/summary.hpp"
#include "isogon/linalg/block_eigensolver.hpp"
#include "isogon/matching/low_rank.hpp"
#include "isogon/matching/residual_pass.hpp"
#include "isogon/matching/similarities.hpp"

namespace isogon {

struct ReluOptions {
    Index rank = 16;
    bool accelerate = true;  ///< extrapolate L by L + g (L - L_previous) with g adapted; false: the plain alternation
    bool regularize = true;  ///< eqs. 19-22, turned: push entries off the support down while their sum is too high
    double tolerance =
        0.0;          ///< stop when the residual changes by less than this share in each of ten updates; 0: never
    Index guard = 8;  ///< vectors carried in the eigen-step beyond the rank
    std::uint64_t seed = 0;
    double first_extrapolation = 0.5;
    double largest_extrapolation = 0.99;
};

/// S ~ max(0, L) with rank(L) = r for a symmetric S (Saul 2022a): alternates Z (eq. 5, regularised eqs. 20-22) and the
/// best rank-r L (eq. 6), in the streaming form Z = L + R that never holds n x n: one pass over all pairs an update.
/// Time an update: one pass (n^2 r / 2, or n^2 r when extrapolating) plus O(n r^2). Memory: S, and O(n r).
/// Without acceleration an update takes a second pass, for eigenpairs that are the best in a space which holds the L
/// before; so its objective never rises from the second update on (the start may have any rank), unless regularised.
class ReluDecomposition {
public:
    /// `start` is any low-rank matrix of the size of S (eq. 17 for TSM).
    ReluDecomposition(const Similarities& s, LowRank start, const ReluOptions& options, RunContext context);

    /// One update of Z and L. Throws Interruption when the context ends the run; L then stays as it was.
    void update();
    /// Updates until `iterations` have been made in all; run_to(a) then run_to(b) equals run_to(b) bit for bit.
    /// Returns early when the tolerance is met, or with the reason for which the context ended the run.
    Termination run_to(int iterations);

    [[nodiscard]] int iterations() const { return iterations_; }
    [[nodiscard]] const LowRank& matrix() const { return current_; }
    /// Of the last update's pass: at the extrapolated L that the update started from.
    [[nodiscard]] const ResidualSums& residual() const { return sums_; }
    /// |L - Z| / |S| at the same place, with the lift if there is one.
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
    void multiply_completed(const std::vector<LowRankTerm>& terms, const BlockVectors& in, BlockVectors& product);
    void add_lift(const std::vector<LowRankTerm>& terms, const BlockVectors& in, const BlockVectors& support_sums,
                  BlockVectors& product);
    void truncate(BlockEigenpairs pairs);
    void adapt_extrapolation();

    const Similarities& s_;
    ReluOptions options_;
    RunContext context_;
    ResidualPass pass_;
    LowRank current_;
    std::optional<LowRank> previous_;
    BlockVectors basis_;  ///< orthonormal, rank + guard columns, the first `rank` those of current_
    ResidualSums sums_;
    double lift_ = 0.0;
    double objective_ = 0.0;
    double extrapolation_ = 0.0;
    double eigen_residual_ = 0.0;
    int iterations_ = 0;
    std::vector<IterationRecord> trace_;
};

}  // namespace isogon
