#include "decomposition/row_newton.hpp"

#include <array>
#include <atomic>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "decomposition/residual_kernel.hpp"

namespace isogon {

namespace {

using RowColumns = std::array<std::vector<Index>, panel_width>;

bool any_above_zero(const double* column) {
    double most = 0.0;
    for (std::size_t i = 0; i < panel_width; ++i) {
        most = std::max(most, column[i]);
    }
    return most > 0.0;
}

/// Appends what counts in a tile to the rows that it belongs to.
void collect(EntryTile& tile, TileCursor& support, Index first_column, RowColumns& rows) {
    support.visit(first_column, [&](Index i, Index j, double /*s*/) { tile.at(i, j) = 1.0; });
    for (std::size_t j = 0; j < panel_width; ++j) {
        const double* latent = tile.values.data() + j * panel_width;
        if (!any_above_zero(latent)) {
            continue;
        }
        for (std::size_t i = 0; i < panel_width; ++i) {
            if (latent[i] > 0.0) {
                rows[i].push_back(first_column + static_cast<Index>(j));
            }
        }
    }
}

ActiveRows joined(const RowColumns& rows, std::size_t count) {
    ActiveRows found;
    std::size_t entries = 0;
    for (std::size_t i = 0; i < count; ++i) {
        entries += rows[i].size();
    }
    found.columns.reserve(entries);
    for (std::size_t i = 0; i < count; ++i) {
        found.lengths.push_back(rows[i].size());
        found.columns.insert(found.columns.end(), rows[i].begin(), rows[i].end());
    }
    return found;
}

double dot(const MultiVector<double>& left, Index i, const MultiVector<double>& right, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < left.columns(); ++k) {
        sum += left.at(i, k) * right.at(j, k);
    }
    return sum;
}

/// Rows of a partly observed S: their observed entries are tested one by one.
ActiveRows observed_rows(const ReluSide& side, const ReluFactors& factors, Range rows) {
    ActiveRows found;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const auto i = static_cast<Index>(row);
        const std::size_t before = found.columns.size();
        const auto support = side.s.row_indices(i);
        std::size_t k = 0;
        for (const Index j : side.observed->row_indices(i)) {
            const bool on_support = k < support.size() && support[k] == j;
            if (on_support || dot(factors.left, i, factors.right, j) > 0.0) {
                found.columns.push_back(j);
            }
            k += on_support ? 1 : 0;
        }
        found.lengths.push_back(found.columns.size() - before);
    }
    return found;
}

}  // namespace

ActiveRows active_rows(const ReluSide& side, const ReluFactors& factors, const PackedRows& rows,
                       const PackedRows& columns, Index panel) {
    const Range range = block_range(panel, side.rows(), panel_width);
    if (side.observed) {
        return observed_rows(side, factors, range);
    }
    TileCursor support(side.s, static_cast<Index>(range.begin));
    RowColumns found;
    EntryTile tile;
    for (Index q = 0; q < columns.panels(); ++q) {
        multiply_panels(columns.panel(q), rows.panel(panel), rows.depth(), tile.values.data(), panel_width);
        collect(tile, support, q * static_cast<Index>(panel_width), found);
    }
    return joined(found, range.size());
}

namespace {

EntryPattern assembled(std::vector<ActiveRows>&& parts, Offset entries) {
    EntryPattern result;
    result.columns.reserve(entries);
    for (ActiveRows& part : parts) {
        for (const Offset length : part.lengths) {
            result.offsets.push_back(result.offsets.back() + length);
        }
        result.columns.insert(result.columns.end(), part.columns.begin(), part.columns.end());
        part = {};
    }
    return result;
}

EntryPattern transposed(const EntryPattern& pattern, Index columns) {
    EntryPattern result;
    result.offsets.assign(std::size_t{columns} + 1, 0);
    for (const Index j : pattern.columns) {
        ++result.offsets[j + 1];
    }
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    result.columns.resize(pattern.columns.size());
    std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
    for (Index i = 0; i < pattern.rows(); ++i) {
        for (const Index j : pattern.row(i)) {
            result.columns[next[j]++] = i;
        }
    }
    return result;
}

}  // namespace

std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                    const RunContext& context) {
    const PackedRows rows(factors.left, context);
    const PackedRows columns(factors.right, context);
    std::vector<ActiveRows> parts(rows.panels());
    std::atomic<Offset> entries = 0;  // a sum of whole numbers: the same in any order
    parallel_tasks(context, parts.size(), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        if (entries > capacity) {
            return;
        }
        parts[p] = active_rows(side, factors, rows, columns, static_cast<Index>(p));
        entries += parts[p].columns.size();
    });
    if (entries > capacity) {
        return std::nullopt;
    }
    ActiveSet result;
    result.forward = assembled(std::move(parts), entries);
    result.backward = transposed(result.forward, side.columns());
    return result;
}

namespace {

/// Adds the squared residuals of an entry (i, j) on the support, for each step length.
void add_on_support(double s, double latent, double change, Index i, LineSums& sums) {
    for (std::size_t t = 0; t < step_lengths.size(); ++t) {
        const double residual = s - (latent + step_lengths[t] * change);
        sums.at(t, i) += residual * residual;
    }
}

class RowNewton {
public:
    RowNewton(const ReluSide& side, const ReluFactors& factors, const RunContext& context)
        : side_(side),
          factors_(factors),
          context_(context),
          rows_(factors.left, context),
          columns_(factors.right, context),
          direction_(factors.left.rows(), factors.left.columns()) {}

    RowStep operator()() {
        parallel_tasks(context_, rows_.panels(), [&](std::size_t p) {
            throw_if_cancelled_in_task(context_);
            set_directions(static_cast<Index>(p));
        });
        steps_ = PackedRows(direction_, context_);
        RowStep result{factors_.left};
        std::vector<double> squares(rows_.panels());
        parallel_tasks(context_, squares.size(), [&](std::size_t p) {
            throw_if_cancelled_in_task(context_);
            squares[p] = move_rows(static_cast<Index>(p), result.rows);
        });
        for (const double part : squares) {
            result.squares += part;
        }
        return result;
    }

private:
    /// The Newton direction of 48 rows.
    void set_directions(Index panel) {
        const ActiveRows active = active_rows(side_, factors_, rows_, columns_, panel);
        const std::size_t r = factors_.left.columns();
        std::vector<double> gram(r * r);
        std::size_t first = 0;
        for (std::size_t k = 0; k < active.lengths.size(); ++k) {
            const auto i = static_cast<Index>(panel * panel_width + k);
            const ActiveRow row{
                {active.columns.data() + first, static_cast<std::size_t>(active.lengths[k])}, factors_.right.row(0), r};
            first += row.columns.size();
            residual_row(row, {side_.s.row_indices(i), side_.s.row_values(i)}, factors_.left.row(i), direction_.row(i));
            std::ranges::fill(gram, 0.0);
            gram_row(row, gram.data());
            cholesky_in_place(gram.data(), r);
            cholesky_solve(gram.data(), r, direction_.row(i));
        }
    }

    /// Moves each of 48 rows by its best step length; returns the sum of their residuals.
    double move_rows(Index panel, MultiVector<double>& result) {
        LineSums sums;
        const Range range = block_range(panel, side_.rows(), panel_width);
        if (side_.observed) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                add_observed(static_cast<Index>(i), static_cast<Index>(i - range.begin), sums);
            }
        } else {
            add_all(panel, sums);
        }
        double squares = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            std::size_t best = 0;
            for (std::size_t t = 1; t < step_lengths.size(); ++t) {
                best = sums.at(t, i - range.begin) < sums.at(best, i - range.begin) ? t : best;
            }
            squares += sums.at(best, i - range.begin);
            for (std::size_t k = 0; k < result.columns(); ++k) {
                result.at(i, k) += step_lengths[best] * direction_.at(i, k);
            }
        }
        return squares;
    }

    void add_all(Index panel, LineSums& sums) {
        TileCursor support(side_.s, static_cast<Index>(panel * panel_width));
        EntryTile latent;
        EntryTile change;
        for (Index q = 0; q < columns_.panels(); ++q) {
            const std::size_t depth = columns_.depth();
            multiply_panels(columns_.panel(q), rows_.panel(panel), depth, latent.values.data(), panel_width);
            multiply_panels(columns_.panel(q), steps_.panel(panel), depth, change.values.data(), panel_width);
            support.visit(q * static_cast<Index>(panel_width), [&](Index i, Index j, double s) {
                add_on_support(s, latent.at(i, j), change.at(i, j), i, sums);
                latent.at(i, j) = 0.0;
                change.at(i, j) = 0.0;
            });
            add_violations_along(latent.values.data(), change.values.data(), sums);
        }
    }

    void add_observed(Index row, Index place, LineSums& sums) const {
        const auto support = side_.s.row_indices(row);
        std::size_t next = 0;
        for (const Index j : side_.observed->row_indices(row)) {
            const double latent = dot(factors_.left, row, factors_.right, j);
            const double change = dot(direction_, row, factors_.right, j);
            if (next < support.size() && support[next] == j) {
                add_on_support(side_.s.row_values(row)[next++], latent, change, place, sums);
                continue;
            }
            for (std::size_t t = 0; t < step_lengths.size(); ++t) {
                const double above = std::max(0.0, latent + step_lengths[t] * change);
                sums.at(t, place) += above * above;
            }
        }
    }

    const ReluSide& side_;
    const ReluFactors& factors_;
    const RunContext& context_;
    PackedRows rows_;
    PackedRows columns_;
    PackedRows steps_{};
    MultiVector<double> direction_;
};

}  // namespace

RowStep row_newton_step(const ReluSide& side, const ReluFactors& factors, const RunContext& context) {
    return RowNewton(side, factors, context)();
}

}  // namespace isogon
