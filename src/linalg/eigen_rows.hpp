#pragma once
#include <Eigen/Core>
#include <cstddef>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

[[nodiscard]] inline Eigen::Index eigen_index(std::size_t count) {
    return static_cast<Eigen::Index>(count);
}

/// Rows of V as a matrix of Eigen's, in the memory of V.
[[nodiscard]] inline Eigen::Map<const RowMajor> eigen_rows(const MultiVector<double>& v, Range rows) {
    return {v.row(rows.begin), eigen_index(rows.size()), eigen_index(v.columns())};
}

[[nodiscard]] inline Eigen::Map<RowMajor> eigen_rows(MultiVector<double>& v, Range rows) {
    return {v.row(rows.begin), eigen_index(rows.size()), eigen_index(v.columns())};
}

}  // namespace isogon
