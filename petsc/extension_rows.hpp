#pragma once
#include <span>
#include <vector>

#include "distributed_matrix.hpp"
#include "isogon/core/points.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// A rank's rows of eq. 27 (Saul 2022) as a least-squares problem K t = b: the rows of
/// src/transform/extension_system.hpp, columns not yet scaled. Unknown outputs are numbered in the order of points, so
/// that those of a rank's own points lie together and in its part of every vector.
class ExtensionRows {
public:
    /// Weights V of own rows; lengths of all points; landmarks ascending.
    ExtensionRows(const DistributedMatrix& weights, const std::vector<double>& lengths,
                  std::span<const Index> landmarks, const PointsView& landmark_outputs);

    [[nodiscard]] const DistributedMatrix& matrix() const { return matrix_; }
    /// b of own rows, a column for each number of an output.
    [[nodiscard]] const MultiVector<double>& known_side() const { return known_; }
    /// Own points whose outputs are sought, ascending, by the numbers of all.
    [[nodiscard]] const std::vector<Index>& unknown() const { return unknown_; }

private:
    void append_row(const DistributedMatrix& weights, Index i);
    void add_known(const DistributedMatrix& weights, Index i, std::span<const Index> landmarks,
                   const PointsView& outputs);

    const std::vector<double>& lengths_;
    std::vector<Index> place_;  ///< of a point among the unknown, or among the landmarks
    std::vector<bool> is_unknown_;
    std::vector<Index> unknown_{};
    DistributedMatrix matrix_{};
    MultiVector<double> known_{};
};

}  // namespace isogon
