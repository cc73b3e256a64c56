#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

// Angles of pairs of points in inputs and outputs: of one tile, and compared over all pairs of a set or of two sets.
namespace isogon {

/// Such a row has no direction, hence no angles.
[[nodiscard]] inline bool is_zero(const PackedPoints& points, Index i) {
    for (Index k = 0; k < points.depth(); ++k) {
        if (points.at(i, k) != 0.0F) {
            return false;
        }
    }
    return true;
}

/// From this cosine on differences are used instead. At 0.95, 18 degrees, an error of 5e-7 of the cosine, usual with a
/// thousand coordinates of one sign, is one of 1e-4 degrees; at 0.99 it would be twice that.
inline constexpr float near_cosine = 0.95F;

/// |row_i - column_j|^2 of point i of one panel and all 48 of another, to float32's rounding of itself however near
/// they are: differences of near points are exact.
void squared_differences(PanelView<float> rows, Index i, PanelView<float> columns, std::size_t depth,
                         std::array<double, panel_width>& squares);

/// Angles between the unit points of one tile: from the cosine where that is accurate, from the distance where it is
/// not. Near 1 an error e of the cosine becomes sqrt(2 e) of the angle, 0.03 degrees in float32, while half the
/// distance is the sine of half the angle to all digits. Near -1 there is no correction: 0.03 degrees of 180 do not
/// matter.
class TileAngles {
public:
    /// `values` are the tile's cosines, 48 x 48, made from these rows and columns; all must outlive this.
    TileAngles(const PackedPoints& rows, const PackedPoints& columns, const PairTile& tile, const float* values)
        : left_(rows.panel(tile.first_row / panel_width)),
          right_(columns.panel(tile.first_column / panel_width)),
          depth_(rows.depth()),
          values_(values) {}

    [[nodiscard]] const float* cosines() const { return values_; }

    /// The angle in radians between point i of the tile's rows and point j of its columns. The cheapest order of calls
    /// is row by row: the distances of a row, O(48 depth), are kept until another row is requested.
    [[nodiscard]] double operator()(Index i, Index j);
    /// 1 - cosine of that angle, with as many digits.
    [[nodiscard]] double versine(Index i, Index j);

private:
    [[nodiscard]] double squared_distance(Index i, Index j);
    void measure_row(Index i);

    PanelView<float> left_;
    PanelView<float> right_;
    std::size_t depth_;
    const float* values_;
    Index measured_row_ = panel_width;  ///< none yet
    std::array<double, panel_width> squared_distances_{};
};

/// Whether the cosine of x and y is above a threshold t > 0, decided in float64 without a root or a quotient: x.y > 0
/// and (x.y)^2 > t^2 |x|^2 |y|^2, which is exact for whole numbers and thresholds such as 0.5. O(D).
[[nodiscard]] bool is_above(std::span<const float> x, std::span<const float> y, double threshold);

/// Cosines of a tile as float32 has them are wrong in their last digits, and `values[k] > float(threshold)` with them
/// where a cosine is the threshold or near it. Moves those that rounding may have put on the wrong side, by no more
/// than that rounding, to the right one. `points` are those that the tile's columns count, and its rows; or the rows
/// are those that `rows` lists. O(D) for each of them.
void settle_edge(const PointsView& points, double threshold, const PairTile& tile, float* values,
                 std::span<const Index> rows = {});

/// Sums over pairs of points: how many are above the threshold in x, in y and in both, and the differences of the
/// angles of those above it in x.
struct PairSums {
    double deviation = 0.0;  ///< radians
    std::uint64_t in_x = 0;
    std::uint64_t in_y = 0;
    std::uint64_t in_both = 0;

    void add(const PairSums& other);
    /// Equation 11 of Saul 2022, the mean over the pairs in x, in degrees; 0 without any.
    [[nodiscard]] double mean_degrees() const;
    /// Equation 12: the pairs in both over the pairs in either; 1 without any.
    [[nodiscard]] double jaccard() const;
};

/// Adds the pairs of one tile to `sums`, and collects the places of those above the threshold in x; `hits.values` are
/// by how many radians their angles differ. The threshold is positive, so places past the last point are in no pair.
void add_tile(TileAngles& x_angle, TileAngles& y_angle, float threshold, PairSums& sums, TileEntries& hits);

/// Equations 11 and 12 of Saul 2022, and other results of the same pass over all pairs.
struct AngleScore {
    double mean_deviation_degrees = 0.0;
    double jaccard = 1.0;
    double mean_without_self_degrees = 0.0;  ///< the same two over pairs of different points
    double jaccard_without_self = 1.0;
    double sparsity = 1.0;  ///< share of ordered pairs i != j of x at or below the threshold
    Index isolated = 0;     ///< rows of x, not zero vectors, that no other point is above the threshold with
};

/// Points of a score with their directions, as pack_directions() packs them.
struct DirectedPoints {
    PointsView points;
    const PackedPoints& directions;
};

/// The input of compare_angles(): two sets of points of one count.
struct AngleProblem {
    DirectedPoints x;
    DirectedPoints y;
    double threshold;
    std::span<const Index> rows{};  ///< the points whose pairs with all others count, ascending; empty: all points
};

/// Compares the angles of y with those of x over the pairs of x above the threshold. Pairs are ordered and the diagonal
/// counts, as in the paper: a point that is no zero vector is above the threshold with itself, and its deviation is 0.
/// A zero vector is in no pair; where only y has one, it counts as at right angles to all. Without a single pair the
/// deviation is 0 and the Jaccard index 1. The counts are exact (settle_edge); the sum is taken in float64 by rows of
/// tiles: the same bits for any number of threads. `points`, if not null, receives what belongs to each row. Throws
/// Interruption. O(n^2 (D + d) / 2) time, of s rows O(s n (D + d)); 48 bytes a tile row, 16 bytes a row, and of a
/// sample its directions once more.
[[nodiscard]] AngleScore compare_angles(const AngleProblem& problem, const RunContext& context,
                                        PointAngles* points = nullptr);

/// Directions of inputs and of their coordinates, as pack_directions returns them, in the same order.
struct DirectionPair {
    PackedPoints x;
    PackedPoints y;
};

/// Results of the pass over all pairs (placed, fitted).
struct CrossPairs {
    PairSums sums;
    Index alone = 0;  ///< placed points with no fitted point above the threshold in x; zero vectors are among them
};

/// Compares the cosines of placed points with all fitted ones in x with those in y. A zero vector is at right angles to
/// all. One pass by bands of 48 placed points: the same bits for any number of threads. Throws Interruption.
/// Time O(placed fitted (D + d)).
[[nodiscard]] CrossPairs compare_cross_pairs(const DirectionPair& placed, const DirectionPair& fitted, double threshold,
                                             const RunContext& context);

/// Bytes of the comparison: for each thread a band of cosines, 48 with all fitted points.
[[nodiscard]] std::uint64_t cross_pairs_bytes(Index placed, Index fitted, int threads);

}  // namespace isogon
