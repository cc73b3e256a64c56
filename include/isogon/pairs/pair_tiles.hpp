#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/types.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// All unordered pairs of `blocks` blocks, each block with itself too, in rounds within which no block appears twice.
/// The tasks of a round may therefore write the sums of both their blocks at the same time, without locks and without
/// copies, and each block receives its contributions in the order of the rounds: the same bits for any number of
/// threads.
class PairSchedule {
public:
    using BlockPair = std::pair<Index, Index>;  ///< first <= second

    explicit PairSchedule(Index blocks) : blocks_(blocks) {}

    [[nodiscard]] Index rounds() const;
    /// Round 0 pairs every block with itself; the others are a round-robin tournament by the circle method.
    [[nodiscard]] std::vector<BlockPair> round(Index r) const;

private:
    Index blocks_;
};

/// One tile of the products of all pairs, in cache while it is looked at.
struct PairTile {
    Index first_row = 0;
    Index first_column = 0;
    Index rows = 0;  ///< 48 but at the end
    Index columns = 0;
    bool diagonal = false;        ///< first_row == first_column: entries on and below the diagonal are not pairs
    bool first_in_block = false;  ///< the first tile of these rows in a run of neighbouring tiles
    std::size_t task = 0;         ///< number of the run: runs are the same for any number of threads
    std::size_t row_block = 0;    ///< of all pairs: the block of the tile's rows (pair_blocks)
    float* values = nullptr;      ///< 48 x 48, row-major; the visitor may change it
};

/// Visits the products left_i . right_j of all pairs i < j, tile by tile, on the context's threads. No two visits at
/// the same time share a row or a column, and all visits that touch a given row or column come in the same order
/// whatever the number of threads; so a visitor may add to sums that belong to the tile's rows and columns. Entries on
/// and below the diagonal of a diagonal tile are set to zero before the visit. Between rounds the run may be ended by
/// the context (Interruption is thrown), and progress is reported if `phase` is given. Time n^2 depth / 2
/// multiplications and additions; memory one tile a thread.
void for_each_pair_tile(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                        const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// The blocks of points that for_each_pair_tile cuts `count` of them into, and how many points each has, but for the
/// last.
struct PairBlocks {
    std::size_t blocks = 0;
    std::size_t points = 0;
};
[[nodiscard]] PairBlocks pair_blocks(Index count);

/// The same visits in the same order, but only of pairs of blocks one of which at least is `own`: sums that belong to
/// rows or columns of own blocks receive all that they receive there, in the same order. Of a pair of own and others'
/// blocks the visits come on both sides. The ranks of a communicator may have different `own`: what ends one of them
/// ends all, but only when all have made their visits, or left off.
void for_each_pair_tile_of(Range own, const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                           const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// Number of runs of tiles that for_each_pair_tile cuts `count` points into: PairTile::task is below it.
[[nodiscard]] std::size_t pair_task_count(Index count);

/// Visits the products rows_i . columns_j of all i and j, tile by tile. All visits that touch a given row come one
/// after the other, by ascending column, so a visitor may keep sums that belong to the tile's rows. Between groups of
/// rows the run may be ended by the context (Interruption is thrown), and progress is reported if `phase` is given.
/// Time n_rows n_columns depth; memory one tile a thread.
void for_each_cross_tile(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                         const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// The products of up to 48 rows with all columns.
struct RowBand {
    Index first_row = 0;
    Index rows = 0;
    Index columns = 0;
    std::size_t stride = 0;  ///< floats from row to row; row r begins at values + r * stride
    float* values = nullptr;
};

/// Visits rows_i . columns_j for all i and j, 48 rows at a time, in parallel; each visit belongs to its rows alone.
/// Time n_rows n_columns depth; memory 48 n_columns floats a thread.
void for_each_row_band(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                       const std::function<void(RowBand&)>& visit, const char* phase = nullptr);

/// Bytes that for_each_row_band takes on that many threads.
[[nodiscard]] std::uint64_t row_band_bytes(Index columns, int threads);

}  // namespace isogon
