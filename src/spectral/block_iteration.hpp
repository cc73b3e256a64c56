#pragma once
#include "isogon/spectral/eigenproblem.hpp"
#include "spectral/orthonormal_block.hpp"
#include "spectral/preconditioner.hpp"

namespace isogon {

/// A block of approximate eigenvectors at the smallest end of (A, B), improved step by step in the span of itself, its
/// last step and new directions (Knyazev 2001), with every basis kept B-orthonormal (Hetmaniuk and Lehoucq, "Basis
/// selection in LOBPCG", Journal of Computational Physics 2006). The largest end is the smallest of -A.
class BlockIteration {
public:
    /// `a` as signed: the smallest end of it is wanted. `size` columns, of which `options.count` are wanted.
    BlockIteration(const SymmetricOperator& a, const SymmetricOperator* b, const WideVectors& deflation, Index columns,
                   const EigenOptions& options, const RunContext& context);

    /// One step; directions from `preconditioner`, or plain residuals where it is null.
    void improve(const Preconditioner* preconditioner);
    /// One step; directions are the block filtered by a polynomial that is small between the block's largest value
    /// and `bound`.
    void improve_by_filter(int degree, double bound);

    /// Pairs at the front whose residuals are small enough.
    [[nodiscard]] Index found() const;
    [[nodiscard]] bool done() const { return found() == options_.count; }
    /// Nothing new came out of the last step: float64 is at its end.
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    [[nodiscard]] double largest_relative_residual() const;
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] double size_of_a() const { return size_of_a_; }
    [[nodiscard]] int products() const { return products_; }
    [[nodiscard]] const WideVectors& vectors() const { return block_.vectors; }
    /// Lengths of residuals, |A x - lambda B x|.
    [[nodiscard]] const std::vector<double>& residuals() const { return residual_lengths_; }

private:
    [[nodiscard]] double cut(double bound) const;
    void take_directions(const WideVectors& directions);
    void measure();
    [[nodiscard]] double relative(std::size_t j) const;
    [[nodiscard]] std::vector<Index> unfinished() const;
    [[nodiscard]] WideVectors multiplied(const WideVectors& in);

    const SymmetricOperator& a_;
    const SymmetricOperator* b_;
    EigenOptions options_;
    const RunContext& context_;
    BlockWithImage deflation_;
    BlockWithImage block_;      ///< X
    WideVectors product_;       ///< A X
    BlockWithImage step_;       ///< P: by what the block last moved, orthonormal to it
    WideVectors step_product_;  ///< A P
    WideVectors residual_;
    std::vector<double> values_;
    std::vector<double> residual_lengths_;
    std::vector<double> scales_;  ///< |B x| of each
    double size_of_a_ = 0.0;      ///< the largest |A x| / |x| seen
    int products_ = 0;
    bool exhausted_ = false;
};

}  // namespace isogon
