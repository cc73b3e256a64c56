#include "spectral/chebyshev_filter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "isogon/core/parallel.hpp"
#include "isogon/core/random.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

constexpr std::size_t numbers_in_block = 1 << 14;

/// out := image * p + middle * q + last * r, entry by entry; `out` may be one of them.
void mix(const WideVectors& image, double p, const WideVectors& middle, double q, const WideVectors& last, double r,
         WideVectors& out, const RunContext& context) {
    parallel_blocks(context, out.values.size(), numbers_in_block, [&](Range range) {
        for (std::size_t k = range.begin; k < range.end; ++k) {
            out.values[k] = image.values[k] * p + middle.values[k] * q + last.values[k] * r;
        }
    });
}

}  // namespace

WideVectors chebyshev_filter(const SymmetricOperator& a, WideVectors x, int degree, double lower, double upper,
                             double wanted, const RunContext& context) {
    const double half_width = (upper - lower) / 2.0;
    const double center = (upper + lower) / 2.0;
    const double first = half_width / (wanted - center);
    double sigma = first;
    WideVectors image(x.rows, x.columns);
    a.apply(x, image, context);
    WideVectors next(x.rows, x.columns);
    mix(image, sigma / half_width, x, -center * sigma / half_width, x, 0.0, next, context);
    for (int step = 2; step <= degree; ++step) {
        throw_if_cancelled(context);
        const double following = 1.0 / (2.0 / first - sigma);
        a.apply(next, image, context);
        mix(image, 2.0 * following / half_width, next, -2.0 * following * center / half_width, x, -sigma * following, x,
            context);
        std::swap(x, next);
        sigma = following;
    }
    return next;
}

double spectral_bound(const SymmetricOperator& a, std::uint64_t seed, const RunContext& context) {
    constexpr std::size_t most_steps = 12;
    const std::size_t steps = std::min<std::size_t>(most_steps, a.size());
    WideVectors v(a.size(), 1);
    for (Index i = 0; i < a.size(); ++i) {
        v.at(i, 0) = Random(seed, RandomStream::SpectralBound, i).normal();
    }
    const double length = column_lengths(v, context)[0];
    for (double& value : v.values) {
        value /= length;
    }
    WideVectors before(a.size(), 1);
    WideVectors image(a.size(), 1);
    DenseMatrix projected(steps, steps);
    double beta = 0.0;
    for (std::size_t j = 0; j < steps; ++j) {
        a.apply(v, image, context);
        const double alpha = cross_product(v, image, context)(0, 0);
        projected(j, j) = alpha;
        mix(image, 1.0, v, -alpha, before, -beta, image, context);
        beta = column_lengths(image, context)[0];
        if (j + 1 == steps || !(beta > 0.0)) {
            break;
        }
        projected(j + 1, j) = beta;
        projected(j, j + 1) = beta;
        before = v;
        mix(image, 1.0 / beta, v, 0.0, v, 0.0, v, context);
    }
    return std::abs(symmetric_eigen(projected, SpectrumOrder::LargestMagnitude).values[0]) + beta;
}

}  // namespace isogon
