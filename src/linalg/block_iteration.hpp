#pragma once
#include <functional>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/eigenproblem.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// Maps residuals to search directions for a block of approximate eigenvectors, in place: no second block is held, as
/// solutions with a factor need none. Columns have length 1 before the call.
using Preconditioner = std::function<void(MultiVector<double>& residuals, const RunContext& context)>;

/// The Chebyshev polynomial of `degree` that is small on [lower, upper], the unwanted part of the spectrum, and grows
/// fastest outside; scaled to 1 at `wanted`, outside that interval.
struct ChebyshevPolynomial {
    int degree = 1;
    double lower = 0.0;
    double upper = 1.0;
    double wanted = 0.0;
};

/// p(A) x (Zhou and Saad 2007, algorithm 3.2). As many products as the degree.
[[nodiscard]] MultiVector<double> chebyshev_filter(const LinearOperator<double>& a, MultiVector<double> x,
                                                   const ChebyshevPolynomial& p, const RunContext& context);

/// An upper bound of the magnitudes of all eigenvalues, by some Lanczos steps and the residual of the last (Zhou and
/// Li, "Bounding the spectrum of large Hermitian matrices", Linear Algebra and its Applications 2011).
[[nodiscard]] double spectral_bound(const LinearOperator<double>& a, std::uint64_t seed, const RunContext& context);

/// Vectors and their products with B; `image` is empty if B is the identity.
struct BlockWithImage {
    MultiVector<double> vectors{};
    MultiVector<double> image{};
    [[nodiscard]] const MultiVector<double>& through_b() const { return image.columns() > 0 ? image : vectors; }
};

/// Makes the columns of `w` B-orthonormal, and B-orthogonal to those of `against`, which are B-orthonormal. Columns
/// that are dependent up to rounding are dropped. b null: the identity.
[[nodiscard]] BlockWithImage orthonormal_to(const std::vector<const BlockWithImage*>& against,
                                            const MultiVector<double>& w, const LinearOperator<double>* b,
                                            const RunContext& context);

/// A block of approximate eigenvectors at the smallest end of (A, B), improved step by step in the span of itself, its
/// last step and new directions (Knyazev 2001), with every basis kept B-orthonormal (Hetmaniuk and Lehoucq, "Basis
/// selection in LOBPCG", Journal of Computational Physics 2006). The largest end is the smallest of -A.
class BlockIteration {
public:
    /// `a` is A as signed: the smallest end of it is wanted. `problem` gives B and the deflation. `options.count` of
    /// the columns are wanted.
    BlockIteration(const LinearOperator<double>& a, const EigenProblem& problem, Index columns,
                   const EigenOptions& options, const RunContext& context);

    /// One step; directions from `preconditioner`, or plain residuals where it is empty.
    void improve(const Preconditioner& preconditioner);
    /// One step; directions are the block filtered by a polynomial that is small between the block's largest value
    /// and `bound`.
    void improve_by_filter(int degree, double bound);

    /// The number of leading pairs that meet the tolerance.
    [[nodiscard]] Index found() const;
    [[nodiscard]] bool done() const { return found() == options_.count; }
    /// The last step gave no new direction: the limit of float64.
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    [[nodiscard]] double largest_relative_residual() const;
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] double size_of_a() const { return size_of_a_; }
    [[nodiscard]] int products() const { return products_; }
    [[nodiscard]] const MultiVector<double>& vectors() const { return block_.vectors; }
    /// Lengths of residuals, |A x - lambda B x|.
    [[nodiscard]] const std::vector<double>& residuals() const { return residual_lengths_; }

private:
    [[nodiscard]] double cut(double bound) const;
    void take_directions(const MultiVector<double>& directions);
    void measure();
    [[nodiscard]] double relative(std::size_t j) const;
    [[nodiscard]] std::vector<Index> unfinished() const;
    [[nodiscard]] MultiVector<double> multiplied(const MultiVector<double>& in);

    const LinearOperator<double>& a_;
    const LinearOperator<double>* b_;
    EigenOptions options_;
    const RunContext& context_;
    BlockWithImage deflation_;
    BlockWithImage block_;              ///< X
    MultiVector<double> product_;       ///< A X
    BlockWithImage step_;               ///< P: the last step of the block, orthonormal to it
    MultiVector<double> step_product_;  ///< A P
    MultiVector<double> residual_;
    std::vector<double> values_;
    std::vector<double> residual_lengths_;
    std::vector<double> scales_;  ///< |B x| of each
    double size_of_a_ = 0.0;      ///< the largest |A x| / |x| seen
    int products_ = 0;
    bool exhausted_ = false;
};

}  // namespace isogon
