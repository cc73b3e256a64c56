#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "linalg/dense_matrix.hpp"

// From coordinates back to inputs. As maps of new points whose "inputs" are coordinates (d numbers) and whose
// "coordinates" are inputs (D numbers).
namespace isogon {

/// Inputs as mixtures of fitted ones: by the weights, which sum to one, by which its nearest fitted coordinates rebuild
/// a row (graph/barycentric_weights.hpp). A fitted row's coordinates give its own inputs, bit for bit, those of several
/// equal ones the first of these. The further coordinates are from all fitted ones, the less the inputs mean.
/// n m d + n (k^2 d + k^3 / 3 + k D) operations.
class InverseMixture final : public NewPointMap {
public:
    /// Fitted inputs and their coordinates must outlive this.
    InverseMixture(const PointsView& inputs, const PointsView& coordinates);

    [[nodiscard]] Index input_dimension() const override { return coordinates_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index fitted_count() const override { return inputs_.count; }
    [[nodiscard]] std::string_view only_way() const override;

    /// Fitted coordinates that a row is mixed of, twice as many as determine a place in d dimensions: as few as these
    /// follow curved data, and noise in one of them does not decide. All, if there are fewer.
    [[nodiscard]] static Index neighbors_for(Index dimension, Index fitted);

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    PointsView inputs_;
    PointsView coordinates_;
};

/// The inputs nearest the origin, or the mean, that a linear map takes to a row; of nmf the sum of parts: x = A y +
/// offset. O(n d D).
class LinearInverse final : public NewPointMap {
public:
    /// A is D x d, the offset D numbers.
    LinearInverse(DenseMatrix a, std::vector<double> offset);
    /// Inverts a model of svd or pca, or one of nmf. Throws InputError as the maps of these do.
    [[nodiscard]] static std::unique_ptr<NewPointMap> of_projection(const Archive& model);
    [[nodiscard]] static std::unique_ptr<NewPointMap> of_parts(const Archive& model);

    [[nodiscard]] Index input_dimension() const override { return static_cast<Index>(a_.columns); }
    [[nodiscard]] Index output_dimension() const override { return static_cast<Index>(a_.rows); }
    [[nodiscard]] Index fitted_count() const override { return 0; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    DenseMatrix a_;
    std::vector<double> offset_;
};

}  // namespace isogon
