#include "decomposition/relu_start.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

namespace {

constexpr std::size_t tile_size = TileArray::tile_size;

Index padded(std::size_t panels) {
    return static_cast<Index>(panels * panel_width);
}

TileArray transposed(const TileArray& a, const RunContext& context) {
    TileArray result(padded(a.column_panels()), padded(a.row_panels()));
    parallel_tasks(context, result.row_panels(), [&](std::size_t p) {
        for (std::size_t q = 0; q < result.column_panels(); ++q) {
            transpose_tile(a.tile(static_cast<Index>(q), static_cast<Index>(p)),
                           result.tile(static_cast<Index>(p), static_cast<Index>(q)));
        }
    });
    return result;
}

TileArray copied(const TileArray& a) {
    TileArray result(padded(a.row_panels()), padded(a.column_panels()));
    std::copy_n(a.tile(0, 0), tile_size * a.row_panels() * a.column_panels(), result.tile(0, 0));
    return result;
}

/// Sum over all entries of a(i, j) b(i, j).
double dot(const TileArray& a, const TileArray& b, const RunContext& context) {
    return parallel_sum(context, a.row_panels(), 1, [&](Range panel) {
        const double* left = a.tile(static_cast<Index>(panel.begin), 0);
        const double* right = b.tile(static_cast<Index>(panel.begin), 0);
        double sum = 0.0;
        for (std::size_t k = 0; k < tile_size * a.column_panels(); ++k) {
            sum += left[k] * right[k];
        }
        return sum;
    });
}

/// 48 rows side by side, column after column.
PanelView<double> rows_of(const TileArray& a, std::size_t p) {
    return {a.tile(static_cast<Index>(p), 0), panel_width};
}

/// X, with at least as many rows as columns, and X^T: a product reads rows of both.
class Iterate {
public:
    Iterate(TileArray&& x, const RunContext& context)
        : context_(context),
          x_(std::move(x)),
          turned_(transposed(x_, context)),
          gram_(padded(x_.column_panels()), padded(x_.column_panels())) {}

    /// X^T X
    const TileArray& gram() {
        const std::size_t depth = turned_.column_panels() * panel_width;
        parallel_tasks(context_, gram_.row_panels(), [&](std::size_t panel) {
            throw_if_cancelled_in_task(context_);
            const auto p = static_cast<Index>(panel);
            for (Index q = 0; q <= p; ++q) {
                multiply_panels(rows_of(turned_, q), rows_of(turned_, p), depth, gram_.tile(p, q), panel_width);
                if (q < p) {
                    transpose_tile(gram_.tile(p, q), gram_.tile(q, p));
                }
            }
        });
        return gram_;
    }

    /// X := X (a + b X^T X), with the product of the last call of gram().
    void multiply(double a, double b) {
        make_polynomial(a, b);
        const std::size_t depth = x_.column_panels() * panel_width;
        parallel_tasks(context_, x_.row_panels(), [&](std::size_t panel) {
            throw_if_cancelled_in_task(context_);
            const auto p = static_cast<Index>(panel);
            AlignedArray<double> rows(x_.column_panels() * tile_size);
            for (Index q = 0; q < x_.column_panels(); ++q) {
                double* tile = rows.data() + q * tile_size;
                multiply_panels(rows_of(gram_, q), rows_of(x_, p), depth, tile, panel_width);
                transpose_tile(tile, turned_.tile(q, p));
            }
            std::copy_n(rows.data(), x_.column_panels() * tile_size, x_.tile(p, 0));
        });
    }

    [[nodiscard]] TileArray take() && { return std::move(x_); }

private:
    void make_polynomial(double a, double b) {
        parallel_tasks(context_, gram_.row_panels(), [&](std::size_t panel) {
            const auto p = static_cast<Index>(panel);
            double* values = gram_.tile(p, 0);
            std::for_each_n(values, gram_.column_panels() * tile_size, [b](double& value) { value *= b; });
            for (std::size_t k = 0; k < panel_width; ++k) {
                gram_.tile(p, p)[k * panel_width + k] += a;
            }
        });
    }

    const RunContext& context_;
    TileArray x_;
    TileArray turned_;
    TileArray gram_;
};

/// Returns the number of steps.
int iterate(Iterate& x, const RunContext& context) {
    double least = least_polar_share;  // lower end of the interval of tracked singular values; its upper end is 1
    double scale = 0.0;
    int steps = 0;
    for (; 1.0 - least > polar_tolerance; ++steps) {
        const TileArray& gram = x.gram();
        if (steps == 0) {
            const double bound = std::sqrt(std::sqrt(dot(gram, gram, context)));
            if (!(bound > 0.0)) {
                return 0;
            }
            scale = 1.0 / bound;
        }
        // The largest scaling for which y (3 - y^2) / 2 is nowhere smaller than at the least singular value: both
        // ends of the interval then have the same image.
        const double longer = std::sqrt(3.0 / (1.0 + least + least * least));
        const double factor = longer * scale;
        x.multiply(1.5 * factor, -0.5 * factor * factor * factor);
        least = 0.5 * longer * least * (3.0 - longer * longer * least * least);
        scale = 1.0;
    }
    return steps;
}

}  // namespace

PolarFactor polar_factor(const TileArray& z, const RunContext& context) {
    const bool wide = z.row_panels() < z.column_panels();
    Iterate x(wide ? transposed(z, context) : copied(z), context);
    const int steps = iterate(x, context);
    TileArray unitary = std::move(x).take();
    if (wide) {
        unitary = transposed(unitary, context);
    }
    const double norm = dot(unitary, z, context);
    return {std::move(unitary), norm, steps};
}

namespace {

/// out = z - step along
void step_along(const TileArray& z, double step, const TileArray& along, TileArray& out, const RunContext& context) {
    parallel_tasks(context, z.row_panels(), [&](std::size_t panel) {
        const auto p = static_cast<Index>(panel);
        const double* from = z.tile(p, 0);
        const double* by = along.tile(p, 0);
        double* to = out.tile(p, 0);
        for (std::size_t k = 0; k < TileArray::tile_size * z.column_panels(); ++k) {
            to[k] = from[k] - step * by[k];
        }
    });
}

/// A Z, its nuclear norm and the subgradient of that.
struct Candidate {
    std::unique_ptr<StoredCompletion> z;
    PolarFactor polar;
};

Candidate candidate_at(const ReluProblem& problem, const TileArray& latent, const RunContext& context) {
    auto z = std::make_unique<StoredCompletion>(problem);
    z->complete(latent, 0.0, *z, context);
    PolarFactor polar = polar_factor(z->tiles(), context);
    return {std::move(z), std::move(polar)};
}

}  // namespace

std::uint64_t nuclear_start_bytes(Index rows, Index columns) {
    const Index shorter = std::min(rows, columns);
    return 8 * TileArray::bytes(rows, columns) + TileArray::bytes(shorter, shorter);
}

ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    constexpr int steps = 3;
    constexpr double longer = 1.2;
    constexpr double shorter = 0.7;
    constexpr Index guard = 8;
    const ReluFactors random = random_start(problem, rank, seed, context);
    TileArray latent(problem.forward.rows(), problem.forward.columns());
    extrapolate(random, 0.0, latent, latent, context);
    Candidate now = candidate_at(problem, latent, context);
    double step = 1.0 / problem.unit;  // the published 1, in the units of S
    for (int k = 0; k < steps; ++k) {
        step_along(now.z->tiles(), step, now.polar.unitary, latent, context);
        Candidate next = candidate_at(problem, latent, context);
        const bool fell = next.polar.nuclear_norm < now.polar.nuclear_norm;
        if (fell) {
            now = std::move(next);
        }
        step *= fell ? longer : shorter;
    }
    constexpr double exact = 1e-10;
    constexpr int most_rounds = 200;
    return completion_svd(*now.z, with_guard(random.right, guard, seed),
                          {.rank = rank, .tolerance = exact, .most_rounds = most_rounds}, context)
        .factors;
}

}  // namespace isogon
