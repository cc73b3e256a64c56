#include "decomposition/block_update.hpp"

#include "decomposition/streamed_completion.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

/// numerator (G + ridge)^-1, with the pseudo-inverse of a singular G.
WideVectors divided(const WideVectors& numerator, const DenseMatrix& gram, double ridge, const RunContext& context) {
    const SmallEigen eigen = symmetric_eigen(gram, SpectrumOrder::Largest);
    const std::size_t r = gram.rows;
    DenseMatrix inverse(r, r);
    for (std::size_t k = 0; k < r; ++k) {
        if (eigen.values[k] > 1e-14 * eigen.values[0]) {
            for (std::size_t j = 0; j < r; ++j) {
                for (std::size_t i = 0; i < r; ++i) {
                    inverse(i, j) += eigen.vectors(i, k) * eigen.vectors(j, k) / (eigen.values[k] + ridge);
                }
            }
        }
    }
    return combination(numerator, inverse, context);
}

}  // namespace

ReluFactors block_step(const Completion& z, const ReluFactors& from, double ridge, const RunContext& context) {
    ReluFactors next;
    next.left =
        divided(product(z, false, from.right, context), cross_product(from.right, from.right, context), ridge, context);
    next.right =
        divided(product(z, true, next.left, context), cross_product(next.left, next.left, context), ridge, context);
    return next;
}

ReluFactors block_update(const ReluProblem& problem, const ReluFactors& from, double ridge, const RunContext& context) {
    return block_step(StreamedCompletion(problem, {{&from, 1.0}}, context), from, ridge, context);
}

}  // namespace isogon
