#pragma once
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// Eq. 27 (Saul 2022), as the normal equations K^T K t = K^T b of a scaled least-squares problem.
///
/// With directions z_i = y_i / |x_i| and the weights V of directions, y_i - sum_j W_ij y_j = |x_i| (z_i - sum_j V_ij
/// z_j). So eq. 15 is the sum over all rows i of |x_i|^2 |z_i - sum_j V_ij z_j|^2, and no number in it depends on how
/// much lengths differ. The columns of unknown outputs, scaled to length 1 by s, make K: t = s z. K^T K then has a
/// diagonal of ones, which is Jacobi's preconditioning of eq. 27, and no entry of K is above 1. The landmarks' columns
/// make b. K^T K is never formed.
class ExtensionSystem final : public LinearOperator<float> {
public:
    /// `landmarks` ascending, their outputs in that order. Takes V and frees its memory. The number of rows is V's.
    ExtensionSystem(CsrMatrix<float> weights, const std::vector<double>& lengths, std::span<const Index> landmarks,
                    const PointsView& landmark_outputs, const RunContext& context);

    [[nodiscard]] Index size() const override { return static_cast<Index>(unknown_.size()); }
    void apply(const MultiVector<float>& in, MultiVector<float>& out, const RunContext& context) const override;

    /// K^T b
    [[nodiscard]] const MultiVector<float>& right_side() const { return right_; }
    /// The points whose outputs are sought, ascending: row u of a solution belongs to unknown()[u].
    [[nodiscard]] const std::vector<Index>& unknown() const { return unknown_; }
    /// Writes the outputs of a solution into the rows of the unknown points.
    void write_outputs(const MultiVector<float>& solution, Points& outputs) const;

    /// Bytes, with the given weights.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index landmarks, Index neighbors, Index dimension);

private:
    void scale_columns(const CsrMatrix<float>& weights);
    [[nodiscard]] MultiVector<float> known_directions(std::span<const Index> landmarks, const PointsView& outputs);
    [[nodiscard]] CsrMatrix<float> least_squares_matrix(const CsrMatrix<float>& weights,
                                                        const RunContext& context) const;
    [[nodiscard]] MultiVector<float> known_side(const CsrMatrix<float>& weights, const MultiVector<float>& known,
                                                const RunContext& context) const;

    std::vector<double> lengths_;  ///< of the points, over the longest
    double unit_ = 1.0;            ///< length of the longest
    double size_of_known_ = 1.0;   ///< the longest z of a landmark, over which all are scaled
    std::vector<Index> unknown_;
    std::vector<Index> place_;  ///< of a point among the unknown, or among the landmarks
    std::vector<bool> is_unknown_;
    std::vector<double> column_lengths_;  ///< s
    CsrMatrix<float> matrix_;             ///< K
    CsrMatrix<float> transposed_;
    MultiVector<float> right_;
    mutable MultiVector<float> product_;  ///< K in, between the two halves of a product: one caller at a time
};

}  // namespace isogon
