#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// A pair of points that is kept in a list of pairs.
struct ListedPair {
    Index i;
    Index j;
};

/// Rows y_i in 16-bit integers q_i, y_i = s q_i to e: half the memory of float32, a line of cache at d = 32, to tell
/// pairs apart whose rows lie anywhere in memory. |y_i - y_j| < r needs s |q_i - q_j| < r + 2 e. Products of integers
/// are exact, so that what passes is the same with all instruction sets. About d 3 1e-5 of the longest row is 2 e.
class RoundedRows {
public:
    /// The rows of now, and of each point r^2, as float32 squares of differences are compared with them. O(n d).
    void set(const PointsView& y, std::span<const float> squared_radii, const RunContext& context);
    /// The same of rows that `write` writes, in any order and in parallel; none is longer than `longest` to rounding.
    using WriteRow = std::function<void(Index i, std::span<float> row)>;
    void set(Index dimension, double longest, const WriteRow& write, std::span<const float> squared_radii,
             const RunContext& context);
    /// r_i is another one from now on.
    void set_radius(Index i, double radius) { bounds_[i] = bound_of(radius); }

    /// Writes those of `list`, in its order, that may be nearer to row i than max(r_i, r_j), and returns how many they
    /// are. `near` has room for all, which are written where a row is not finite.
    [[nodiscard]] std::size_t keep_near(Index i, std::span<const Index> list, Index* near) const;
    /// The same of pairs: those that may be nearer than max(r_i, r_j) become the first, in their order; how many.
    [[nodiscard]] std::size_t keep_near(std::span<ListedPair> pairs) const;

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

    /// What the kernels read: the q_i, `stride` numbers apart, and bounds on |q_i - q_j|^2, of r_i.
    struct View {
        const std::int16_t* rows;
        std::size_t stride;
        const std::int32_t* bounds;
    };

private:
    [[nodiscard]] View view() const { return {rows_.data(), stride_, bounds_.data()}; }
    void set_shape(std::size_t count, Index dimension, double longest);
    void set_row(std::size_t i, std::span<const float> row);
    [[nodiscard]] static std::size_t stride_for(std::size_t numbers);
    [[nodiscard]] std::int32_t bound_of(double radius) const;

    AlignedArray<std::int16_t> rows_;
    std::size_t stride_ = 0;
    std::vector<std::int32_t> bounds_;
    double inverse_ = 0.0;  ///< 1 / s
    double error_ = 0.0;    ///< e / s
    bool are_finite_ = false;
};

}  // namespace isogon
