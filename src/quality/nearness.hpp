#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/tied_neighbors.hpp"

// The order of points by nearness as seen from some of them.
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

/// The origin of one row's keys: half squared distances less half the squared length of the row, or negated cosines,
/// both from float32 products where points are far apart.
struct KeyOrigin {
    double half_row = 1.0;                         ///< |a|^2 / 2; 1 for cosines
    std::span<const float> half_squares{};         ///< |b|^2 / 2 of all; empty for cosines
    Index depth = 0;                               ///< numbers in each product
    std::function<MeasuredPair(Index)> measure{};  ///< the row with a point, in the unit of keys

    [[nodiscard]] double half_square(Index j) const { return half_squares.empty() ? 0.0 : double{half_squares[j]}; }
};

/// Some points, the rows, against all points, in an order of nearness: keys that grow with the distance or fall with
/// the cosine. They are those of float32 products where points are far apart, of differences where they are near each
/// other and products would lose their digits; equal wherever two points are equal.
class NearnessSpace {
public:
    /// `rows` are numbers of points, ascending. The points, which must outlive this, are packed once, the rows once
    /// more unless they are all.
    NearnessSpace(const PointsView& points, std::span<const double> lengths, Nearness nearness,
                  std::span<const Index> rows, const RunContext& context);

    /// The lifted order of Search::InnerProduct: rows of all but the last number, and one that is negated where a point
    /// asks. Keys are negated products, which depend on the lengths of the points.
    NearnessSpace(const PointsView& lifted, std::span<const Index> rows, const RunContext& context);

    /// `row`: its place in `rows`.
    [[nodiscard]] KeyOrigin origin(Index row) const;

    /// Bytes of a space and the bands of its visits.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Index rows, int threads);

private:
    friend void for_each_row(std::span<const NearnessSpace* const> spaces, const RunContext& context,
                             const std::function<void(Index, std::span<std::vector<double>>)>& visit);

    /// The keys of all points as seen from one of the rows, of which `products` has the products.
    void write_keys(Index row, const float* products, std::span<double> keys) const;
    [[nodiscard]] const PackedPoints& left() const { return rows_packed_.count() > 0 ? rows_packed_ : all_; }

    std::vector<Index> rows_;
    PointsView points_;
    double scale_ = 1.0;  ///< scale of keys of distances: that of the packed points
    PackedPoints all_;
    PackedPoints rows_packed_;         ///< empty when the rows are all points, unless lifted
    std::vector<float> half_squares_;  ///< |b|^2 / 2 for distances, else none: the key is this less a.b
    bool lifted_ = false;
};

/// Calls visit(place in `rows`, the keys of all points as seen from there in each of the spaces), in parallel, each
/// place once; the visit may change the keys. The spaces are of the same rows. The key of the point itself is infinite:
/// a point is not its own neighbour. Throws Interruption. O(rows n D); a pair that is measured by differences takes
/// several times as long as one that is not.
void for_each_row(std::span<const NearnessSpace* const> spaces, const RunContext& context,
                  const std::function<void(Index, std::span<std::vector<double>>)>& visit);

/// Fills `nearest` with the indices of the smallest keys, nearest first; equal keys by the smaller index. There must be
/// at least as many keys. O(n + k log(k) log(n)) for keys in no order.
void find_nearest(std::span<const double> keys, std::span<Index> nearest);

/// Gives all points that tie with the k-th nearest one key: those whose keys may hide that are measured in float64.
/// `kth`: the k-th nearest by its key. False if nothing was changed. O(n), and O(D) for each point that is measured.
bool settle_ties(const KeyOrigin& origin, Index k, Index kth, std::span<double> keys);

}  // namespace isogon
