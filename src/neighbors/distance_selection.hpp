#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

// Selection of rows by their distance from those chosen before, for choose_landmarks(): drawn in proportion to it
// (k-means++), or always the farthest.
namespace isogon {

/// The state of k-means++ on directions: how far every row is from the nearest of those chosen, as 1 - cos, as of the
/// last pass; and those chosen since. See choose_landmarks().
class DistanceSampling {
public:
    /// The number of rows chosen between two passes: half as many as were chosen before, within these bounds. The first
    /// few change the distances of nearly all rows: a pass after each costs less than rejected draws.
    struct Batch {
        Index least = 1;
        Index most = 1;
    };

    /// Memory: bytes().
    DistanceSampling(const RowSource& source, std::uint64_t seed, Batch batch, const RunContext& context);

    /// Chooses rows until there are `requested` in all or a pass is due, then makes that pass. False when all other
    /// rows coincide with chosen ones or have no direction. Throws Interruption.
    bool choose(Index requested);

    /// The chosen rows in the order of their choice.
    [[nodiscard]] std::span<const Index> chosen() const { return chosen_; }

    [[nodiscard]] static std::uint64_t bytes(const RowSource& source, Batch batch);

private:
    [[nodiscard]] Index draw();
    void consider(Index row);
    void update();
    void update_block(Index first, const PointsView& rows);
    [[nodiscard]] std::vector<float> direction(Index row) const;
    void sum_distances();

    const RowSource& source_;
    const RunContext& context_;
    Random random_;
    Batch batch_;
    std::vector<float> distances_;  ///< 1 - cos to the nearest chosen row before the last pass; 2 where there was none
    std::vector<double> sums_;      ///< sums over blocks of distances_
    double total_ = 0.0;
    std::vector<Index> chosen_;
    std::vector<std::vector<float>> pending_;  ///< directions of the rows chosen since the last pass
};

/// Farthest-point traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): the first row
/// by the seed, then always the row with the largest Euclidean distance from the chosen ones; ties go to the smaller
/// index. Rows that coincide with chosen ones come last, in their order. In the order chosen. One pass over the source
/// and n D operations for each; memory farthest_points_bytes(). Throws Interruption.
[[nodiscard]] std::vector<Index> farthest_points(const RowSource& source, Index count, std::uint64_t seed,
                                                 const RunContext& context);

[[nodiscard]] std::uint64_t farthest_points_bytes(const RowSource& source);

}  // namespace isogon
