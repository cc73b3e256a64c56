#pragma once
#include "isogon/registry/registry.hpp"

namespace isogon {

/// The method with what methods do about inputs that come as a sparse matrix (FitExtras::sparse), none of which makes
/// them dense: pca and svd multiply with it; methods on neighbour graphs get the lists of sparse_neighbors(), and for
/// starts by pca its components. What else all methods do about their input (input_rules.hpp) happens here: each
/// distinct row is fitted once, rows without a direction lie at the mean of the others, and both are counted. Throws
/// InvalidArgument for other methods, landmarks, and edge weights or neighbours of the user's, beside which the method
/// needs no inputs.
[[nodiscard]] Method with_sparse_rows(const Method& method);

}  // namespace isogon
