#pragma once
#include <functional>
#include <map>
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// Projections on the directions of svd and pca: the bits of the fit for a fitted row. O(n D d) time.
class ProjectionMap final : public NewPointMap {
public:
    /// What an archive keeps: "directions" (D, d), "center" (D), "centered" (), "unit" (), the unit of length in which
    /// the directions were found.
    [[nodiscard]] static std::map<std::string, Array, std::less<>> arrays(const TruncatedSvd& svd, double unit);
    /// Throws InputError for arrays that are missing or are no such map.
    explicit ProjectionMap(const Archive& archive);

    [[nodiscard]] Index input_dimension() const override { return static_cast<Index>(svd_.directions.rows); }
    [[nodiscard]] Index output_dimension() const override { return static_cast<Index>(svd_.directions.columns); }
    [[nodiscard]] Index fitted_count() const override { return 0; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Summary& summary,
                                        const RunContext& context) const override;

    TruncatedSvd svd_;
    double unit_ = 1.0;
};

/// Projections of points whose unit of length is 1, on directions that were found where it was `unit`. Throws
/// InputError naming the first row whose length, or whose coordinates, float32 does not hold.
[[nodiscard]] Points project_in_unit(const PointsView& x, const TruncatedSvd& svd, double unit,
                                     const RunContext& context);

}  // namespace isogon
