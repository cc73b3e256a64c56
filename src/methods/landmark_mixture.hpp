#pragma once
#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

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
