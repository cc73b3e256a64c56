#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/quality/score.hpp"

// The order of points by nearness as seen from some of them (NearnessSpace), and what is read from such an order: the
// nearest, how far others are beyond them, votes.
namespace isogon {

/// A translation and a scale that preserve the order of distances and keep float32 products of points in range.
struct Centring {
    std::vector<double> offset;  ///< subtracted from every point
    double scale = 1.0;          ///< then multiplied with; a power of two
};

/// Distances are taken from products, |a|^2 + |b|^2 - 2 a.b, which loses digits when points lie far from the origin and
/// close together. The mean is subtracted where it holds three quarters or more of the mean square, rounded to the
/// spread so that whole numbers stay whole and equal distances stay equal; otherwise nothing is. The scale takes the
/// largest coordinate to about 1, so that no product overflows. O(n D).
[[nodiscard]] Centring find_centring(const PointsView& points);

/// Some points, the rows, against all points, in an order of nearness: keys that grow with the distance or fall with
/// the cosine. They are those of float32 products where points are far apart, of differences where they are near each
/// other and products would lose their digits; equal wherever two points are equal. Of equal keys the one of the
/// smaller index is nearer.
class NearnessSpace {
public:
    /// `rows` are numbers of points, ascending. The points are packed once, the rows once more unless they are all.
    NearnessSpace(const PointsView& points, std::span<const double> lengths, Nearness nearness,
                  std::span<const Index> rows, const RunContext& context);

    /// The lifted order of Search::InnerProduct: rows of all but the last number, and one that is negated where a point
    /// asks. Keys are negated products, which depend on the lengths of the points.
    NearnessSpace(const PointsView& lifted, std::span<const Index> rows, const RunContext& context);

    /// Calls visit(place in `rows`, keys of all points as seen from there), in parallel, each place once. The key of
    /// the point itself is infinite: a point is not its own neighbour. Throws Interruption. O(rows n D); a pair that is
    /// measured by differences takes several times as long as one that is not.
    void for_each_row(const RunContext& context,
                      const std::function<void(Index, std::span<const double>)>& visit) const;

    /// Bytes of a space and the bands of its visits.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Index rows, int threads);

private:
    /// The keys of all points as seen from one of the rows, of which `products` has the products.
    void write_keys(Index row, const float* products, std::span<double> keys) const;
    [[nodiscard]] const PackedPoints& left() const { return rows_packed_.count() > 0 ? rows_packed_ : all_; }

    std::vector<Index> rows_;
    PackedPoints all_;
    PackedPoints rows_packed_;         ///< empty when the rows are all points, unless lifted
    std::vector<float> half_squares_;  ///< |b|^2 / 2 for distances, 0 for cosines: the key is this less a.b
    Nearness nearness_ = Nearness::Cosine;
    bool lifted_ = false;
};

/// Lists of k neighbours, one after the other.
struct NearRows {
    NearRows(Index lists, Index k) : size(k), values(std::size_t{lists} * k) {}

    [[nodiscard]] std::span<Index> operator[](Index i) { return {values.data() + std::size_t{i} * size, size}; }
    [[nodiscard]] std::span<const Index> operator[](Index i) const {
        return {values.data() + std::size_t{i} * size, size};
    }

    Index size;
    std::vector<Index> values;
};

/// Fills `nearest` with the indices of the smallest keys, nearest first; equal keys by the smaller index. There must be
/// at least as many keys. O(n + k log(k) log(n)) for keys in no order.
void find_nearest(std::span<const double> keys, std::span<Index> nearest);

/// Sum over `others` of max(0, rank - k), where the nearest key has rank 1 and k is the number of `nearest`, which are
/// the nearest in order: the penalty of a row in trustworthiness and continuity. O(n) for each of up to some dozens of
/// others that are not among the nearest, O(n log n) for any number.
[[nodiscard]] std::uint64_t rank_excess(std::span<const double> keys, std::span<const Index> nearest,
                                        std::span<const Index> others);

/// The most frequent label among the neighbours; the smallest of them on a tie. At least one neighbour.
[[nodiscard]] std::int64_t majority_label(std::span<const Index> neighbors, std::span<const std::int64_t> labels);

}  // namespace isogon
