#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/linalg/aligned_array.hpp"

namespace isogon {

/// Positive definite systems of some ten to some hundred unknowns, one after the other, in float64 and in memory that
/// is allocated once. Factored by columns, in groups of four, so that it stays in the first-level cache; for larger
/// systems a blocked factorisation is better. The same bits whatever has been solved before.
class PositiveSystem {
public:
    explicit PositiveSystem(std::size_t size);

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Column j of A: entry (i, j) at [i], for j <= i < size. What lies above the diagonal has no meaning.
    [[nodiscard]] double* column(std::size_t j) { return columns_.data() + j * stride_; }

    /// x with A x = (1, ..., 1). A is overwritten. `least_pivot`, above 0: a known lower bound of the pivots of A;
    /// pivots that rounding brings below it are raised to it, so that x is always finite.
    [[nodiscard]] std::span<double> solve_ones(double least_pivot);

    [[nodiscard]] static std::uint64_t bytes(std::size_t size) { return size * (size + 10) * sizeof(double); }

private:
    std::size_t size_;
    std::size_t stride_;  ///< the unknowns and the right-hand side below them, filled up to whole vectors
    AlignedArray<double> columns_;
    std::vector<double> solution_;
};

}  // namespace isogon
