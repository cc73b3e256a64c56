#include "decomposition/active_set.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"

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
        multiply_panels(columns.panel(q), rows.panel(panel), rows.depth(), tile.values.data(), panel_width, false);
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

}  // namespace isogon
