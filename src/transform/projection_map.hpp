#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/truncated_svd.hpp"

namespace isogon {

/// Projections on the directions of svd and pca: the bits of the fit for a fitted row. O(n D d) time.
class ProjectionMap final : public NewPointMap {
public:
    /// The arrays of an archive: "directions" (D, d), "center" (D), "centered" (), "unit" (), the unit of length in
    /// which the directions were found.
    [[nodiscard]] static std::map<std::string, Array, std::less<>> arrays(const TruncatedSvd& svd, double unit);
    /// Throws InputError for arrays that are missing or are no such map.
    explicit ProjectionMap(const Archive& archive);

    [[nodiscard]] Index input_dimension() const override { return static_cast<Index>(svd_.directions.rows); }
    [[nodiscard]] Index output_dimension() const override { return static_cast<Index>(svd_.directions.columns); }
    [[nodiscard]] Index fitted_count() const override { return 0; }
    [[nodiscard]] std::string_view only_way() const override;
    /// In units of unit().
    [[nodiscard]] const TruncatedSvd& decomposition() const { return svd_; }
    [[nodiscard]] double unit() const { return unit_; }

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    TruncatedSvd svd_;
    double unit_ = 1.0;
};

/// Projections of points whose unit of length is 1, on directions that were found where it was `unit`. Throws
/// InputError naming the first row whose length float32 does not hold; coordinates that it does not hold are infinite.
[[nodiscard]] Points project_in_unit(const PointsView& x, const TruncatedSvd& svd, double unit,
                                     const RunContext& context);

/// Throws InputError naming the first row and column (both counted from 0) that hold a negative number.
void require_nonnegative(const PointsView& x);

/// Coordinates for a fixed H: the w >= 0 that minimises |x - w H|, each row by itself. The last step of nmf and the
/// transform of its models are this one function, so a fitted row gets the same bits.
class NonnegativeProjection final : public NewPointMap {
public:
    struct Result {
        Points coordinates;
        Index unsettled = 0;  ///< rows whose descent was ended by the limit of sweeps
    };

    /// `parts` is H^T, D x d. Coordinates follow a reordering of the parts, bit for bit.
    explicit NonnegativeProjection(const MultiVector<float>& parts);
    /// Throws InputError naming the archive unless it holds "parts": d x D float32, none negative, of length 1 or 0.
    explicit NonnegativeProjection(const Archive& archive);

    /// n D d for the products and at most 1000 n d^2, commonly some 50 n d^2. Rows are solved in a unit of length of
    /// their own, a power of two. Throws InputError for a negative number, NaN, infinity, or a length beyond float32;
    /// Interruption.
    [[nodiscard]] Result project(const PointsView& x, const RunContext& context) const;

    /// H as an archive keeps it: "parts" (d, D).
    [[nodiscard]] std::map<std::string, Array, std::less<>> arrays() const;

    [[nodiscard]] Index input_dimension() const override { return static_cast<Index>(factor_.rows); }
    [[nodiscard]] Index output_dimension() const override { return static_cast<Index>(factor_.columns); }
    [[nodiscard]] Index fitted_count() const override { return 0; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    /// project(), with "unsettled" counted.
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;
    void sort_parts();
    Index project_rows(const PointsView& x, std::span<const double> lengths, Index first, Points& result) const;

    DenseMatrix factor_;        ///< H^T, columns sorted
    std::vector<Index> place_;  ///< coordinate that a column of factor_ is for
    DenseMatrix gram_;          ///< H H^T, in the same order
};

}  // namespace isogon
