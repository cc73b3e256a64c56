#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

/// One positive definite system of some ten to some hundred unknowns after the other, in float64 and in memory that is
/// taken once. Factored column by column, four of which are taken from all later ones at a time, so that it stays in
/// the first cache; larger ones are better cut into blocks. The same bits whatever has been solved before.
class PositiveSystem {
public:
    explicit PositiveSystem(std::size_t size);

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Column j of A: entry (i, j) at [i], for j <= i < size. What lies above the diagonal has no meaning.
    [[nodiscard]] double* column(std::size_t j) { return columns_.data() + j * stride_; }

    /// x with A x = (1, ..., 1). A does not survive. `least_pivot`, above 0: what the pivots of A are known not to be
    /// below; those that rounding brings there are raised to it, so that x is always finite.
    [[nodiscard]] std::span<double> solve_ones(double least_pivot);

    [[nodiscard]] static std::uint64_t bytes(std::size_t size) { return size * (size + 10) * sizeof(double); }

private:
    std::size_t size_;
    std::size_t stride_;  ///< the unknowns and the right-hand side below them, filled up to whole vectors
    AlignedDoubles columns_;
    std::vector<double> solution_;
};

}  // namespace isogon
