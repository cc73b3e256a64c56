#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

/// A metric in terms of products of packed points. The key of a query and a point is larger the nearer
/// they are: the cosine; s^2 x.y; or -s^2 |x - y|^2 / 2, as the product of (x, -|x|^2/2, 1) and (y, 1, -|y|^2/2) about
/// a centre. s is a power of two that brings the longest point to a length between 1/2 and 1, so that nothing leaves
/// float32.
class MetricSpace {
public:
    /// The rows are the queries; both views must outlive it. O(n D) time, on one thread unless told otherwise. Throws
    /// InvalidArgument unless the metric is one of products.
    explicit MetricSpace(const SearchedPoints& searched, const RunContext& context = {.threads = 1});
    /// Queries of another set to the points of `known`, whose centre and lengths it shares. O(n_queries D) time.
    MetricSpace(const PointsView& queries, const MetricSpace& known, const RunContext& context = {.threads = 1});

    [[nodiscard]] PackedPoints pack_queries(const RunContext& context) const;
    /// Packs the queries that `chosen` lists, in its order.
    [[nodiscard]] PackedPoints pack_queries(std::span<const Index> chosen, const RunContext& context) const;
    [[nodiscard]] PackedPoints pack_points(const RunContext& context) const;
    [[nodiscard]] PackedPoints pack_points(Range rows, const RunContext& context) const;
    /// Both sides are packed alike, so one will do where queries and points are the same.
    [[nodiscard]] bool symmetric() const { return of_.metric != Metric::Euclidean; }

    /// The distance of a pair as Metric says, to about six digits relative to itself; symmetric bit for bit. Infinite
    /// for a distance beyond float32 (inner products are clamped to its largest number and to its least).
    [[nodiscard]] float distance(Index query, Index point) const {
        return in_unit_of_input(query, comparable_distance(query, point));
    }
    /// The same for comparisons of a query's points: inner products in a unit of the query's own, in which float32
    /// tells all of them apart.
    [[nodiscard]] float comparable_distance(Index query, Index point) const;
    /// Turns a comparable distance into that of distance().
    [[nodiscard]] float in_unit_of_input(Index query, float distance) const;
    /// The least comparable distance that a pair may have whose computed key is `key` or less: the key's rounding is
    /// allowed for, at its worst.
    [[nodiscard]] double least_distance(Index query, float key) const;
    /// The least computed key that a pair of this distance or less may have: its inverse.
    [[nodiscard]] double least_key(Index query, float distance) const;

    /// The numbers of a query or a point as keys are made of them: its direction; s x; or s (x - centre).
    void prepare_query(Index query, std::span<float> into) const;
    void prepare_point(Index point, std::span<float> into) const;
    [[nodiscard]] Points prepare_points(Range some, const RunContext& context) const;
    /// The length of what prepare_point() writes, before it is rounded: 1, or 0 for a zero vector, with cosines.
    [[nodiscard]] double prepared_length(Index point) const;

    /// s, by which prepare_point() multiplies distances; 1 with cosines.
    [[nodiscard]] double scale() const { return scale_; }

    [[nodiscard]] Metric metric() const { return of_.metric; }
    /// Whether query i is point i, which is none of its own neighbours.
    [[nodiscard]] bool among_themselves() const { return of_.among_themselves; }
    [[nodiscard]] const PointsView& queries() const { return of_.rows; }
    [[nodiscard]] const PointsView& points() const { return of_.points; }
    [[nodiscard]] static std::uint64_t bytes(Index queries, Index points, Index dimension, Metric metric);

private:
    using Lengths = std::shared_ptr<const std::vector<double>>;

    void set_scale();
    /// The largest rounding of a key, as a share of what is multiplied.
    [[nodiscard]] double key_rounding() const;
    void prepare(std::span<const float> row, double length, std::span<float> into) const;
    [[nodiscard]] PackedPoints pack_side(const PointsView& side, std::span<const double> lengths, bool query,
                                         const RunContext& context) const;
    /// The sum of squared differences, or of products, of points brought to a length of 1 (cosine) or by s. The quick
    /// one in float32, NaN or nonsense where that leaves its range.
    [[nodiscard]] double quick_sum(Index query, Index point, double scale) const;
    [[nodiscard]] double careful_sum(Index query, Index point, double scale) const;
    /// s as it is for this query alone: whichever others there are, its distances have the same bits.
    [[nodiscard]] double scale_of(Index query) const;

    SearchedPoints of_;
    std::vector<double> center_;  ///< Euclidean only
    Lengths query_lengths_;       ///< about the centre
    Lengths point_lengths_;
    double scale_ = 1.0;    ///< s
    double longest_ = 0.0;  ///< largest length of the points, times s
};

}  // namespace isogon
