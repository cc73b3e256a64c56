#pragma once
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/packed_points.hpp"

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

/// Two panels of points, whose pairs are visited together.
struct PanelPair {
    Index rows = 0;  ///< number of the panel
    Index columns = 0;
    bool first_in_block = false;  ///< the first pair with these rows in a run of neighbouring pairs
    std::size_t task = 0;         ///< number of the run: runs are the same for any number of threads
    std::size_t row_block = 0;    ///< for passes over all pairs: the block of the rows (pair_blocks)
};

/// One tile of the products of all pairs, in cache during its visit.
struct PairTile {
    Index first_row = 0;
    Index first_column = 0;
    Index rows = 0;  ///< 48 but at the end
    Index columns = 0;
    bool diagonal = false;        ///< first_row == first_column: entries on and below the diagonal are not pairs
    bool first_in_block = false;  ///< the first tile of these rows in a run of neighbouring tiles
    std::size_t task = 0;         ///< number of the run: runs are the same for any number of threads
    std::size_t row_block = 0;    ///< for passes over all pairs: the block of the tile's rows (pair_blocks)
    float* values = nullptr;      ///< 48 x 48, row-major; the visitor may change it
};

/// Visits the products left_i . right_j of all pairs i < j, tile by tile, on the context's threads. No two concurrent
/// visits share a row or a column. All visits of a given row or column have the same order for any number of threads,
/// so a visitor may add to sums of the tile's rows and columns. Entries on and below the diagonal of a diagonal tile
/// are set to zero before the visit. Between rounds the context may end the run (throws Interruption), and progress is
/// reported if `phase` is given. Time n^2 depth / 2 multiplications and additions; memory one tile a thread.
void for_each_pair_tile(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                        const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// The partition of points by for_each_pair_tile. Ranks own the points of whole blocks.
[[nodiscard]] RowBlocks pair_blocks(Index count);

/// The sum of one sum for each block of rows, of which each rank has those of its own, in the order of blocks: the same
/// bits for any number of threads and ranks. Collective.
template <class Sums>
[[nodiscard]] Sums sum_over_blocks(const RankGroup& ranks, const RowBlocks& blocks, std::vector<Sums> parts) {
    ranks.all_gather_blocks(blocks, std::as_writable_bytes(std::span(parts)));
    Sums sum;
    for (const Sums& part : parts) {
        sum += part;
    }
    return sum;
}

/// Each rank's range of points that every rank has: a view. Points that are distributed, or of one process, unchanged.
[[nodiscard]] DistributedPoints distributed(const DistributedPoints& points);

/// The same visits in the same order, restricted to pairs of blocks with at least one in `own`: sums of rows and
/// columns of these blocks receive all their terms, in the same order. A pair of a local and another rank's block is
/// visited on both ranks. Ranks may have different `own`; an interruption of one ends all after
/// each has ended its visits.
void for_each_pair_tile_of(Range own, const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                           const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// Panels in a block, at most: few enough that 2 blocks of packed points and sums stay in the second-level cache.
inline constexpr Index most_panels_in_block = 8;
/// Pairs of panels of two blocks, at most.
inline constexpr std::size_t most_panel_pairs = std::size_t{most_panels_in_block} * most_panels_in_block;

/// The order of for_each_pair_tile_of() without products: all pairs of panels of `count` points, each panel with
/// itself too, those of two blocks at a time.
void for_each_block_pair_of(Range own, Index count, const RunContext& context,
                            const std::function<void(std::span<const PanelPair>)>& visit, const char* phase = nullptr);

/// The same pairs in another order: those of two runs of neighbouring blocks follow each other, so that both runs stay
/// in the second-level cache of a core. Of a million points the order of for_each_block_pair_of() reads all of them
/// from memory in each of its thousands of rounds. No two concurrent visits share a block.
void for_each_block_pair_by_runs_of(Range own, Index count, const RunContext& context,
                                    const std::function<void(std::span<const PanelPair>)>& visit,
                                    const char* phase = nullptr);

/// Two blocks of wide_blocks(), rows <= columns.
struct WidePair {
    std::size_t rows = 0;
    std::size_t columns = 0;
};

/// Some neighbouring blocks of pair_blocks() as one, so that the panels of two wide blocks stay in the second-level
/// cache of a core while all their pairs are visited.
[[nodiscard]] RowBlocks wide_blocks(Index count);

/// All pairs of wide blocks that hold a pair of blocks with at least one in `own`, in parallel, in no fixed order: for
/// visits that share nothing. Between groups of visits the context may end the run.
void for_each_wide_pair_of(Range own, Index count, const RunContext& context,
                           const std::function<void(const WidePair&)>& visit);

/// All pairs of panels of these two wide blocks that for_each_block_pair_of() has, those of two blocks at a time. For
/// each point the points of the columns come in ascending order, and so do those of the rows.
void visit_block_pairs(const WidePair& pair, Range own, Index count,
                       const std::function<void(std::span<const PanelPair>)>& visit);

/// Number of runs of tiles for `count` points: an upper bound of PairTile::task.
[[nodiscard]] std::size_t pair_task_count(Index count);

/// Visits the products rows_i . columns_j of all i and j, tile by tile. All visits of a given row are sequential, by
/// ascending column, so a visitor may keep sums of the tile's rows. Between groups of rows the context may end the run
/// (throws Interruption), and progress is reported if `phase` is given. Time n_rows n_columns depth; memory one tile a
/// thread.
void for_each_cross_tile(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                         const std::function<void(PairTile&)>& visit, const char* phase = nullptr);

/// The order of for_each_cross_tile() without products.
void for_each_cross_panel_pair(Index row_panels, Index column_panels, const RunContext& context,
                               const std::function<void(const PanelPair&)>& visit, const char* phase = nullptr);

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

/// Bytes of for_each_row_band on that many threads.
[[nodiscard]] std::uint64_t row_band_bytes(Index columns, int threads);

}  // namespace isogon
