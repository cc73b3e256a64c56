#include "pairs/positive_pairs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

PairRuns collect_positive_pairs(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                                const char* phase) {
    PairRuns runs(pair_task_count(left.count()));
    for_each_pair_tile(
        left, right, context,
        [&](PairTile& tile) {
            TileEntries hits;
            collect_positive(tile.values, hits);
            auto& run = runs[tile.task];
            for (std::size_t h = 0; h < hits.count; ++h) {
                const std::uint32_t place = hits.places[h];
                run.push_back({tile.first_row + (place >> tile_place_shift),
                               tile.first_column + (place & tile_place_mask), hits.values[h]});
            }
        },
        phase);
    return runs;
}

void append_pairs(Index size, PairRuns& runs, CsrMatrix<float>& upper) {
    std::vector<Offset> counts(std::size_t{size} + 1, 0);
    for (const auto& run : runs) {
        for (const PairEntry& entry : run) {
            ++counts[std::size_t{entry.row} + 1];
        }
    }
    CsrMatrix<float> grown;
    grown.rows = grown.columns = size;
    grown.offsets.assign(std::size_t{size} + 1, 0);
    for (Index i = 0; i < size; ++i) {
        const Offset had = i < upper.rows ? upper.offsets[i + 1] - upper.offsets[i] : 0;
        grown.offsets[i + 1] = grown.offsets[i] + had + counts[i + 1];
    }
    grown.indices.resize(grown.offsets.back());
    grown.values.resize(grown.offsets.back());
    std::vector<Offset> next(grown.offsets.begin(), grown.offsets.end() - 1);
    for (Index i = 0; i < upper.rows; ++i) {
        std::copy_n(upper.row_indices(i).begin(), upper.row_indices(i).size(), grown.indices.begin() + next[i]);
        std::copy_n(upper.row_values(i).begin(), upper.row_values(i).size(), grown.values.begin() + next[i]);
        next[i] += upper.row_indices(i).size();
    }
    for (auto& run : runs) {
        for (const PairEntry& entry : run) {
            const Offset slot = next[entry.row]++;
            grown.indices[slot] = entry.column;
            grown.values[slot] = entry.value;
        }
        std::vector<PairEntry>().swap(run);  // freed here: the peak stays near one copy
    }
    upper = std::move(grown);
}

namespace {

/// Progress steps for the comparison with one piece of another rank.
constexpr std::uint64_t steps_a_visit = 1000;

/// The points of piece k of a rank with these points; empty beyond its last.
Range piece_of(Range points, std::size_t k, std::size_t piece) {
    const std::size_t begin = std::min(points.begin + k * piece, points.end);
    return {begin, std::min(begin + piece, points.end)};
}

std::size_t most_points_of_a_rank(const DistributedPoints& x) {
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < x.ranges(); ++rank) {
        most = std::max(most, x.of_rank(rank).size());
    }
    return most;
}

class Ring {
public:
    Ring(const DistributedPoints& x, const LastComponents& last, Index piece, const RunContext& context,
         const char* phase)
        : x_(x),
          ranks_(ranks_of(x)),
          last_(last),
          pieces_(block_count(most_points_of_a_rank(x), piece)),
          // Pieces of equal size, so that none is mostly padding.
          piece_(block_count(block_count(most_points_of_a_rank(x), panel_width), std::max<std::size_t>(1, pieces_)) *
                 panel_width),
          visits_(1 + pieces_ * (ranks_.size() - 1)),
          context_(context),
          phase_(phase),
          found_(ranks_.size()) {}

    PairRuns run() {
        attempt([&](const RunContext& alone) { collect_local(alone); });
        const auto depth = x_.dimension() + 1;
        local_ = pack(x_.local(), {}, part(last_.left, x_.local_range()), context_);
        for (std::size_t k = 0; k < pieces_; ++k) {
            PackedPoints current = packed_piece(piece_of(x_.local_range(), k, piece_));
            PackedPoints received(static_cast<Index>(piece_), depth);
            for (std::size_t step = 1; step < ranks_.size(); ++step) {
                ranks_.ring_shift(std::as_bytes(std::as_const(current).values()),
                                  std::as_writable_bytes(received.values()));
                std::swap(current, received);
                const std::size_t from = (ranks_.rank() + ranks_.size() - step) % ranks_.size();
                attempt([&](const RunContext& alone) {
                    collect_with_piece(current, piece_of(x_.of_rank(from), k, piece_), from, alone);
                });
            }
        }
        return in_order();
    }

private:
    static std::span<const float> part(std::span<const float> numbers, Range points) {
        return numbers.subspan(points.begin, points.size());
    }

    /// Ranks progress at different speeds, and a collective call inside `work` would deadlock. So `work` runs without
    /// agree_on_stop, and an interruption takes effect at the collective check after it.
    template <class Work>
    void attempt(const Work& work) {
        RunContext alone = context_;
        alone.agree_on_stop = nullptr;
        alone.on_iteration = [&](const Progress& progress) {
            const std::uint64_t share = steps_a_visit * progress.done / std::max<std::uint64_t>(1, progress.total);
            context_.report({phase_, done_ * steps_a_visit + share, visits_ * steps_a_visit, 0.0});
        };
        try {
            work(alone);
        } catch (const Interruption&) {  // throw_if_cancelled() below detects it again
        }
        ++done_;
        throw_if_cancelled(context_);
    }

    /// The pairs of two local points.
    void collect_local(const RunContext& alone) {
        const Range own = x_.local_range();
        found_[ranks_.rank()] =
            collect_positive_pairs(pack(x_.local(), {}, part(last_.left, own), alone),
                                   pack(x_.local(), {}, part(last_.right, own), alone), alone, phase_);
        for (auto& run : found_[ranks_.rank()]) {
            for (PairEntry& entry : run) {
                entry.row += static_cast<Index>(own.begin);
                entry.column += static_cast<Index>(own.begin);
            }
        }
    }

    /// A piece has the same size on all ranks; its last rows may be padding, zero vectors.
    PackedPoints packed_piece(Range points) const {
        PackedPoints packed(static_cast<Index>(piece_), x_.dimension() + 1);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto row = x_.local()[static_cast<Index>(points.begin - x_.local_range().begin + i)];
            for (Index k = 0; k < x_.dimension(); ++k) {
                packed.at(static_cast<Index>(i), k) = row[k];
            }
        }
        return packed;
    }

    /// Sets the last component of the points: `left` for the first point of each pair, `right` for the second.
    void set_last(PackedPoints& packed, Range points, std::span<const float> numbers) const {
        for (std::size_t i = 0; i < points.size(); ++i) {
            packed.at(static_cast<Index>(i), x_.dimension()) = numbers[points.begin + i];
        }
    }

    /// The pairs of local points with a piece of another rank. Local points are the rows of the products on both
    /// ranks: a product has the same bits in either order of its points.
    void collect_with_piece(PackedPoints& others, Range points, std::size_t from, const RunContext& alone) {
        const bool own_first = ranks_.rank() < from;
        set_last(local_, x_.local_range(), own_first ? last_.left : last_.right);
        set_last(others, points, own_first ? last_.right : last_.left);
        PairRuns runs(local_.panels());
        for_each_cross_tile(
            local_, others, alone,
            [&](PairTile& tile) {
                TileEntries hits;
                collect_positive(tile.values, hits);
                for (std::size_t h = 0; h < hits.count; ++h) {
                    const std::uint32_t place = hits.places[h];
                    const auto own =
                        static_cast<Index>(x_.local_range().begin + tile.first_row + (place >> tile_place_shift));
                    const auto other = static_cast<Index>(points.begin + tile.first_column + (place & tile_place_mask));
                    runs[tile.task].push_back({std::min(own, other), std::max(own, other), hits.values[h]});
                }
            },
            phase_);
        std::move(runs.begin(), runs.end(), std::back_inserter(found_[from]));
    }

    /// By ascending rank: rows of earlier ranks have entries found with that rank only, local rows have entries from
    /// here on.
    PairRuns in_order() {
        PairRuns all;
        for (PairRuns& runs : found_) {
            std::move(runs.begin(), runs.end(), std::back_inserter(all));
        }
        return all;
    }

    const DistributedPoints& x_;
    RankGroup ranks_;
    LastComponents last_;
    std::size_t pieces_;  ///< of the rank with the most points
    std::size_t piece_;   ///< points, whole panels
    std::uint64_t visits_;
    const RunContext& context_;
    const char* phase_;
    std::uint64_t done_ = 0;
    PackedPoints local_;
    std::vector<PairRuns> found_;  ///< by the rank of the other point
};

}  // namespace

PairRuns collect_positive_pairs_in_ring(const DistributedPoints& x, const LastComponents& last, Index piece,
                                        const RunContext& context, const char* phase) {
    return Ring(x, last, piece, context, phase).run();
}

Index ring_piece(const DistributedPoints& x) {
    return std::max<Index>(
        1, rows_per_block(static_cast<Index>(most_points_of_a_rank(x)), std::uint64_t{x.dimension()} + 1, panel_width));
}

std::uint64_t pair_ring_bytes(Index own, Index dimension) {
    const std::uint64_t packed = PackedPoints::bytes(own, dimension + 1);
    const Index piece = std::max<Index>(1, rows_per_block(own, std::uint64_t{dimension} + 1, panel_width));
    return packed + std::max(packed, 2 * PackedPoints::bytes(piece, dimension + 1));
}

}  // namespace isogon
