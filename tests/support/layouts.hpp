#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "linalg/multi_vector.hpp"

/// Outputs and weights for tests of forces, and the definitions of what these are made of.
namespace isogon::support {

/// Random outputs, about `spread` from the origin.
MultiVector<double> random_outputs(Index count, Index dimension, double spread, std::uint64_t seed = 1);

/// A graph of `neighbors` edges a point and more, random weights that sum to 1.
CsrMatrix<double> random_affinities(Index count, Index neighbors, std::uint64_t seed = 1);
/// The same in float32; together 1 but for rounding.
CsrMatrix<float> random_probabilities(Index count, Index neighbors, std::uint64_t seed = 1);

struct Repelled {
    MultiVector<double> pushes;
    double total = 0.0;
};

/// sum_j k^2 (y_i - y_j) and sum_{i != j} k, pair by pair.
Repelled repelled(const MultiVector<double>& y);

/// sum_ij p_ij log(p_ij / q_ij), pair by pair.
double divergence(const CsrMatrix<float>& edges, const MultiVector<double>& y);

/// |a - b| / |b|, all numbers together.
double relative_error(const MultiVector<double>& a, const MultiVector<double>& b);

}  // namespace isogon::support
