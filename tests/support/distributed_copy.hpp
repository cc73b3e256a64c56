#pragma once
#include <algorithm>

#include "distributed/communicator.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "pairs/pair_tiles.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::support {

/// The part that one rank holds of points that a communicator divides: a copy of its own rows, and nothing of the
/// others.
class DistributedCopy {
public:
    DistributedCopy(const PointsView& all, const RankGroup& ranks) {
        const RowBlocks blocks = pair_blocks(all.count);
        const Range own = ranks.own_rows(blocks);
        rows_ = Points(static_cast<Index>(own.size()), all.dimension);
        for (Index i = 0; i < rows_.count(); ++i) {
            std::copy_n(all[static_cast<Index>(own.begin + i)].begin(), all.dimension, rows_[i].begin());
        }
        points_ = ranks.distributed(rows_.view(), blocks);
    }
    DistributedCopy(const DistributedCopy&) = delete;
    DistributedCopy& operator=(const DistributedCopy&) = delete;

    [[nodiscard]] const DistributedPoints& points() const { return points_; }

private:
    Points rows_;
    DistributedPoints points_;
};

/// Runs body(context, own points) on every rank of a communicator.
template <class Body>
void on_ranks(std::size_t ranks, const PointsView& all, const Body& body, int threads = 1) {
    ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
        const RankGroup group(communicator);
        const DistributedCopy copy(all, group);
        body(group.agreeing({.threads = threads}), copy.points());
    });
}

/// The part that one rank holds of pairs that a communicator divides: the entries with at least one own point.
inline CsrMatrix<float> own_part(const CsrMatrix<float>& whole, Range own) {
    CsrMatrix<float> part{.rows = whole.rows, .columns = whole.columns};
    const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
    for (Index i = 0; i < whole.rows; ++i) {
        for (std::size_t k = 0; k < whole.row_indices(i).size(); ++k) {
            if (is_own(i) || is_own(whole.row_indices(i)[k])) {
                part.indices.push_back(whole.row_indices(i)[k]);
                part.values.push_back(whole.row_values(i)[k]);
            }
        }
        part.offsets.push_back(part.indices.size());
    }
    return part;
}

}  // namespace isogon::support
