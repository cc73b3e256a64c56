#include "linalg/dense_cholesky.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

namespace {

std::size_t panels_for(std::size_t size) {
    return block_count(size, panel_width);
}

/// Tiles of a triangle, whose p-th row of tiles holds p + 1 of them.
std::size_t tiles_before(std::size_t panel) {
    return panel * (panel + 1) / 2;
}

/// A lower triangle in panels of 48 rows: entry (48 p + i, k), k < 48 (p + 1), at panel(p)[k * 48 + i]; rows past the
/// size are those of the identity.
class Panels {
public:
    Panels(LowerTriangle a, const RunContext& context)
        : count_(panels_for(a.size)), values_(tiles_before(count_) * panel_tile_size) {
        parallel_tasks(context, count_, [&](std::size_t p) { load(a, p); });
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] double* panel(std::size_t p) { return values_.data() + tiles_before(p) * panel_tile_size; }
    [[nodiscard]] double* tile(std::size_t p, std::size_t q) { return panel(p) + q * panel_tile_size; }

    void store(LowerTriangle a, std::size_t p) {
        const double* from = panel(p);
        const Range rows = block_range(p, a.size, panel_width);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                a.values[i * a.stride + k] = from[k * panel_width + i - rows.begin];
            }
        }
    }

private:
    void load(LowerTriangle a, std::size_t p) {
        double* to = panel(p);
        const Range rows = block_range(p, a.size, panel_width);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                to[k * panel_width + i - rows.begin] = a.values[i * a.stride + k];
            }
        }
        for (std::size_t i = rows.size(); i < panel_width; ++i) {
            to[(p * panel_width + i) * panel_width + i] = 1.0;
        }
    }

    std::size_t count_;
    AlignedArray<double> values_;  // initially zero
};

/// Tile (p, q) less the product of the panels' columns left of it.
void take_known(Panels& a, std::size_t p, std::size_t q) {
    alignas(64) CholeskyTile<double> product;  // NOLINT(*-member-init): filled
    multiply_panels({a.panel(q)}, {a.panel(p)}, q * panel_width, product.data(), panel_width, false);
    double* tile = a.tile(p, q);
    for (std::size_t k = 0; k < panel_tile_size; ++k) {
        tile[k] -= product[k];
    }
}

/// L_pq = (what is left of A_pq) L_qq^-T.
void finish_tile(Panels& a, std::size_t p, std::size_t q, const double* inverse) {
    alignas(64) CholeskyTile<double> rest;  // NOLINT(*-member-init): filled
    std::copy_n(a.tile(p, q), panel_tile_size, rest.data());
    multiply_panels({inverse}, {rest.data()}, panel_width, a.tile(p, q), panel_width, false);
}

bool factor(Panels& a, const RunContext& context) {
    alignas(64) CholeskyTile<double> inverse;  // NOLINT(*-member-init): filled before each use
    for (std::size_t q = 0; q < a.count(); ++q) {
        throw_if_cancelled(context);
        take_known(a, q, q);
        if (!factor_tile(a.tile(q, q))) {
            return false;
        }
        invert_tile(a.tile(q, q), inverse);
        parallel_tasks(context, a.count() - q - 1, [&](std::size_t i) {
            const std::size_t p = q + 1 + i;
            take_known(a, p, q);
            finish_tile(a, p, q, inverse.data());
        });
    }
    return true;
}

/// The columns of L^-1 in panels of 48, from the diagonal on: entry (48 (p + r) + i, 48 p + j) at
/// column(p)[(48 r + i) * 48 + j].
class InverseColumns {
public:
    explicit InverseColumns(std::size_t count) : count_(count), values_(tiles_before(count) * panel_tile_size) {}
    [[nodiscard]] double* column(std::size_t p) {
        return values_.data() + (tiles_before(count_) - tiles_before(count_ - p)) * panel_tile_size;
    }

private:
    std::size_t count_;
    AlignedArray<double> values_;
};

/// Fills a column of the inverse by forward substitution; `inverses`: of the tiles of the diagonal, side by side.
/// Leaves it unfinished when the run has to end.
void fill_column(Panels& l, std::size_t p, double* inverses, InverseColumns& inverse, const RunContext& context) {
    double* column = inverse.column(p);
    const double* first = inverses + p * panel_tile_size;
    for (std::size_t i = 0; i < panel_width; ++i) {
        for (std::size_t j = 0; j < panel_width; ++j) {
            column[i * panel_width + j] = first[j * panel_width + i];
        }
    }
    alignas(64) CholeskyTile<double> sum;  // NOLINT(*-member-init): filled before each use
    for (std::size_t r = p + 1; r < l.count() && !context.interruption(); ++r) {
        multiply_panels({l.tile(r, p)}, {column}, (r - p) * panel_width, sum.data(), panel_width, false);
        for (double& value : sum) {
            value = -value;
        }
        multiply_panels({inverses + r * panel_tile_size}, {sum.data()}, panel_width, column + (r - p) * panel_tile_size,
                        panel_width, false);
    }
}

}  // namespace

bool factor_cholesky(LowerTriangle a, const RunContext& context) {
    Panels panels(a, context);
    if (!factor(panels, context)) {
        return false;
    }
    parallel_tasks(context, panels.count(), [&](std::size_t p) { panels.store(a, p); });
    return true;
}

void invert_from_cholesky(LowerTriangle l, const RunContext& context) {
    Panels panels(l, context);
    const std::size_t count = panels.count();
    AlignedArray<double> inverses(count * panel_tile_size);
    parallel_tasks(context, count, [&](std::size_t p) {
        CholeskyTile<double> inverse;  // NOLINT(*-member-init): filled
        invert_tile(panels.tile(p, p), inverse);
        std::copy(inverse.begin(), inverse.end(), inverses.data() + p * panel_tile_size);
    });
    InverseColumns columns(count);
    parallel_tasks(context, count, [&](std::size_t p) { fill_column(panels, p, inverses.data(), columns, context); });
    throw_if_cancelled(context);
    // (L L^T)^-1 = L^-T L^-1: a product of columns, from the lower of their two beginnings on.
    parallel_tasks(context, count, [&](std::size_t p) {
        alignas(64) CholeskyTile<double> tile;  // NOLINT(*-member-init): filled before each use
        const Range rows = block_range(p, l.size, panel_width);
        for (std::size_t q = 0; q <= p && !context.interruption(); ++q) {
            multiply_panels({columns.column(p)}, {columns.column(q) + (p - q) * panel_tile_size},
                            (count - p) * panel_width, tile.data(), panel_width, false);
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const std::size_t last = std::min(i + 1, (q + 1) * panel_width);
                for (std::size_t j = q * panel_width; j < last; ++j) {
                    l.values[i * l.stride + j] = tile[(i - rows.begin) * panel_width + j - q * panel_width];
                }
            }
        }
    });
    throw_if_cancelled(context);
}

std::uint64_t dense_cholesky_bytes(std::uint64_t size) {
    const std::uint64_t panels = size / panel_width + 1;
    return 8 * panel_tile_size * (panels * (panels + 1) + panels);
}

}  // namespace isogon
