#include "decomposition/completion.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

std::size_t up_to_panels(std::size_t count) {
    return block_count(count, panel_width) * panel_width;
}

/// v with rows and columns filled up with zeros to multiples of 48.
AlignedDoubles filled_up(const WideVectors& v) {
    const std::size_t stride = up_to_panels(v.columns);
    AlignedDoubles result(up_to_panels(v.rows) * stride);
    for (Index i = 0; i < v.rows; ++i) {
        std::copy_n(v.row(i), v.columns, result.data() + i * stride);
    }
    return result;
}

/// What is beyond the matrix may be any number, NaN included, and would not vanish against a zero.
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

CompletionCursor::CompletionCursor(const ReluSide& side, Index first_row) : support(side.s, first_row) {
    if (side.observed) {
        observed.emplace(*side.observed, first_row);
    }
}

WideVectors product(const Completion& z, bool back, const WideVectors& v, const RunContext& context) {
    const ReluSide& side = z.problem().side(back);
    const std::size_t stride = up_to_panels(v.columns);
    const AlignedDoubles right = filled_up(v);
    WideVectors result(side.rows(), v.columns);
    parallel_tasks(context, block_count(side.rows(), panel_width), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        AlignedDoubles sums(panel_width * stride);
        for_each_tile(z, back, p, [&](std::size_t q, const EntryTile& tile) {
            for (std::size_t c = 0; c < stride; c += panel_width) {
                multiply_panels({tile.values.data(), panel_width},
                                {right.data() + q * panel_width * stride + c, stride}, panel_width, sums.data() + c,
                                stride, q > 0);
            }
        });
        const Range rows = block_range(p, side.rows(), panel_width);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::copy_n(sums.data() + (i - rows.begin) * stride, v.columns, result.row(i));
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

}  // namespace isogon
