#pragma once
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"

// New points as mixtures of fitted ones, each by itself: with weights that follow directions, or that sum to one.
namespace isogon {

/// Points that were fitted, and a row of coordinates for each.
struct FittedPoints {
    PointsView inputs{};
    PointsView coordinates{};
};

[[nodiscard]] const OptionTable<LandmarkWeightOptions>& landmark_weight_option_table();

/// Coordinates for `rows` as mixtures of the landmarks': y = sum_j w_j y_j over the k landmarks nearest by cosine (all
/// of them, if there are fewer), with the weights of Saul 2022, eq. 14. Each row stands alone: the same bits alone, in
/// a batch, in any order and on any number of threads, and twice the row gives twice the output. A zero row gets zero,
/// one so much longer than its neighbours that float32 cannot hold its output infinity. A landmark comes near its own
/// output, to about the ridge.
///
/// Time n m D for the cosines and n (k^2 D + k^3 / 3) for the weights; memory, stated first, that of the outputs and of
/// a band of rows. Throws InvalidArgument (no landmarks, another dimension or number of outputs, an option out of
/// bounds), InputError (NaN or infinity by row and column), LimitExceeded; Interruption when the context ends the run.
[[nodiscard]] Points mix_landmark_outputs(const PointsView& rows, const FittedPoints& landmarks,
                                          const LandmarkWeightOptions& options = {}, const RunContext& context = {});

/// mix_landmark_outputs() from all fitted points. A fitted row gets its coordinates only approximately.
class LandmarkWeights final : public NewPointMap {
public:
    /// The fitted points must outlive this. Throws InvalidArgument for options out of bounds.
    LandmarkWeights(const FittedPoints& fitted, const LandmarkWeightOptions& options);

    [[nodiscard]] Index input_dimension() const override { return fitted_.inputs.dimension; }
    [[nodiscard]] Index output_dimension() const override { return fitted_.coordinates.dimension; }
    [[nodiscard]] Index fitted_count() const override { return fitted_.coordinates.count; }

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    FittedPoints fitted_;
    LandmarkWeightOptions options_;
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
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    PointsView inputs_;
    PointsView coordinates_;
    Index neighbors_ = 0;
    double ridge_ = 0.0;
    Metric metric_ = Metric::Euclidean;
};

}  // namespace isogon
