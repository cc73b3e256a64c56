#include "isogon/transform/projection_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"

namespace isogon {

namespace {

ArchiveSchema linear_schema() {
    using Scalar = ArchiveArray::Scalar;
    constexpr double largest = 1.001;  // of an entry of orthonormal directions, to rounding
    // The longest of the fitted points was no longer in their unit, nor is their mean.
    constexpr double longest = 1.001 * PowerOfTwoScaling::longest;
    return ArchiveSchema(ArchiveKind::Model)
        .size("d", {1, "D"})
        .add({.name = "directions", .scalar = Scalar::Float64, .shape = {"D", "d"}, .values = {{-largest, largest}}})
        .add({.name = "center", .scalar = Scalar::Float64, .shape = {"D"}, .values = {{-longest, longest}}})
        .add({.name = "centered", .scalar = Scalar::Uint64, .values = {{0, 1}}})
        .add({.name = "unit",
              .scalar = Scalar::Float64,
              .values = {{0x1p-149, 0x1p127, ArchiveRange::Form::PowerOfTwo}}});
}

TruncatedSvd decomposition_in(const Archive& archive) {
    const auto sizes = linear_schema().require(archive);
    const auto& values = archive.numbers<double>("directions", {sizes.at("D"), sizes.at("d")});
    TruncatedSvd svd;
    svd.directions = DenseMatrix(sizes.at("D"), sizes.at("d"));
    for (std::size_t i = 0; i < svd.directions.rows; ++i) {
        for (std::size_t a = 0; a < svd.directions.columns; ++a) {
            svd.directions(i, a) = values[i * svd.directions.columns + a];
        }
    }
    if (archive.count("centered") != 0) {
        svd.center = archive.numbers<double>("center", {sizes.at("D")});
    }
    return svd;
}

/// In float64, for a row that is longer than any fitted one could be.
void project_long_row(std::span<const float> x, const TruncatedSvd& svd, double unit, const std::string& place,
                      std::span<float> y) {
    for (std::size_t a = 0; a < y.size(); ++a) {
        double sum = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            sum += (double{x[k]} - (svd.center.empty() ? 0.0 : svd.center[k] * unit)) * svd.directions(k, a);
        }
        if (!(std::abs(sum) <= double{std::numeric_limits<float>::max()})) {
            throw InputError("input", place, "its coordinates are beyond the largest number of float32");
        }
        y[a] = static_cast<float>(sum);
    }
}

/// Rows of which `long_row` is true are left out: float32 may not hold them in the other unit.
template <class LongRow>
Points project_scaled(const PointsView& x, const TruncatedSvd& svd, double unit, const LongRow& long_row,
                      const RunContext& context) {
    Points scaled(x.count, x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        if (!long_row(i)) {
            std::transform(x[i].begin(), x[i].end(), scaled[i].begin(),
                           [&](float value) { return static_cast<float>(double{value} / unit); });
        }
    }
    Points result = project(scaled.view(), svd, context);
    for (float& value : result.values()) {
        value = static_cast<float>(double{value} * unit);
    }
    return result;
}

}  // namespace

std::map<std::string, Array, std::less<>> ProjectionMap::arrays(const TruncatedSvd& svd, double unit) {
    const DenseMatrix& directions = svd.directions;
    std::vector<double> rows;
    for (std::size_t i = 0; i < directions.rows; ++i) {
        for (std::size_t a = 0; a < directions.columns; ++a) {
            rows.push_back(directions(i, a));
        }
    }
    std::vector<double> center = svd.center;
    center.resize(directions.rows);  // zeros where nothing was subtracted
    return {{"directions", {{directions.rows, directions.columns}, std::move(rows)}},
            {"center", {{directions.rows}, std::move(center)}},
            {"centered", {{}, std::vector<std::uint64_t>{svd.center.empty() ? 0U : 1U}}},
            {"unit", {{}, std::vector<double>{unit}}}};
}

ProjectionMap::ProjectionMap(const Archive& archive) : svd_(decomposition_in(archive)), unit_(archive.number("unit")) {}

std::string_view ProjectionMap::only_way() const {
    return "is a linear map, which places every row exactly as it placed the fitted ones";
}

Points ProjectionMap::coordinates_of(const PointsView& rows, Summary& /*summary*/, const RunContext& context) const {
    require_finite(rows, "input");
    throw_if_cancelled(context);
    return project_in_unit(rows, svd_, unit_, context);
}

Points project_in_unit(const PointsView& x, const TruncatedSvd& svd, double unit, const RunContext& context) {
    const std::vector<double> lengths = lengths_in_float(x);
    const auto long_row = [&](Index i) { return lengths[i] > PowerOfTwoScaling::longest * unit; };
    Points result = unit == 1.0 ? project(x, svd, context) : project_scaled(x, svd, unit, long_row, context);
    for (Index i = 0; i < x.count; ++i) {
        if (long_row(i)) {
            project_long_row(x[i], svd, unit, "row " + std::to_string(i), result[i]);
        }
    }
    return result;
}

}  // namespace isogon
