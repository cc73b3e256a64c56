#include "decomposition/completion_svd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "isogon/core/random.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

/// v V diag(1 / length) for the eigenpairs (length^2, V) of v^T v.
WideVectors divided_by_lengths(const WideVectors& v, const RunContext& context) {
    SmallEigen eigen = symmetric_eigen(cross_product(v, v, context), SpectrumOrder::Largest);
    const double smallest = 1e-14 * std::max(0.0, eigen.values[0]);
    for (std::size_t k = 0; k < eigen.values.size(); ++k) {
        const double factor = eigen.values[k] > smallest ? 1.0 / std::sqrt(eigen.values[k]) : 0.0;
        for (std::size_t i = 0; i < eigen.vectors.rows; ++i) {
            eigen.vectors(i, k) *= factor;
        }
    }
    return combination(v, eigen.vectors, context);
}

WideVectors leading(const WideVectors& v, Index count) {
    std::vector<Index> chosen(std::min(count, v.columns));
    std::iota(chosen.begin(), chosen.end(), Index{0});
    return chosen_columns(v, chosen);
}

}  // namespace

WideVectors orthonormal_columns(const WideVectors& v, const RunContext& context) {
    return divided_by_lengths(divided_by_lengths(v, context), context);
}

CompletionSvd completion_svd(const Completion& z, const WideVectors& start, const CompletionSvdOptions& options,
                             const RunContext& context) {
    WideVectors right = start;
    double captured = 0.0;
    for (int round = 0;; ++round) {
        const WideVectors basis = orthonormal_columns(product(z, false, right, context), context);
        const WideVectors image = product(z, true, basis, context);  // Z^T Q: Q Q^T Z = Q image^T
        const SmallEigen eigen = symmetric_eigen(cross_product(image, image, context), SpectrumOrder::Largest);
        right = combination(image, eigen.vectors, context);  // V times singular values
        const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(options.rank, eigen.values.size()));
        const double now = std::accumulate(eigen.values.begin(), eigen.values.begin() + kept, 0.0);
        if (round + 1 >= options.most_rounds || now - captured <= options.tolerance * now) {
            const WideVectors left = combination(basis, eigen.vectors, context);
            return {{leading(left, options.rank), leading(right, options.rank)}, std::move(right)};
        }
        captured = now;
    }
}

WideVectors with_guard(const WideVectors& block, Index guard, std::uint64_t seed) {
    WideVectors random(block.rows, guard);
    for (Index i = 0; i < block.rows; ++i) {
        Random stream(seed, RandomStream::SubspaceStart, i);
        std::generate_n(random.row(i), guard, [&] { return stream.normal(); });
    }
    const std::array<const WideVectors*, 2> blocks{&block, &random};
    return side_by_side(blocks);
}

}  // namespace isogon
