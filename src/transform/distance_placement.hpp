#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "neighbors/ivf_index.hpp"

namespace isogon {

class ProximityGraph;
class EqualRowLookup;

/// Keeps what new points need of a fit: from `lists`, the K nearest of its points by the metric, come the radii and the
/// limit beyond which new points are far from all.
[[nodiscard]] LocalPlacement local_placement_of(const NeighborLists& lists, Metric metric, double repulsion);

/// The squared distance that outputs keep: by cosine and correlation the squared chord of unit vectors.
[[nodiscard]] constexpr double squared_output_distance(double distance, Metric metric) {
    return metric == Metric::Cosine || metric == Metric::Correlation ? 2.0 * distance : distance * distance;
}

/// The radii among the outputs.
[[nodiscard]] std::vector<float> output_radii(const LocalPlacement& local);

/// The two indexes of the fitted points: of the inputs (IvfIndex), and of the outputs.
class OutOfSampleIndexes {
public:
    /// The fewest fitted points for which a model keeps them: from there on a row placed by them costs a small part of
    /// one placed among all (bench/placement-index).
    static constexpr Index worthwhile = 32768;

    /// Indexes m fitted inputs (m x D), which must outlive this, and outputs (m x d). O(m^1.5 r) time, the exact
    /// neighbours of 256 rows and the 64 nearest of every output. Throws as IvfIndex, InvalidArgument for a metric
    /// without an index (is_of_products), Interruption.
    OutOfSampleIndexes(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                       const RunContext& context);
    /// As save() stored them in a model of these points. Throws InputError, LimitExceeded.
    OutOfSampleIndexes(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                       const Archive& model, const RunContext& context);
    ~OutOfSampleIndexes();
    OutOfSampleIndexes(OutOfSampleIndexes&&) noexcept;
    OutOfSampleIndexes& operator=(OutOfSampleIndexes&&) noexcept;
    OutOfSampleIndexes(const OutOfSampleIndexes&) = delete;
    OutOfSampleIndexes& operator=(const OutOfSampleIndexes&) = delete;

    /// Adds arrays to a model: "index." and what IvfIndex::archive_beside_points() has, and those of the outputs.
    void save(Archive& model) const;
    [[nodiscard]] static bool are_in(const Archive& model);

    [[nodiscard]] const IvfIndex& inputs() const { return inputs_; }
    [[nodiscard]] const ProximityGraph& outputs() const { return *outputs_; }

    /// Bytes that both take, the inputs not counted.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index input_dimension, Index output_dimension);

private:
    IvfIndex inputs_;
    std::unique_ptr<const ProximityGraph> outputs_;
};

/// How rows placed by the indexes compare with the same rows placed among all fitted points.
struct PlacementAgreement {
    Index rows = 0;                ///< that were placed both ways
    double near_found = 0.0;       ///< share of their K nearest fitted inputs that the index found
    double recall = 0.0;           ///< of their 10 nearest fitted inputs, the share among as many nearest outputs
    double exact_recall = 0.0;     ///< the same of the placement among all
    double median_distance = 0.0;  ///< between both outputs, as a share of the distance to the K-th nearest
};

/// Rows placed by distance.
struct PlacedByDistance {
    Points outputs;
    std::vector<float> nearest{};  ///< the distance of each to the nearest fitted input, as the metric says
    Index fitted = 0;              ///< rows equal to a fitted one: its stored output
    Index zero_vectors = 0;        ///< without a direction (has_direction): the mean of all outputs that have one
    Index unsettled = 0;           ///< not converged within 100 Newton steps
    std::uint64_t steps = 0;       ///< Newton steps that were taken, all rows together
    std::uint64_t looks = 0;       ///< at the outputs, likewise
};

/// Outputs for points that were not fitted, by the objective of a fit by distance with all fitted points fixed. With
/// squared distances D_j of the inputs from x (2 - 2 cos of metrics cosine and correlation, so that distances are
/// chords of unit vectors), r_x that of its K-th nearest fitted point and r_j that of the K-th nearest of j, a new x
/// gets a local minimiser y of
///     f(y) = sum_{near} ((E_j - D_j) / max(D_j, .05 median r))^2
///       + b sum_{others} (max(0, T_j - E_j) / T_j)^2,   E_j = |y - y_j|^2, T_j = min(D_j, max(r_x, r_j)),
/// where the K nearest are near: at f = 0 these are the K nearest of y, in order, and y is in no ball of another that x
/// is not in. A fit also attracts the points to whose K nearest x belongs. Tried here and left: these take up
/// dimensions that the row's own neighbours need (unseen words of GloVe, d = 32, recall@10: .722 instead of .807, and
/// fitted points keep no more of theirs: .967 and .966). The start is the mean of the near outputs with the weights of
/// the first sum.
///
/// The median is that of the r_j above 0. Where none is, as each point has K copies or more, r_x stands in its place.
///
/// Near points come from a search and others from a look at the outputs around y: at all of them, or, with indexes,
/// approximately and at a cost that hardly grows with the number of fitted points. What is done with either is the
/// same.
///
/// A row depends only on itself and the fitted points: it gets the same bits alone, in a batch, in any order and on any
/// number of threads, and among all points as by indexes that find all. A row whose numbers equal those of a fitted one
/// (0 equals -0) gets the stored output bit for bit, of the first one if several are equal.
class DistancePlacement final : public NewPointMap {
public:
    /// m fitted inputs (m x D) and outputs (m x d) must outlive this. `indexes`: null, to look at all. O(m (D + d))
    /// time; memory m (4 d + 32) bytes, stated first. Throws InvalidArgument (no coordinates, another number of
    /// outputs, K or b out of bounds, radii of other points), InputError (NaN or infinity), LimitExceeded.
    DistancePlacement(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                      std::shared_ptr<const OutOfSampleIndexes> indexes, const RunContext& context);

    /// A row costs a search among the inputs (m D multiplications among all), some five looks at the outputs (m d each)
    /// and ten Newton steps. Memory beside the outputs, stated first: the search of 8,192 rows and each thread's steps.
    /// Throws InvalidArgument for another dimension, InputError for NaN or infinity by row, LimitExceeded, all before
    /// work starts; Interruption when the context ends the run.
    [[nodiscard]] PlacedByDistance place(const PointsView& rows, const RunContext& context) const;
    /// Places rows both ways. About n m (D + d) multiplications for n rows. Rows that are fitted or without a direction
    /// are left out.
    [[nodiscard]] PlacementAgreement compare(const PointsView& rows, const RunContext& context) const;

    [[nodiscard]] bool is_approximate() const override { return indexes_ != nullptr; }
    void examine(const PointsView& rows, Summary& summary, const RunContext& context) const override;
    [[nodiscard]] Index fitted_count() const override { return inputs_.count; }
    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return outputs_.dimension; }

private:
    class Descent;

    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;
    [[nodiscard]] const ProximityGraph& graph() const;
    [[nodiscard]] std::vector<Index> unknown_rows(const PointsView& rows, PlacedByDistance& placed) const;
    [[nodiscard]] NeighborLists search(const PointsView& rows, const RunContext& context) const;
    void place_group(const PointsView& rows, std::span<const Index> chosen, const RunContext& context,
                     PlacedByDistance& placed) const;

    PointsView inputs_;
    PointsView outputs_;
    LocalPlacement local_;
    double floor_ = 0.0;  ///< .05 median r of those above 0; 0 where there are none
    std::shared_ptr<const OutOfSampleIndexes> indexes_;
    std::shared_ptr<const ProximityGraph> all_{};    ///< without edges, where there are no indexes
    std::shared_ptr<const EqualRowLookup> known_{};  ///< finds rows that were fitted
};

}  // namespace isogon
