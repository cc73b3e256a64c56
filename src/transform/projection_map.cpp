#include "transform/projection_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/nonnegative_factorization.hpp"

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
              .values = {{0x1p-150, 0x1p127, ArchiveRange::Form::PowerOfTwo}}});
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
void project_long_row(std::span<const float> x, const TruncatedSvd& svd, double unit, std::span<float> y) {
    for (std::size_t a = 0; a < y.size(); ++a) {
        double sum = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            sum += (double{x[k]} - (svd.center.empty() ? 0.0 : svd.center[k] * unit)) * svd.directions(k, a);
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
    // One by one: GCC 12 mislays what a braced list has made when it runs out of memory half way (make faults).
    std::map<std::string, Array, std::less<>> made;
    made["directions"] = {{directions.rows, directions.columns}, std::move(rows)};
    made["center"] = {{directions.rows}, std::move(center)};
    made["centered"] = {{}, std::vector<std::uint64_t>{svd.center.empty() ? 0U : 1U}};
    made["unit"] = {{}, std::vector<double>{unit}};
    return made;
}

ProjectionMap::ProjectionMap(const Archive& archive) : svd_(decomposition_in(archive)), unit_(archive.number("unit")) {}

std::string_view ProjectionMap::only_way() const {
    return "is a linear map, which places every row exactly as it placed the fitted ones";
}

Points ProjectionMap::coordinates_of(const PointsView& rows, Transformed& /*transformed*/,
                                     const RunContext& context) const {
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
            project_long_row(x[i], svd, unit, result[i]);
        }
    }
    return result;
}

namespace {

constexpr std::size_t projected_rows_in_block = 240;  // five panels
constexpr double largest_float{std::numeric_limits<float>::max()};

/// In float64 throughout: all rows are solved by it.
DenseMatrix gram_of(const DenseMatrix& factor) {
    DenseMatrix gram(factor.columns, factor.columns);
    for (std::size_t k = 0; k < gram.columns; ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
            const double* a = factor.values.data() + k * factor.rows;
            const double* b = factor.values.data() + l * factor.rows;
            gram(k, l) = gram(l, k) = std::inner_product(a, a + factor.rows, b, 0.0);
        }
    }
    return gram;
}

DenseMatrix factor_in(const Archive& archive) {
    constexpr double most_entry = 1.001;  // of rows of length 1, to rounding
    ArchiveSchema(ArchiveKind::Model)
        .add({.name = "parts", .shape = {"d", "D"}, .values = {{0, most_entry}}, .unit_rows = true})
        .require(archive);
    const PointsView parts = points_view(archive, "parts");
    DenseMatrix factor(parts.dimension, parts.count);
    for (Index k = 0; k < parts.count; ++k) {
        std::copy(parts[k].begin(), parts[k].end(), factor.values.begin() + std::ptrdiff_t{k} * parts.dimension);
    }
    return factor;
}

/// The power of two by which a row of this length is divided.
double unit_for(double length) {
    return length > 0.0 ? std::ldexp(1.0, std::ilogb(length)) : 1.0;
}

}  // namespace

void require_nonnegative(const PointsView& x) {
    for (Index i = 0; i < x.count; ++i) {
        const auto row = x[i];
        for (Index k = 0; k < x.dimension; ++k) {
            if (row[k] < 0.0F) {
                throw InputError("input", "row " + std::to_string(i) + ", column " + std::to_string(k),
                                 "the value is " + to_text(double{row[k]}) +
                                     ". Negative values in data passed to nmf are refused: use svd or faithful, which "
                                     "take them, or, where they mean nothing, set them to 0");
            }
        }
    }
}

NonnegativeProjection::NonnegativeProjection(const MultiVector<float>& parts) : factor_(parts.rows(), parts.columns()) {
    for (std::size_t k = 0; k < factor_.columns; ++k) {
        for (std::size_t i = 0; i < factor_.rows; ++i) {
            factor_(i, k) = double{parts.row(i)[k]};
        }
    }
    sort_parts();
}

NonnegativeProjection::NonnegativeProjection(const Archive& archive) : factor_(factor_in(archive)) {
    sort_parts();
}

/// Coordinate descent sees the parts in an order that they bring along, so that no bit depends on their numbers.
void NonnegativeProjection::sort_parts() {
    const auto column = [&](Index k) {
        return std::span<const double>(factor_.values).subspan(k * factor_.rows, factor_.rows);
    };
    place_.resize(factor_.columns);
    std::iota(place_.begin(), place_.end(), Index{0});
    std::stable_sort(place_.begin(), place_.end(), [&](Index a, Index b) {
        return std::lexicographical_compare(column(a).begin(), column(a).end(), column(b).begin(), column(b).end());
    });
    DenseMatrix sorted(factor_.rows, factor_.columns);
    for (std::size_t k = 0; k < place_.size(); ++k) {
        std::copy_n(column(place_[k]).begin(), factor_.rows, sorted.values.data() + k * factor_.rows);
    }
    factor_ = std::move(sorted);
    gram_ = gram_of(factor_);
}

NonnegativeProjection::Result NonnegativeProjection::project(const PointsView& x, const RunContext& context) const {
    require_finite(x, "input");
    require_nonnegative(x);
    const std::vector<double> lengths = lengths_in_float(x);
    Result result{Points(x.count, output_dimension())};
    const std::size_t blocks = block_count(x.count, projected_rows_in_block);
    std::vector<Index> unsettled(blocks);
    constexpr std::size_t blocks_at_once = 64;  // between two looks at the context
    for (std::size_t first = 0; first < blocks; first += blocks_at_once) {
        throw_if_cancelled(context);
        parallel_tasks(context, std::min(blocks_at_once, blocks - first), [&](std::size_t b) {
            unsettled[first + b] =
                project_rows(x, lengths, static_cast<Index>((first + b) * projected_rows_in_block), result.coordinates);
        });
    }
    result.unsettled = std::accumulate(unsettled.begin(), unsettled.end(), Index{0});
    return result;
}

/// A block of rows; returns how many are unsettled.
Index NonnegativeProjection::project_rows(const PointsView& x, std::span<const double> lengths, Index first,
                                          Points& result) const {
    const auto count = std::min(static_cast<Index>(projected_rows_in_block), x.count - first);
    std::vector<double> units(count);
    std::vector<double> factors(count);
    for (Index i = 0; i < count; ++i) {
        units[i] = unit_for(lengths[first + i]);
        factors[i] = 1.0 / units[i];
    }
    RunContext alone;
    alone.threads = 1;
    const MultiVector<float> products = multiply(aligned_rows(x, first, count, factors), factor_, alone);
    NonnegativeRow problem(gram_);
    std::vector<double> right(factor_.columns);
    std::vector<double> weights(factor_.columns);
    Index unsettled = 0;
    for (Index i = 0; i < count; ++i) {
        std::copy_n(products.row(i), right.size(), right.begin());
        std::fill(weights.begin(), weights.end(), 0.0);
        unsettled += problem.improve(right, weights, {}) ? 0 : 1;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            result[first + i][place_[k]] = static_cast<float>(std::min(weights[k] * units[i], largest_float));
        }
    }
    return unsettled;
}

std::map<std::string, Array, std::less<>> NonnegativeProjection::arrays() const {
    std::vector<float> rows(factor_.values.size());  // the columns of H^T are the rows of H
    for (std::size_t k = 0; k < place_.size(); ++k) {
        for (std::size_t i = 0; i < factor_.rows; ++i) {
            rows[place_[k] * factor_.rows + i] = static_cast<float>(factor_(i, k));
        }
    }
    std::map<std::string, Array, std::less<>> made;
    made["parts"] = {{factor_.columns, factor_.rows}, std::move(rows)};
    return made;
}

std::string_view NonnegativeProjection::only_way() const {
    return "is a nonnegative map, which places every row exactly as it placed the fitted ones";
}

Points NonnegativeProjection::coordinates_of(const PointsView& rows, Transformed& transformed,
                                             const RunContext& context) const {
    Summary& summary = transformed.summary;
    Result projected = project(rows, context);
    summary.count("unsettled", projected.unsettled);
    return std::move(projected.coordinates);
}

}  // namespace isogon
