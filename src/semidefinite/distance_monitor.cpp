#include "semidefinite/distance_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// X V |.|^-1 for the eigenvectors V of X^T X but the last; and once more, so that it is orthonormal to rounding.
MultiVector<double> centred_basis(const MultiVector<double>& q, const RunContext& context) {
    MultiVector<double> basis = q;
    for (int turn = 0; turn < 2; ++turn) {
        remove_means(basis);
        SmallEigen eigen = symmetric_eigen(gram(basis, basis, context), SpectrumOrder::Largest);
        const std::size_t kept = turn == 0 ? eigen.values.size() - 1 : eigen.values.size();
        DenseMatrix turned(eigen.vectors.rows, kept);
        for (std::size_t k = 0; k < kept; ++k) {
            for (std::size_t l = 0; l < turned.rows; ++l) {
                turned(l, k) = eigen.vectors(l, k) / std::sqrt(eigen.values[k]);
            }
        }
        basis = multiply(basis, turned, context);
    }
    return basis;
}

namespace {

constexpr std::size_t pairs_in_block = 4096;
constexpr std::size_t rows_in_block = 1024;

void require_constraints(const DistanceConstraints& constraints, Index points) {
    if (constraints.squared.size() != constraints.size() || constraints.size() == 0) {
        throw InvalidArgument(
            "constraints", std::to_string(constraints.squared.size()) + " distances",
            "must be at least one, and one for each of " + std::to_string(constraints.size()) + " pairs");
    }
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const auto& [i, j] = constraints.pairs[a];
        if (i >= points || j >= points) {
            throw InvalidArgument("constraint " + std::to_string(a), std::to_string(i) + " and " + std::to_string(j),
                                  "must be two of " + std::to_string(points) + " points");
        }
        if (!(constraints.squared[a] > 0.0 && std::isfinite(constraints.squared[a]))) {
            throw InvalidArgument("squared distance " + std::to_string(a), std::to_string(constraints.squared[a]),
                                  "must be above 0; take points that are equal once");
        }
    }
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double dot(const double* x, const std::vector<double>& y) {
    return std::inner_product(y.begin(), y.end(), x, 0.0);
}

/// The component of a vector orthogonal to orthonormal ones, normalized; projected twice, because of rounding.
void make_direction(std::vector<double>& v, const std::vector<std::vector<double>>& directions) {
    for (int turn = 0; turn < 2; ++turn) {
        for (const auto& direction : directions) {
            const double share = dot(v.data(), direction);
            std::transform(v.begin(), v.end(), direction.begin(), v.begin(),
                           [share](double a, double b) { return a - share * b; });
        }
    }
    const double length = std::sqrt(dot(v.data(), v));
    std::transform(v.begin(), v.end(), v.begin(), [length](double a) { return a / length; });
}

}  // namespace

DistanceMonitor::DistanceMonitor(const MultiVector<double>& basis, const DistanceConstraints& constraints,
                                 RunContext context)
    : basis_(basis), constraints_(constraints), context_(std::move(context)) {
    require_constraints(constraints, basis.rows());
    const double typical = median(ratios(basis));
    unit_ = typical > 0.0 ? 1.0 / typical : 1.0;
}

std::vector<double> DistanceMonitor::ratios(const MultiVector<double>& outputs) const {
    std::vector<double> result(size());
    parallel_blocks(context_, size(), pairs_in_block, [&](Range range) {
        for (std::size_t a = range.begin; a < range.end; ++a) {
            const auto& [i, j] = constraints_.pairs[a];
            result[a] = squared_distance(outputs.row(i), outputs.row(j), outputs.columns()) / constraints_.squared[a];
        }
    });
    return result;
}

std::vector<std::size_t> DistanceMonitor::spanning() const {
    constexpr double least_share = 1e-20;  // share of a squared length: less is rounding along earlier directions
    std::vector<double> left = ratios(basis_);
    const double longest = *std::max_element(left.begin(), left.end());
    std::vector<std::vector<double>> directions;
    std::vector<std::size_t> chosen;
    std::vector<double> products(basis_.rows());
    while (chosen.size() < basis_.columns()) {
        const auto farthest = static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
        if (!(left[farthest] > least_share * longest)) {
            break;
        }
        std::vector<double> direction = vector(farthest);
        make_direction(direction, directions);
        parallel_blocks(context_, basis_.rows(), rows_in_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                products[i] = dot(basis_.row(i), direction);
            }
        });
        parallel_blocks(context_, size(), pairs_in_block, [&](Range range) {
            for (std::size_t a = range.begin; a < range.end; ++a) {
                const auto& [i, j] = constraints_.pairs[a];
                const double part = products[i] - products[j];
                left[a] = std::max(0.0, left[a] - part * part / constraints_.squared[a]);
            }
        });
        left[farthest] = 0.0;
        chosen.push_back(farthest);
        directions.push_back(std::move(direction));
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

std::vector<double> DistanceMonitor::vector(std::size_t a) const {
    const auto& [i, j] = constraints_.pairs[a];
    const double scale = std::sqrt(unit_ / constraints_.squared[a]);
    std::vector<double> v(basis_.columns());
    std::transform(basis_.row(i), basis_.row(i) + basis_.columns(), basis_.row(j), v.begin(),
                   [scale](double x, double y) { return (x - y) * scale; });
    return v;
}

CsrMatrix<double> DistanceMonitor::vectors(const std::vector<std::size_t>& chosen) const {
    CsrMatrix<double> rows{.rows = static_cast<Index>(chosen.size()), .columns = basis_.columns()};
    for (const std::size_t a : chosen) {
        const std::vector<double> v = vector(a);
        for (Index k = 0; k < basis_.columns(); ++k) {
            rows.indices.push_back(k);
            rows.values.push_back(v[k]);
        }
        rows.offsets.push_back(rows.indices.size());
    }
    return rows;
}

double trace_bound(const CsrMatrix<double>& vectors, const std::vector<double>& prices) {
    DenseMatrix sum(vectors.columns, vectors.columns);
    double total = 0.0;
    for (Index a = 0; a < vectors.rows; ++a) {
        const double price = std::max(0.0, prices[a]);
        const auto v = vectors.row_values(a);
        const auto places = vectors.row_indices(a);
        total += price;
        for (std::size_t k = 0; k < v.size(); ++k) {
            for (std::size_t l = k; l < v.size(); ++l) {
                sum(places[l], places[k]) += price * v[k] * v[l];
            }
        }
    }
    const double least = symmetric_eigen(sum, SpectrumOrder::Smallest).values.front();
    return least > 0.0 && std::isfinite(total) ? total / least : std::numeric_limits<double>::infinity();
}

}  // namespace isogon
