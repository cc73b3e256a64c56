#pragma once
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// Rows whose coordinates are known already: ascending numbers, and a row of coordinates for each.
struct GivenRows {
    std::span<const Index> rows{};
    PointsView coordinates{};
};

/// Coordinates for all rows of a source, into a sink, block by block: the same bits as NewPointMap::transform gives
/// them in any other blocks. `given` rows are not computed, they get what they are given. The source must be finite
/// (require_finite of core/rows.hpp).
/// Time as NewPointMap::transform. Memory, stated first: some 32 MB for a block of rows and their coordinates, and
/// what the transform of that block takes; nothing grows with the number of rows. The summary counts as
/// NewPointMap::transform does, all blocks together; a run that the context ends says why, and the sink then lacks
/// rows. Throws InvalidArgument for a source of another dimension and for given rows that do not fit, LimitExceeded,
/// and what source and sink throw.
[[nodiscard]] Summary transform_rows(const NewPointMap& map, const RowSource& source, RowSink& sink,
                                     const RunContext& context, const GivenRows& given = {});

/// Bytes of the blocks in memory.
[[nodiscard]] std::uint64_t transform_rows_bytes(const NewPointMap& map, Index rows);

}  // namespace isogon
