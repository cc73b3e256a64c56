#include "decomposition/completion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

/// exp(x^2) erfc(x) for -27 <= x <= 20, by the midpoint rule with steps of 1/2 for its integral, x / pi times that of
/// exp(-t^2) / (x^2 + t^2) over all t. The rule's error is the residue at the pole t = i x, added here as long as it is
/// inside the strip of width 2 pi, and exp(-4 pi^2) besides (Matta and Reichel 1971, Uniform computation of the error
/// function and other related functions).
double scaled_erfc_by_quadrature(double x) {
    constexpr double step = 0.5;
    // exp(-t^2) at the midpoints t = 1/4, 3/4, ...
    constexpr std::array<double, 12> weights{0.93941306281347579,    0.56978282473092301,    0.20961138715109782,
                                             0.046770622383958984,   0.0063297154274857466,  0.00051957468215483848,
                                             2.5868100222654121e-5,  7.8114894083044908e-7,  1.4307241918567688e-8,
                                             1.5893910094516367e-10, 1.0709232382508076e-12, 4.3766185028708499e-15};
    const double x2 = x * x;
    double sum = 0.0;
    for (std::size_t n = 0; n < weights.size(); ++n) {
        const double t = step * (static_cast<double>(n) + 0.5);
        sum += weights[n] / (x2 + t * t);
    }
    const double integral = 2.0 * step / std::numbers::pi * x * sum;
    constexpr double pole = std::numbers::pi / step;
    return x < pole ? integral + 2.0 * elementary::exp(x2) / (1.0 + elementary::exp(2.0 * pole * x)) : integral;
}

/// sqrt(2 / pi) / erfcx(t / sqrt 2): the density at t over the probability of being below zero.
double hazard(double t) {
    constexpr double negligible = -37.0;  // exp(-t^2 / 2) is below the smallest float64
    return t < negligible ? 0.0 : std::sqrt(2.0 / std::numbers::pi) / scaled_erfc(t / std::numbers::sqrt2);
}

}  // namespace

double scaled_erfc(double x) {
    constexpr double least = -27.0;  // exp(x^2) overflows
    constexpr double large = 20.0;
    if (x < least) {
        return std::numeric_limits<double>::infinity();
    }
    if (x < large) {
        return scaled_erfc_by_quadrature(x);
    }
    // Asymptotic series: 1 / (x sqrt pi) (1 - 1 / (2 x^2) + 3 / (4 x^4) - 15 / (8 x^6) + 105 / (16 x^8) - 945 / (32
    // x^10))
    const double u = 1.0 / (2.0 * x * x);
    return (1.0 - u * (1.0 - 3.0 * u * (1.0 - 5.0 * u * (1.0 - 7.0 * u * (1.0 - 9.0 * u))))) /
           (x * std::sqrt(std::numbers::pi));
}

double mean_below_zero(double t) {
    return std::min(0.0, t - hazard(t));
}

double variance_below_zero(double t) {
    constexpr double far_above = 100.0;  // there 1 - (rho - t) rho loses what the asymptotic series has
    if (t > far_above) {
        const double u = 1.0 / (t * t);
        return u * (1.0 - u * (6.0 - 50.0 * u));
    }
    const double rho = hazard(t);
    return std::clamp(1.0 - (rho - t) * rho, 0.0, 1.0);
}

namespace {

std::size_t up_to_panels(std::size_t count) {
    return block_count(count, panel_width) * panel_width;
}

/// v padded with zeros to multiples of 48 rows and columns.
AlignedArray<double> filled_up(const MultiVector<double>& v) {
    const std::size_t stride = up_to_panels(v.columns());
    AlignedArray<double> result(up_to_panels(v.rows()) * stride);
    for (Index i = 0; i < v.rows(); ++i) {
        std::copy_n(v.row(i), v.columns(), result.data() + i * stride);
    }
    return result;
}

/// Entries beyond the matrix may be any number, NaN included, and NaN times a padding zero is not zero.
void clear_beyond(EntryTile& tile, std::size_t rows, std::size_t columns) {
    for (std::size_t j = 0; j < panel_width; ++j) {
        for (std::size_t i = j < columns ? rows : 0; i < panel_width; ++i) {
            tile.at(i, j) = 0.0;
        }
    }
}

/// Visits the tiles of one row panel from left to right.
template <class Visit>
void for_each_tile(const Completion& z, bool back, std::size_t p, const Visit& visit) {
    const ReluSide& side = z.problem().side(back);
    CompletionCursor cursor(side, static_cast<Index>(p * panel_width));
    EntryTile tile;
    const std::size_t rows = block_range(p, side.rows(), panel_width).size();
    for (std::size_t q = 0; q < block_count(side.columns(), panel_width); ++q) {
        z.fill(back, static_cast<Index>(p), static_cast<Index>(q), cursor, tile);
        clear_beyond(tile, rows, block_range(q, side.columns(), panel_width).size());
        visit(q, tile);
    }
}

}  // namespace

MultiVector<double> product(const Completion& z, bool back, const MultiVector<double>& v, const RunContext& context) {
    const ReluSide& side = z.problem().side(back);
    const std::size_t stride = up_to_panels(v.columns());
    const AlignedArray<double> right = filled_up(v);
    MultiVector<double> result(side.rows(), v.columns());
    parallel_tasks(context, block_count(side.rows(), panel_width), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        AlignedArray<double> sums(panel_width * stride);
        for_each_tile(z, back, p, [&](std::size_t q, const EntryTile& tile) {
            for (std::size_t c = 0; c < stride; c += panel_width) {
                add_panel_products({tile.values.data(), panel_width},
                                   {right.data() + q * panel_width * stride + c, stride}, panel_width, sums.data() + c,
                                   stride);
            }
        });
        const Range rows = block_range(p, side.rows(), panel_width);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::copy_n(sums.data() + (i - rows.begin) * stride, v.columns(), result.row(i));
        }
    });
    return result;
}

double squared_norm(const Completion& z, const RunContext& context) {
    return parallel_sum(context, block_count(z.problem().forward.rows(), panel_width), 1, [&](Range panel) {
        double sum = 0.0;
        for_each_tile(z, false, panel.begin, [&](std::size_t /*q*/, const EntryTile& tile) {
            for (const double value : tile.values) {
                sum += value * value;
            }
        });
        return sum;
    });
}

namespace {

PackedRows packed(const std::vector<ReluTerm>& terms, bool right, const RunContext& context) {
    std::vector<const MultiVector<double>*> blocks;
    std::vector<double> coefficients;
    for (const ReluTerm& term : terms) {
        blocks.push_back(right ? &term.factors->right : &term.factors->left);
        coefficients.push_back(right ? 1.0 : term.coefficient);
    }
    return {blocks, coefficients, context};
}

}  // namespace

StreamedCompletion::StreamedCompletion(const ReluProblem& problem, const std::vector<ReluTerm>& terms,
                                       const RunContext& context, double noise)
    : Completion(problem), left_(packed(terms, false, context)), right_(packed(terms, true, context)), noise_(noise) {}

void StreamedCompletion::latent_tile(bool back, Index p, Index q, EntryTile& tile) const {
    const PackedRows& rows = back ? right_ : left_;
    const PackedRows& columns = back ? left_ : right_;
    multiply_panels(columns.panel(q), rows.panel(p), rows.depth(), tile.values.data(), panel_width);
}

void StreamedCompletion::fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const {
    latent_tile(back, p, q, tile);
    const auto first_column = static_cast<Index>(q * panel_width);
    if (noise_ > 0.0) {
        complete_tile(tile, cursor, first_column,
                      [&](double latent) { return noise_ * mean_below_zero(latent / noise_); });
    } else {
        complete_tile(tile, cursor, first_column, [](double latent) { return std::min(0.0, latent); });
    }
}

double StreamedCompletion::variance(const RunContext& context) const {
    const ReluSide& side = problem().forward;
    return parallel_sum(context, left_.panels(), 1, [&](Range panel) {
        const auto p = static_cast<Index>(panel.begin);
        CompletionCursor cursor(side, p * static_cast<Index>(panel_width));
        const std::size_t rows = block_range(panel.begin, side.rows(), panel_width).size();
        EntryTile tile;
        double sum = 0.0;
        for (Index q = 0; q < right_.panels(); ++q) {
            const auto first_column = static_cast<Index>(q * panel_width);
            const std::size_t columns = block_range(q, side.columns(), panel_width).size();
            latent_tile(false, p, q, tile);
            EntryTile counts;
            counts.values.fill(cursor.observed ? 0.0 : 1.0);
            if (cursor.observed) {
                cursor.observed->visit(first_column,
                                       [&](Index i, Index j, double /*value*/) { counts.at(i, j) = 1.0; });
            }
            cursor.support.visit(first_column, [&](Index i, Index j, double /*s*/) { counts.at(i, j) = 0.0; });
            for (std::size_t j = 0; j < columns; ++j) {
                for (std::size_t i = 0; i < rows; ++i) {
                    if (counts.at(i, j) > 0.0) {
                        sum += variance_below_zero(tile.at(i, j) / noise_);
                    }
                }
            }
        }
        return noise_ * noise_ * sum;
    });
}

namespace {

/// v V diag(1 / length) for the eigenpairs (length^2, V) of v^T v.
MultiVector<double> divided_by_lengths(const MultiVector<double>& v, const RunContext& context) {
    SmallEigen eigen = symmetric_eigen(gram(v, v, context), SpectrumOrder::Largest);
    const double smallest = 1e-14 * std::max(0.0, eigen.values[0]);
    for (std::size_t k = 0; k < eigen.values.size(); ++k) {
        const double factor = eigen.values[k] > smallest ? 1.0 / std::sqrt(eigen.values[k]) : 0.0;
        for (std::size_t i = 0; i < eigen.vectors.rows; ++i) {
            eigen.vectors(i, k) *= factor;
        }
    }
    return multiply(v, eigen.vectors, context);
}

}  // namespace

MultiVector<double> orthonormal_columns(const MultiVector<double>& v, const RunContext& context) {
    return divided_by_lengths(divided_by_lengths(v, context), context);
}

CompletionSvd completion_svd(const Completion& z, const MultiVector<double>& start, const CompletionSvdOptions& options,
                             const RunContext& context) {
    MultiVector<double> right = start;
    double captured = 0.0;
    for (int round = 0;; ++round) {
        const MultiVector<double> basis = orthonormal_columns(product(z, false, right, context), context);
        const MultiVector<double> image = product(z, true, basis, context);  // Z^T Q: Q Q^T Z = Q image^T
        const SmallEigen eigen = symmetric_eigen(gram(image, image, context), SpectrumOrder::Largest);
        right = multiply(image, eigen.vectors, context);  // V times singular values
        const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(options.rank, eigen.values.size()));
        const double now = std::accumulate(eigen.values.begin(), eigen.values.begin() + kept, 0.0);
        if (round + 1 >= options.most_rounds || now - captured <= options.tolerance * now) {
            const MultiVector<double> left = multiply(basis, eigen.vectors, context);
            const auto rank = static_cast<Index>(kept);
            return {{leading_columns(left, rank), leading_columns(right, rank)}, std::move(right)};
        }
        captured = now;
    }
}

MultiVector<double> with_guard(const MultiVector<double>& block, Index guard, std::uint64_t seed) {
    const MultiVector<double> random = random_normal(block.rows(), guard, seed, RandomStream::SubspaceStart);
    const std::array<const MultiVector<double>*, 2> blocks{&block, &random};
    return concatenate_columns(blocks);
}

TileArray::TileArray(Index rows, Index columns)
    : row_panels_(block_count(rows, panel_width)),
      column_panels_(block_count(columns, panel_width)),
      values_(row_panels_ * column_panels_ * tile_size) {}

std::uint64_t TileArray::bytes(Index rows, Index columns) {
    return std::uint64_t{block_count(rows, panel_width)} * block_count(columns, panel_width) * tile_size *
           sizeof(double);
}

StoredCompletion::StoredCompletion(const ReluProblem& problem)
    : Completion(problem), z_(problem.forward.rows(), problem.forward.columns()) {}

void StoredCompletion::fill(bool back, Index p, Index q, CompletionCursor& /*cursor*/, EntryTile& tile) const {
    if (!back) {
        std::copy_n(z_.tile(p, q), TileArray::tile_size, tile.values.begin());
        return;
    }
    transpose_tile(z_.tile(q, p), tile.values.data());
}

void StoredCompletion::complete(const TileArray& latent, double beta, const StoredCompletion& previous,
                                const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        CompletionCursor cursor(problem().forward, p * static_cast<Index>(panel_width));
        EntryTile tile;
        for (Index q = 0; q < z_.column_panels(); ++q) {
            std::copy_n(latent.tile(p, q), TileArray::tile_size, tile.values.begin());
            complete_tile(tile, cursor, q * static_cast<Index>(panel_width),
                          [](double value) { return std::min(0.0, value); });
            const double* before = previous.z_.tile(p, q);
            double* z = z_.tile(p, q);
            for (std::size_t k = 0; k < TileArray::tile_size; ++k) {
                z[k] = tile.values[k] + beta * (tile.values[k] - before[k]);
            }
        }
    });
}

void StoredCompletion::hold(const Completion& other, const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        CompletionCursor cursor(problem().forward, p * static_cast<Index>(panel_width));
        EntryTile tile;
        for (Index q = 0; q < z_.column_panels(); ++q) {
            other.fill(false, p, q, cursor, tile);
            std::copy(tile.values.begin(), tile.values.end(), z_.tile(p, q));
        }
    });
}

void StoredCompletion::add_difference(double gamma, const StoredCompletion& newer, const StoredCompletion& older,
                                      const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        const auto p = static_cast<Index>(panel);
        double* z = z_.tile(p, 0);
        const double* plus = newer.z_.tile(p, 0);
        const double* minus = older.z_.tile(p, 0);
        for (std::size_t k = 0; k < TileArray::tile_size * z_.column_panels(); ++k) {
            z[k] += gamma * (plus[k] - minus[k]);
        }
    });
}

double StoredCompletion::distance(const TileArray& latent, const RunContext& context) const {
    return std::sqrt(parallel_sum(context, z_.row_panels(), 1, [&](Range panel) {
        const auto p = static_cast<Index>(panel.begin);
        const double* a = z_.tile(p, 0);
        const double* b = latent.tile(p, 0);
        double sum = 0.0;
        for (std::size_t k = 0; k < TileArray::tile_size * z_.column_panels(); ++k) {
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return sum;
    }));
}

void extrapolate(const ReluFactors& factors, double beta, const TileArray& previous, TileArray& latent,
                 const RunContext& context) {
    const PackedRows rows(factors.left, context);
    const PackedRows columns(factors.right, context);
    parallel_tasks(context, rows.panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        EntryTile tile;
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(p), rows.depth(), tile.values.data(), panel_width);
            const double* before = previous.tile(p, q);
            double* out = latent.tile(p, q);
            for (std::size_t k = 0; k < TileArray::tile_size; ++k) {
                out[k] = tile.values[k] + beta * (tile.values[k] - before[k]);
            }
        }
    });
}

}  // namespace isogon
