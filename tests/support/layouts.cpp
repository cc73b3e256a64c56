#include "support/layouts.hpp"

#include <cmath>

#include "core/random.hpp"
#include "reference/graphs.hpp"

namespace isogon::support {

namespace {

double closeness(const MultiVector<double>& y, std::size_t i, std::size_t j) {
    double squared = 0.0;
    for (std::size_t c = 0; c < y.columns(); ++c) {
        squared += (y.at(i, c) - y.at(j, c)) * (y.at(i, c) - y.at(j, c));
    }
    return 1.0 / (1.0 + squared);
}

}  // namespace

MultiVector<double> random_outputs(Index count, Index dimension, double spread, std::uint64_t seed) {
    MultiVector<double> y(count, dimension);
    for (std::size_t i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (std::size_t c = 0; c < dimension; ++c) {
            y.at(i, c) = spread * random.normal();
        }
    }
    return y;
}

CsrMatrix<double> random_affinities(Index count, Index neighbors, std::uint64_t seed) {
    CsrMatrix<double> graph = reference::graph_of(reference::random_points(count, 4, seed), neighbors);
    double sum = 0.0;
    for (double& value : graph.values) {
        value = std::exp(-value);  // both directions alike, as the distances are
        sum += value;
    }
    for (double& value : graph.values) {
        value /= sum;
    }
    return graph;
}

CsrMatrix<float> random_probabilities(Index count, Index neighbors, std::uint64_t seed) {
    return narrow(random_affinities(count, neighbors, seed));
}

Repelled repelled(const MultiVector<double>& y) {
    Repelled result{MultiVector<double>(y.rows(), y.columns()), 0.0};
    for (std::size_t i = 0; i < y.rows(); ++i) {
        for (std::size_t j = 0; j < y.rows(); ++j) {
            if (i != j) {
                const double k = closeness(y, i, j);
                result.total += k;
                for (std::size_t c = 0; c < y.columns(); ++c) {
                    result.pushes.at(i, c) += k * k * (y.at(i, c) - y.at(j, c));
                }
            }
        }
    }
    return result;
}

double divergence(const CsrMatrix<float>& edges, const MultiVector<double>& y) {
    const double total = repelled(y).total;
    double sum = 0.0;
    for (Index i = 0; i < edges.rows; ++i) {
        for (std::size_t e = 0; e < edges.row_indices(i).size(); ++e) {
            const auto p = double{edges.row_values(i)[e]};
            sum += p * std::log(p * total / closeness(y, i, edges.row_indices(i)[e]));
        }
    }
    return sum;
}

double relative_error(const MultiVector<double>& a, const MultiVector<double>& b) {
    double errors = 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < b.values().size(); ++k) {
        errors += (a.values()[k] - b.values()[k]) * (a.values()[k] - b.values()[k]);
        squares += b.values()[k] * b.values()[k];
    }
    return std::sqrt(errors / squares);
}

}  // namespace isogon::support
