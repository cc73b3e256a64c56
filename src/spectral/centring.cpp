#include "spectral/centring.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

void remove_means(MultiVector<double>& x) {
    std::vector<double> means(x.columns(), 0.0);
    for (std::size_t i = 0; i < x.rows(); ++i) {
        for (std::size_t j = 0; j < x.columns(); ++j) {
            means[j] += x.at(i, j);
        }
    }
    for (std::size_t i = 0; i < x.rows(); ++i) {
        for (std::size_t j = 0; j < x.columns(); ++j) {
            x.at(i, j) -= means[j] / x.rows();
        }
    }
}

std::vector<double> column_means(const CsrMatrix<double>& z) {
    std::vector<double> means(z.columns, 0.0);
    for (std::size_t k = 0; k < z.values.size(); ++k) {
        means[z.indices[k]] += z.values[k];
    }
    for (double& mean : means) {
        mean /= z.rows;
    }
    return means;
}

CsrMatrix<double> with_ones(const CsrMatrix<double>& z) {
    CsrMatrix<double> result{.rows = z.rows, .columns = z.columns + 1};
    result.indices.reserve(z.entries() + z.rows);
    result.values.reserve(z.entries() + z.rows);
    for (Index i = 0; i < z.rows; ++i) {
        result.indices.insert(result.indices.end(), z.row_indices(i).begin(), z.row_indices(i).end());
        result.values.insert(result.values.end(), z.row_values(i).begin(), z.row_values(i).end());
        result.indices.push_back(z.columns);
        result.values.push_back(1.0);
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

CsrMatrix<double> centred_reduction(const DenseMatrix& sums, const std::vector<double>& means) {
    const std::size_t size = means.size();
    DenseMatrix result(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            const double entry = (sums(i, j) + sums(j, i)) / 2.0;
            const double along = (sums(i, size) + sums(size, i)) / 2.0;
            const double across = (sums(j, size) + sums(size, j)) / 2.0;
            result(i, j) = entry - (along * means[j] + means[i] * across) + sums(size, size) * means[i] * means[j];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            result(j, i) = result(i, j);
        }
    }
    return to_sparse(result);
}

CsrMatrix<double> to_sparse(const DenseMatrix& matrix) {
    CsrMatrix<double> result{.rows = static_cast<Index>(matrix.rows), .columns = static_cast<Index>(matrix.columns)};
    result.indices.reserve(matrix.values.size());
    result.values.reserve(matrix.values.size());
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            result.indices.push_back(static_cast<Index>(j));
            result.values.push_back(matrix(i, j));
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

void mix_row(std::span<const double> row, const CsrMatrix<double>& z, std::span<double> out) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        for (Offset k = z.offsets[i]; k < z.offsets[i + 1]; ++k) {
            out[z.indices[k]] += row[i] * z.values[k];
        }
    }
}

void add_mixed_rows(const CsrMatrix<double>& turned, Index l, Index first, Index count,
                    const std::vector<double>& mixed, std::span<double> out) {
    const auto points = turned.row_indices(l);
    const auto begin = std::lower_bound(points.begin(), points.end(), first);
    for (auto point = begin; point != points.end() && *point < first + count; ++point) {
        const double weight = turned.row_values(l)[point - points.begin()];
        const double* row = mixed.data() + std::size_t{*point - first} * out.size();
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] += weight * row[j];
        }
    }
}

MultiVector<double> transposed_product(const CsrMatrix<double>& z, const MultiVector<double>& x,
                                       const RunContext& context) {
    MultiVector<double> result(z.columns, x.columns());
    multiply(transpose(z), x, result, context);
    return result;
}

DenseMatrix cross_product_of_rows(const MultiVector<double>& m, const RunContext& context) {
    DenseMatrix result(m.rows(), m.rows());
    constexpr std::size_t rows_in_block = 16;
    parallel_blocks(context, m.rows(), rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t j = 0; j < m.rows(); ++j) {
                // The smaller index comes first, so that both halves agree to the bit.
                const double* x = m.row(std::min(i, j));
                const double* y = m.row(std::max(i, j));
                double sum = 0.0;
                for (std::size_t k = 0; k < m.columns(); ++k) {
                    sum += x[k] * y[k];
                }
                result(i, j) = sum;
            }
        }
    });
    return result;
}

}  // namespace isogon
