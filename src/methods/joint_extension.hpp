#pragma once
#include <span>

#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/extend/locally_linear_extension.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"

namespace isogon {

/// Locally linear extension among `points`, of which `landmarks` have `coordinates`, by the given lists of all points'
/// neighbours, or by neighbours searched here (by cosine; the summary then has their seconds and recall). No outputs
/// when the context ends the run before there are any. The memory of search and extension is stated first. Throws as
/// extend_locally_linearly() does.
[[nodiscard]] LocallyLinearExtension extend_among(const PointsView& points, std::span<const Index> landmarks,
                                                  const PointsView& coordinates, const NeighborLists* lists,
                                                  const LocallyLinearOptions& options, const RunContext& context);

/// Coordinates for `rows` by locally linear extension from fitted points, which are its landmarks: Transformer::extend
/// with the model's arrays at hand. Lists, if given, are those of the rows followed by the fitted points.
[[nodiscard]] Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                                      const LocallyLinearOptions& options, const RunContext& context,
                                      const NeighborLists* lists = nullptr);

/// extend_to_all() by LLX: all points are read, the neighbours of each searched unless `lists` has them, and the
/// unknown coordinates found together. Memory stated first: all points, and what search and solution take.
[[nodiscard]] Summary extend_by_llx(const LandmarkFit& fit, const RowSource& source, RowSink& sink,
                                    const LocallyLinearOptions& options, const RunContext& context,
                                    const NeighborLists* lists);

/// Coordinates of new points as mixtures of fitted ones: x = sum_l z_l(y) x_l over the nearest landmarks, with weights
/// that sum to one (Vladymyrov and Carreira-Perpinan, ECML 2013, the out-of-sample mapping of locally linear
/// landmarks). A landmark gets its own coordinates, bit for bit. Borrows the arrays of the archive.
class LandmarkMixture {
public:
    /// Throws InputError for arrays that are missing or do not belong together.
    explicit LandmarkMixture(const Archive& archive);

    /// Each row stands alone. n m D + n (k^2 D + k^3 / 3) operations. Throws InputError for NaN, Interruption.
    [[nodiscard]] Points transform(const PointsView& rows, const RunContext& context) const;

    [[nodiscard]] Index input_dimension() const { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const { return coordinates_.dimension; }

    /// What the constructor reads: the landmarks' rows of x, their coordinates, and how mixtures are made.
    static void write(const PointsView& x, const BarycentricMap& map, Archive& archive);

private:
    PointsView inputs_;
    PointsView coordinates_;
    Index neighbors_ = 0;
    double ridge_ = 0.0;
    Metric metric_ = Metric::Euclidean;
};

}  // namespace isogon
