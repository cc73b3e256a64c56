#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

/// The measure by which two points are near. As a distance, so that less is always nearer:
///   Cosine        1 - cos(x, y), between 0 and 2; the distance from a zero vector to any point is 1
///   InnerProduct  -x.y, of any sign; not a metric: the nearest point to x need not be x itself
///   Euclidean     |x - y|
///   Manhattan     sum_k |x_k - y_k|
///   Correlation   1 - cos(x - mean of x, y - mean of y); 1 from a row of equal numbers to any point
///   Hamming       the share of places where rows of zeros and ones differ
///   Jaccard       1 - |both are one| / |either is one| for such rows; 0 between rows without ones
///   Precomputed   stands in options of methods: the input is a square table of distances. No search knows it
enum class Metric { Cosine, InnerProduct, Euclidean, Manhattan, Correlation, Hamming, Jaccard, Precomputed };

/// "cosine", "inner-product", "euclidean", "manhattan", "correlation", "hamming", "jaccard", "precomputed"
[[nodiscard]] std::string_view name(Metric metric);
/// The metric between points of that name. Throws InvalidArgument, which lists all names.
[[nodiscard]] Metric find_metric(std::string_view name);
/// All names of metrics between points, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& metric_names();

/// Whether x.y and the lengths of x and y determine the distance, by which indexes and vector codes search. The others
/// are found by all pairs (correlation, on rows less their means, by an index too).
[[nodiscard]] constexpr bool is_of_products(Metric metric) {
    return metric <= Metric::Euclidean;
}
/// The metric of that name, as find_metric(), but for one of products only.
[[nodiscard]] Metric find_product_metric(std::string_view name);
[[nodiscard]] const std::vector<std::string>& product_metric_names();

/// Whether distances double when all points do: their lists are then scaled with the points. Not inner products.
[[nodiscard]] constexpr bool has_unit(Metric metric) {
    return metric == Metric::Euclidean || metric == Metric::Manhattan;
}

/// The `size` nearest of each of some rows, nearest first, equal distances by ascending index. Of lists within one
/// set of points, a point is not in its own list.
struct NeighborLists {
    Index size = 0;                  ///< k: how many neighbours each row has
    std::vector<Index> indices{};    ///< row i's begin at i * size
    std::vector<float> distances{};  ///< beside the indices, as Metric says; empty where a user gave none

    [[nodiscard]] Index count() const { return size == 0 ? 0 : static_cast<Index>(indices.size() / size); }
    [[nodiscard]] std::span<const Index> operator[](Index i) const {
        return {indices.data() + std::size_t{i} * size, size};
    }
    [[nodiscard]] std::span<const float> distances_of(Index i) const {
        return {distances.data() + std::size_t{i} * size, size};
    }
};

/// Bytes of the lists of so many points, with distances.
[[nodiscard]] constexpr std::uint64_t neighbor_bytes(std::uint64_t points, std::uint64_t neighbors) {
    return points * neighbors * (sizeof(Index) + sizeof(float));
}

enum class SelfAllowed { No, Yes };

/// For lists from outside. Throws InputError that names `source`, the first bad row (counted from 0) and its value,
/// unless there are `rows` rows of at least one neighbour, every index is below `points` and stands once in its row
/// (and is not the row itself unless `self` allows it), and the distances, if any, are numbers in ascending order.
/// O(n k) time and 4 bytes a point where there are at least as many neighbours in all as points, else O(n k log k).
void require_neighbor_lists(const NeighborLists& lists, Index rows, Index points, SelfAllowed self,
                            const std::string& source);

/// The first `size` neighbours of each row. Throws InvalidArgument ("neighbors") if the lists are shorter.
[[nodiscard]] NeighborLists nearest_of(const NeighborLists& lists, Index size);

/// The lists of some rows, which must exist.
[[nodiscard]] NeighborLists rows_of(const NeighborLists& lists, Range rows);

/// Neighbour lists as an archive of kind neighbor-graph: "indices" (n, k), "distances" (n, k) if there are any, and the
/// metric as a note. Throws InvalidArgument for lists without rows.
[[nodiscard]] Archive make_neighbor_graph(const NeighborLists& lists, Metric metric);

/// The lists in such an archive, unchecked: the caller, who knows the points, calls require_neighbor_lists(). Throws
/// InputError for an archive of another kind or without lists.
[[nodiscard]] NeighborLists lists_in(const Archive& archive);

/// The nearest neighbours of some points that a reduction keeps: shares of them all, and for each point.
struct KeptNeighbors {
    double neighbors = 1.0;       ///< share of all neighbours that are among the k nearest of the outputs
    double all = 1.0;             ///< share of the points that keep all k
    double in_order = 1.0;        ///< share of the points that keep all k in the same order, as far as these have one
    std::vector<Index> rows{};    ///< the points that were looked at, ascending
    std::vector<float> shares{};  ///< share of each point's neighbours

    /// kept_neighbors() looks at all points up to this number, else at a sample of so many.
    static constexpr Index most_rows = 20000;

    struct OfPoint {
        Index point = 0;
        double share = 0.0;
    };
    /// The points of which fewest are kept, at most so many and none that keeps all; of equal ones the smaller number
    /// first. O(rows).
    [[nodiscard]] std::vector<OfPoint> worst(std::size_t most = 10) const;
};

}  // namespace isogon
