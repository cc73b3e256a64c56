#pragma once
#include <cstdint>
#include <optional>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "isogon/core/archive.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/metric_space.hpp"

namespace isogon {

/// A metric's points in fewer numbers: their coordinates along the top singular directions, which keep most of every
/// product. Where that takes more than half of the numbers, all of them are kept instead.
///
/// For a query q and a point p, rows of width() numbers are written whose product is large where they are near: (q, 1)
/// and (p, b), with b = 0 for inner products and b = -|p|^2 / 2 for the others, so that keys go by the distance of the
/// coordinates. Products alone, as if the parts of two points outside the directions were at right angles, were tried:
/// for near points they are not, least of all in narrow groups, and up to twice as many candidates are needed
/// (bench/neighbors).
class ReducedSpace {
public:
    /// Learns the directions from up to 20,000 rows, drawn by `seed`. O(rows D^2) time.
    ReducedSpace(const MetricSpace& space, std::uint64_t seed, const RunContext& context);
    /// Loads from an archive that has been checked against the schema of describe().
    explicit ReducedSpace(const Archive& archive);
    /// Adds to a schema, in which D, the dimension of the points, is known, the arrays of save(): "rank" () and, unless
    /// that is D, "directions" (D, rank).
    static void describe(ArchiveSchema& schema, const Archive& archive);
    void save(Archive& archive) const;

    [[nodiscard]] Index rank() const { return rank_; }
    [[nodiscard]] Index width() const { return rank_ + 1; }
    /// All points, n rows of width() numbers. O(n D r) time; the D numbers of some thousand points are held at a time.
    [[nodiscard]] Points reduce_points(const MetricSpace& space, const RunContext& context) const;
    /// Some of the queries.
    [[nodiscard]] Points reduce_queries(const MetricSpace& space, Range queries, const RunContext& context) const;

private:
    void pack_directions();
    void write_coordinates(const Points& prepared, std::size_t first, Points& rows, const RunContext& context) const;

    Index rank_ = 0;
    std::optional<TruncatedSvd> svd_{};  ///< none where all numbers are kept
    PackedPoints packed_directions_{};   ///< the directions of svd_: keys are float32, and so are the products
};

}  // namespace isogon
