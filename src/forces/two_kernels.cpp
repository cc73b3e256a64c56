#include "forces/two_kernels.hpp"

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/system_memory.hpp"
#include "forces/repulsion.hpp"
#include "isogon/core/points.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

constexpr std::size_t attracted_rows_of_task = 256;

/// Adds the attraction of row i's entries to row i of `gradient`, which holds the repulsion; returns sum_j a_ij k_ij.
double pull_row(const CsrMatrix<double>& a, const MultiVector<double>& y, std::size_t i, double push,
                double* gradient) {
    const double* own = y.row(i);
    double sum = 0.0;
    for (Index c = 0; c < y.columns(); ++c) {
        gradient[c] *= push;
    }
    for (Offset e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
        const double* other = y.row(a.indices[e]);
        const double k = 1.0 / (1.0 + squared_distance(own, other, y.columns()));
        sum += a.values[e] * k;
        const double force = 4.0 * a.values[e] * k * k;
        for (Index c = 0; c < y.columns(); ++c) {
            gradient[c] += force * (own[c] - other[c]);
        }
    }
    return sum;
}

/// Off the diagonal, with the other sign; and the sum of the diagonal.
struct Parts {
    CsrMatrix<double> negated{};
    double trace = 0.0;
};

Parts split(const CsrMatrix<double>& matrix) {
    Parts parts{.negated = {.rows = matrix.rows, .columns = matrix.columns}};
    parts.negated.indices.reserve(matrix.entries());
    parts.negated.values.reserve(matrix.entries());
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t e = 0; e < matrix.row_indices(i).size(); ++e) {
            if (matrix.row_indices(i)[e] == i) {
                parts.trace += matrix.row_values(i)[e];
            } else {
                parts.negated.indices.push_back(matrix.row_indices(i)[e]);
                parts.negated.values.push_back(-matrix.row_values(i)[e]);
            }
        }
        parts.negated.offsets.push_back(parts.negated.indices.size());
    }
    return parts;
}

}  // namespace

double TwoKernelObjective::gradient(const MultiVector<double>& y, MultiVector<double>& gradient,
                                    const RunContext& context) const {
    constexpr int power = 2;
    const double closeness = sum_over_pairs(y, power, gradient, context);
    const double push = -4.0 * power * repulsion;
    const double pulled = parallel_sum(context, y.rows(), attracted_rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            sum += pull_row(attractions, y, i, push, gradient.row(i));
        }
        return sum;
    });
    return constant - pulled + repulsion * closeness;
}

TwoKernelObjective pca_with_two_kernels(CsrMatrix<double> input_kernel) {
    const std::vector<double>& values = input_kernel.values;
    TwoKernelObjective objective{.constant = std::inner_product(values.begin(), values.end(), values.begin(), 0.0)};
    for (double& value : input_kernel.values) {
        value *= 2.0;  // the mixed term of the square
    }
    objective.attractions = std::move(input_kernel);
    return objective;
}

TwoKernelObjective lle_with_two_kernels(const CsrMatrix<double>& weights, const RunContext& context) {
    const CsrMatrix<double> rest = identity_minus(weights);
    // The weights, I - W and its transpose.
    const std::uint64_t held = 3 * rest.bytes();
    CsrMatrix<double> m = product(transpose(rest), rest, beside(context, held));
    trim_heap();  // threads have freed parts of the product, each in a heap of its own
    symmetrise(m);
    Parts parts = split(m);
    return {.attractions = std::move(parts.negated),
            .repulsion = 1.0 / static_cast<double>(weights.rows),
            .constant = parts.trace + 1.0};  // k_ii = 1
}

}  // namespace isogon
