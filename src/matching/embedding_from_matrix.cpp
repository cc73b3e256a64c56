#include "isogon/matching/embedding_from_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/orthonormal.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/tall_products.hpp"

namespace isogon {

namespace {

/// [F, sqrt(max(0, diag L))], n x (k + 1).
BlockVectors with_norms(const LowRank& l, Index& negative_diagonal) {
    BlockVectors wide(l.size(), l.rank() + 1);
    negative_diagonal = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        double diagonal = 0.0;
        for (Index k = 0; k < l.rank(); ++k) {
            const float value = l.factor.row(i)[k];
            wide.row(i)[k] = value;
            diagonal += l.weights[k] * double{value} * value;
        }
        negative_diagonal += diagonal < 0.0 ? 1 : 0;
        wide.row(i)[l.rank()] = static_cast<float>(std::sqrt(std::max(0.0, diagonal)));
    }
    return wide;
}

/// R C R^T for the factor R of an orthonormal basis and C = diag(weights, tau / (1 - tau)).
DenseMatrix projected_gram(const DenseMatrix& factor, const LowRank& l, double threshold) {
    DenseMatrix g(factor.rows, factor.rows);
    for (std::size_t k = 0; k < factor.columns; ++k) {
        const double weight = k < l.rank() ? l.weights[k] : threshold / (1.0 - threshold);
        for (std::size_t j = 0; j < g.columns; ++j) {
            for (std::size_t i = 0; i < g.rows; ++i) {
                g(i, j) += weight * factor(i, k) * factor(j, k);
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
    const Orthonormal basis = orthonormalize(with_norms(l, result.negative_diagonal), context, 1e-7);
    const SmallEigen eigen = symmetric_eigen(projected_gram(basis.factor, l, threshold), SpectrumOrder::Largest);
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
    const BlockVectors coordinates = multiply(basis.basis, scaled, context);
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
