#include "decomposition/low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

LowRank leading_columns(const MultiVector<float>& vectors, const std::vector<double>& values, Index rank,
                        const RunContext& context) {
    const Index kept = std::min(rank, vectors.columns());
    return {leading_columns(vectors, kept, context), {values.begin(), values.begin() + kept}};
}

LowRank initial_matrix(const Points& projections, double threshold) {
    const Index rank = projections.dimension() + 1;
    LowRank start{MultiVector<float>(projections.count(), rank), std::vector<double>(rank, 1.0)};
    const std::vector<double> lengths = norms(projections.view());
    for (Index i = 0; i < projections.count(); ++i) {
        std::copy(projections[i].begin(), projections[i].end(), start.factor.row(i));
        start.factor.row(i)[rank - 1] = static_cast<float>(lengths[i]);
    }
    start.weights.back() = -threshold;
    return start;
}

PackedLowRank pack(const std::vector<LowRankTerm>& terms, const RunContext& context) {
    Index depth = 0;
    for (const auto& term : terms) {
        depth += term.matrix->rank();
    }
    const Index size = terms.front().matrix->size();
    PackedLowRank packed{PackedPoints(size, depth), PackedPoints(size, depth)};
    parallel_blocks(context, size, panel_width, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = static_cast<Index>(i);
            Index k = 0;
            for (const auto& term : terms) {
                for (Index c = 0; c < term.matrix->rank(); ++c, ++k) {
                    const double weight = term.coefficient * term.matrix->weights[c];
                    const auto value = static_cast<float>(std::sqrt(std::abs(weight)) * term.matrix->factor.row(i)[c]);
                    packed.left.at(row, k) = value;
                    packed.right.at(row, k) = weight < 0.0 ? -value : value;
                }
            }
        }
    });
    return packed;
}

std::vector<double> diagonal(const PackedLowRank& matrix, const RunContext& context) {
    std::vector<double> result(matrix.left.count());
    parallel_blocks(context, result.size(), panel_width, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Index k = 0; k < matrix.left.depth(); ++k) {
                const auto row = static_cast<Index>(i);
                result[i] += double{matrix.left.at(row, k)} * double{matrix.right.at(row, k)};
            }
        }
    });
    return result;
}

double sum_of_entries(const LowRank& matrix) {
    double total = 0.0;
    for (Index k = 0; k < matrix.rank(); ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < matrix.size(); ++i) {
            sum += double{matrix.factor.row(i)[k]};
        }
        total += matrix.weights[k] * sum * sum;
    }
    return total;
}

void add_product(const LowRank& matrix, double coefficient, const MultiVector<float>& in, MultiVector<float>& out,
                 const RunContext& context) {
    DenseMatrix small = gram(matrix.factor, in, context);
    for (std::size_t j = 0; j < small.columns; ++j) {
        for (std::size_t k = 0; k < small.rows; ++k) {
            small(k, j) *= coefficient * matrix.weights[k];
        }
    }
    axpy(1.0, multiply(matrix.factor, small, context), out, context);
}

namespace {

/// A matrix W C W^T with C = diag(weights).
struct Factors {
    MultiVector<float> columns;
    std::vector<double> weights;
};

/// W = [F, sqrt(max(0, diag L))], n x (k + 1), and C = diag(weights of L, tau / (1 - tau)): G of eq. 8.
Factors gram_factors(const LowRank& l, double threshold, Index& negative_diagonal) {
    Factors g{MultiVector<float>(l.size(), l.rank() + 1), l.weights};
    g.weights.push_back(threshold / (1.0 - threshold));
    negative_diagonal = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        double diagonal = 0.0;
        for (Index k = 0; k < l.rank(); ++k) {
            const float value = l.factor.row(i)[k];
            g.columns.row(i)[k] = value;
            diagonal += l.weights[k] * double{value} * value;
        }
        negative_diagonal += diagonal < 0.0 ? 1 : 0;
        g.columns.row(i)[l.rank()] = static_cast<float>(std::sqrt(std::max(0.0, diagonal)));
    }
    return g;
}

/// Normalises all columns. The column of norms grows with n and with the unit of the inputs; without scaling, the
/// columns of F would be lost in float32 when both are orthonormalised together.
void normalize_columns(Factors& g) {
    for (Index k = 0; k < g.columns.columns(); ++k) {
        double squares = 0.0;
        for (std::size_t i = 0; i < g.columns.rows(); ++i) {
            squares += double{g.columns.row(i)[k]} * g.columns.row(i)[k];
        }
        if (squares == 0.0) {
            continue;
        }
        const double length = std::sqrt(squares);
        for (std::size_t i = 0; i < g.columns.rows(); ++i) {
            g.columns.row(i)[k] = static_cast<float>(g.columns.row(i)[k] / length);
        }
        g.weights[k] *= squares;
    }
}

/// R C R^T for the factor R of an orthonormal basis of W.
DenseMatrix projected_gram(const DenseMatrix& factor, const std::vector<double>& weights) {
    DenseMatrix g(factor.rows, factor.rows);
    for (std::size_t k = 0; k < factor.columns; ++k) {
        for (std::size_t j = 0; j < g.columns; ++j) {
            for (std::size_t i = 0; i < g.rows; ++i) {
                g(i, j) += weights[k] * factor(i, k) * factor(j, k);
            }
        }
    }
    return g;
}

void describe_spectrum(MatchedOutputs& result) {
    double magnitudes = 0.0;
    double negative = 0.0;
    const double largest = result.eigenvalues.empty() ? 0.0 : std::abs(result.eigenvalues[0]);
    for (const double value : result.eigenvalues) {
        magnitudes += std::abs(value);
        if (value < -1e-6 * largest) {
            negative -= value;
            ++result.negative_eigenvalues;
        }
    }
    result.negative_share = magnitudes > 0.0 ? negative / magnitudes : 0.0;
}

}  // namespace

MatchedOutputs outputs_from_matrix(const LowRank& l, double threshold, Index dimension, const RunContext& context) {
    MatchedOutputs result;
    Factors g = gram_factors(l, threshold, result.negative_diagonal);
    normalize_columns(g);
    const Orthonormal basis = orthonormalize(g.columns, context, 1e-7);
    const SmallEigen eigen = symmetric_eigen(projected_gram(basis.factor, g.weights), SpectrumOrder::Largest);
    result.eigenvalues = eigen.values;
    describe_spectrum(result);

    const std::size_t kept = std::min<std::size_t>(dimension, eigen.values.size());
    DenseMatrix scaled(eigen.vectors.rows, kept);
    for (std::size_t a = 0; a < kept; ++a) {
        const double length = std::sqrt(std::max(0.0, eigen.values[a]));
        for (std::size_t i = 0; i < scaled.rows; ++i) {
            scaled(i, a) = length * eigen.vectors(i, a);
        }
    }
    const MultiVector<float> coordinates = multiply(basis.basis, scaled, context);
    result.outputs = Points(l.size(), dimension);
    for (Index i = 0; i < l.size(); ++i) {
        std::copy_n(coordinates.row(i), kept, result.outputs[i].begin());
    }
    return result;
}

void set_norms(Points& outputs, const std::vector<double>& lengths) {
    const std::vector<double> now = norms(outputs.view());
    for (Index i = 0; i < outputs.count(); ++i) {
        const double factor = now[i] > 0.0 ? lengths[i] / now[i] : 0.0;
        for (float& value : outputs[i]) {
            value = static_cast<float>(factor * value);
        }
    }
}

}  // namespace isogon
