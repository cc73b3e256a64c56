#include "isogon/transform/nonnegative_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"
#include "isogon/linalg/nonnegative_factorization.hpp"

namespace isogon {

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
    constexpr double most = 1.001;  // of rows of length 1, to rounding
    ArchiveSchema(ArchiveKind::Model)
        .add({.name = "parts", .shape = {"d", "D"}, .values = {{0, most}}, .unit_rows = true})
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
    return length > 0.0 ? std::exp2(std::floor(std::log2(length))) : 1.0;
}

}  // namespace

void require_nonnegative(const PointsView& x) {
    for (Index i = 0; i < x.count; ++i) {
        const auto row = x[i];
        for (Index k = 0; k < x.dimension; ++k) {
            if (row[k] < 0.0F) {
                throw InputError("input", "row " + std::to_string(i) + ", column " + std::to_string(k),
                                 "the value is " + to_text(double{row[k]}) +
                                     ", and nmf takes no negative numbers: use svd or faithful, which do, or, where "
                                     "negative ones mean nothing, set them to 0");
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
    return {{"parts", {{factor_.columns, factor_.rows}, std::move(rows)}}};
}

std::string_view NonnegativeProjection::only_way() const {
    return "is a nonnegative map, which places every row exactly as it placed the fitted ones";
}

Points NonnegativeProjection::coordinates_of(const PointsView& rows, Summary& summary,
                                             const RunContext& context) const {
    Result projected = project(rows, context);
    summary.count("unsettled", projected.unsettled);
    return std::move(projected.coordinates);
}

}  // namespace isogon
