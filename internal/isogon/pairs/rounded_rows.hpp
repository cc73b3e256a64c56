#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Rows y_i in 16-bit integers q_i, y_i = s q_i to e: half the memory of float32, a line of cache at d = 32, to tell
/// pairs apart whose rows lie anywhere in memory. |y_i - y_j| < r needs s |q_i - q_j| < r + 2 e. Products of integers
/// are exact, so that what passes is the same with all instruction sets. About d 3 1e-5 of the longest row is 2 e.
class RoundedRows {
public:
    /// The rows of now, and of each point r^2, as float32 squares of differences are compared with them. O(n d).
    void set(const MultiVector<float>& y, std::span<const float> squared_radii, const RunContext& context);

    /// Writes those of `list`, in its order, that may be nearer to row i than max(r_i, r_j), and returns how many they
    /// are. `near` has room for all, which are written where a row is not finite.
    [[nodiscard]] std::size_t keep_near(Index i, std::span<const Index> list, Index* near) const;

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    [[nodiscard]] static std::size_t stride_for(std::size_t numbers);

    AlignedArray<std::int16_t> rows_;
    std::size_t stride_ = 0;
    std::vector<std::int32_t> bounds_;  ///< on |q_i - q_j|^2, of r_i
    bool are_finite_ = false;
};

}  // namespace isogon
