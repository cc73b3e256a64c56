#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/metric_space.hpp"
#include "pairs/quantized_points.hpp"

namespace isogon {

/// A metric's points in fewer numbers: z_i = (P x_i, |x_i - P^T P x_i|), of the points x as MetricSpace prepares them,
/// P their coordinates along the first of the top singular directions. By the triangle inequality
/// |z_i - z_j| <= |x_i - x_j|, but for rounding.
class Contraction {
public:
    /// The numbers of directions that a pass may take.
    static std::span<const Index> directions_tried();

    /// Learns the directions from up to 20,000 rows: O(rows D^2 + n D r) time, n r floats, r up to D / 4 and 192.
    Contraction(const MetricSpace& space, const RunContext& context);

    [[nodiscard]] const MetricSpace& space() const { return space_; }
    [[nodiscard]] Index count() const { return coordinates_.count(); }
    [[nodiscard]] Index most_directions() const { return coordinates_.dimension(); }

    /// z of some rows.
    [[nodiscard]] Points operator()(std::span<const Index> rows, Index directions) const;
    /// z of one.
    void write(Index i, Index directions, std::span<float> z) const;
    /// z of rows in an order, in 8-bit integers about their mean: small numbers have small errors.
    [[nodiscard]] QuantizedPoints quantized(std::span<const Index> order, Index directions,
                                            const RunContext& context) const;
    /// All points, near ones together.
    [[nodiscard]] std::vector<Index> order(const RunContext& context) const;

    /// Adds to `counts` how many of the rows `others` are, by the coordinates along each of these numbers of
    /// directions, no further from this row.
    void count_within(Index row, double squared, std::span<const Index> others, std::span<const Index> directions,
                      std::span<double> counts) const;

    /// For each of some rows, a distance within which there are k others: the k-th among the points of the nearest
    /// clusters of few coordinates; infinite where these are fewer. Near rows should follow each other. O(n^1.5) of
    /// those coordinates, and a few k distances a row. Where the run ends meanwhile, those of the rest are infinite:
    /// ranks have different numbers of rows and agree later.
    [[nodiscard]] std::vector<float> distances_with_k_within(std::span<const Index> rows, Index k,
                                                             const RunContext& context) const;

private:
    void project_rows(Range rows, const TruncatedSvd& svd, const RunContext& context);
    [[nodiscard]] Points keys(Index width) const;

    const MetricSpace& space_;
    Points coordinates_;
};

}  // namespace isogon
