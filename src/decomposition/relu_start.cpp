#include "decomposition/relu_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "decomposition/completion_svd.hpp"
#include "decomposition/residual_sums.hpp"
#include "isogon/core/random.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/sparse_product.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

/// S + shift on the support: with -shift everywhere, what shifted_start approximates.
CsrMatrix<double> raised(const CsrMatrix<double>& s, double shift) {
    CsrMatrix<double> result = s;
    for (double& value : result.values) {
        value += shift;
    }
    return result;
}

/// (raised - shift 1 1^T) v
WideVectors shifted_product(const CsrMatrix<double>& raised, double shift, const WideVectors& v,
                            const RunContext& context) {
    throw_if_cancelled(context);
    WideVectors result(raised.rows, v.columns);
    multiply(raised, v, result, context);
    std::vector<double> sums(v.columns);
    for (Index i = 0; i < v.rows; ++i) {
        for (Index k = 0; k < v.columns; ++k) {
            sums[k] += v.at(i, k);
        }
    }
    for (Index i = 0; i < result.rows; ++i) {
        for (Index k = 0; k < v.columns; ++k) {
            result.at(i, k) -= shift * sums[k];
        }
    }
    return result;
}

WideVectors random_block(Index rows, Index columns, std::uint64_t seed, std::uint64_t first) {
    WideVectors block(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        Random stream(seed, RandomStream::FactorStart, first + i);
        std::generate_n(block.row(i), columns, [&] { return stream.normal(); });
    }
    return block;
}

void scale(ReluFactors& factors, double factor) {
    for (WideVectors* block : {&factors.left, &factors.right}) {
        for (double& value : block->values) {
            value *= factor;
        }
    }
}

}  // namespace

double mean_positive_entry(const ReluProblem& problem) {
    const auto& values = problem.forward.s.values;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ReluFactors shifted_start(const ReluProblem& problem, Index rank, double shift, std::uint64_t seed,
                          const RunContext& context) {
    constexpr int rounds = 6;
    constexpr Index guard = 8;
    const CsrMatrix<double> forward = raised(problem.forward.s, shift);
    const CsrMatrix<double> backward = raised(problem.backward.s, shift);
    WideVectors right = with_guard(WideVectors(forward.columns, 0), rank + guard, seed);
    for (int round = 0;; ++round) {
        const WideVectors basis = orthonormal_columns(shifted_product(forward, shift, right, context), context);
        const WideVectors image = shifted_product(backward, shift, basis, context);
        if (round + 1 < rounds) {
            right = orthonormal_columns(image, context);
            continue;
        }
        const SmallEigen eigen = symmetric_eigen(cross_product(image, image, context), SpectrumOrder::Largest);
        std::vector<Index> chosen(std::min(rank, image.columns));
        std::iota(chosen.begin(), chosen.end(), Index{0});
        return {chosen_columns(combination(basis, eigen.vectors, context), chosen),
                chosen_columns(combination(image, eigen.vectors, context), chosen)};
    }
}

ReluFactors sparse_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    constexpr double lengthening = 1.5;
    constexpr int most = 12;
    ReluFactors factors = shifted_start(problem, rank, mean_positive_entry(problem), seed, context);
    const auto wanted = static_cast<double>(problem.forward.s.entries());
    double violations = relu_residuals(problem.forward, factors.left, factors.right, context).violations;
    for (int k = 0; k < most && violations > wanted; ++k) {
        ReluFactors longer = factors;
        for (Index i = 0; i < longer.left.rows; ++i) {
            longer.left.at(i, 0) *= lengthening;
        }
        const double now = relu_residuals(problem.forward, longer.left, longer.right, context).violations;
        if (now >= violations) {
            break;
        }
        violations = now;
        factors = std::move(longer);
    }
    return factors;
}

ReluFactors random_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    const Index m = problem.forward.rows();
    ReluFactors factors{random_block(m, rank, seed, 0), random_block(problem.forward.columns(), rank, seed, m)};
    // Half of the entries of W H are above zero, and as large in the mean as those below.
    const DenseMatrix left = cross_product(factors.left, factors.left, context);
    const DenseMatrix right = cross_product(factors.right, factors.right, context);
    const double squares = 0.5 * std::inner_product(left.values.begin(), left.values.end(), right.values.begin(), 0.0);
    scale(factors, std::pow(problem.squared_norm / squares, 0.25));
    return factors;
}

}  // namespace isogon
