#pragma once
#include <vector>

#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// Which end of a spectrum comes first.
enum class SpectrumOrder { LargestMagnitude, Largest, Smallest };

struct SmallEigen {
    std::vector<double> values;  ///< in the order asked for
    DenseMatrix vectors;         ///< orthonormal columns, one a value
};

/// All eigenpairs of a small symmetric matrix (its lower triangle is read); the sign of each vector is fixed by making
/// its component of largest magnitude positive. O(m^3).
[[nodiscard]] SmallEigen symmetric_eigen(const DenseMatrix& matrix, SpectrumOrder order);

}  // namespace isogon
