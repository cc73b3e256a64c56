#pragma once
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// How points that were not fitted become mixtures of points that were: by weights that sum to one over the nearest
/// (graph/barycentric_weights.hpp).
struct BarycentricMap {
    std::vector<Index> landmarks{};  ///< the fitted rows of which others are mixtures
    Points coordinates{};            ///< theirs, as many rows
    Index neighbors = 0;             ///< of which a mixture is made
    double ridge = 0.0;              ///< of its weights
    Metric metric = Metric::Euclidean;
};

/// Coordinates of new points as mixtures of fitted ones: x = sum_l z_l(y) x_l over the nearest landmarks, with weights
/// that sum to one (Vladymyrov and Carreira-Perpinan, ECML 2013, the out-of-sample mapping of locally linear
/// landmarks). A landmark gets its own coordinates, bit for bit. Borrows the arrays of the archive.
/// n m D + n (k^2 D + k^3 / 3) operations.
class BarycentricMixture final : public NewPointMap {
public:
    /// Adds what the constructor reads: the landmarks' rows of x, their coordinates, and how mixtures are made.
    static void write(const PointsView& x, const BarycentricMap& map, Archive& archive);
    /// Throws InputError for arrays that are missing or do not belong together.
    explicit BarycentricMixture(const Archive& archive);

    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return coordinates_.dimension; }
    [[nodiscard]] Index fitted_count() const override { return coordinates_.count; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Summary& summary,
                                        const RunContext& context) const override;

    PointsView inputs_;
    PointsView coordinates_;
    Index neighbors_ = 0;
    double ridge_ = 0.0;
    Metric metric_ = Metric::Euclidean;
};

}  // namespace isogon
