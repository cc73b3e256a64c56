#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "isogon/linalg/panel_cholesky.hpp"
#include "isogon/spectral/spectral_matrix.hpp"

namespace isogon {

/// Fills rows first, first + 1, ... of a symmetric n x n matrix: values.size() / n of them.
using KernelRows = std::function<void(Index first, std::span<double> values, const RunContext& context)>;

/// A symmetric matrix known by its rows, kept as its lower triangle in float32: 2 n^2 bytes, half of what a square of
/// float32 would take. Products are float64.
class KernelMatrix {
public:
    /// Of the entries (i, j) and (j, i) that with j <= i is taken.
    KernelMatrix(Index size, const KernelRows& rows, const RunContext& context);

    [[nodiscard]] Index size() const { return lower_.size(); }
    /// out = K in.
    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const;
    [[nodiscard]] static std::uint64_t bytes(Index size);

private:
    PanelMatrix lower_;
};

/// J K J, where J = I - 1 1^T / n removes means: the Gram matrix of centred points from a kernel, or from squared
/// distances times -1/2 (Torgerson 1952). `rows` is asked for every row once when the matrix is made and once when it
/// is reduced, block by block; n^2 numbers are never in float64 together. States 2 n^2 bytes.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> centred_kernel(Index size, KernelRows rows,
                                                                   const RunContext& context);

/// The same without a copy: only reduced() can be had, which is all that landmarks need.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> reducible_kernel(Index size, KernelRows rows);

/// J X X^T J for points X as they are, or on the unit sphere: the linear kernel, never formed. Products take 2 n D
/// operations a column. States 8 n D bytes.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> centred_gram(const PointsView& points, bool directions,
                                                                 const RunContext& context = {});

}  // namespace isogon
