#pragma once
#include <deque>
#include <functional>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"

namespace isogon {

/// The inverse Hessian as L-BFGS knows it: the last few steps and the changes of the gradient along them (Liu and
/// Nocedal, "On the limited memory BFGS method for large scale optimization", Math. Programming 1989), around a
/// preconditioner as first guess. Memory: 2 capacity blocks.
class LimitedMemory {
public:
    struct Pair {
        BlockVectors step;    ///< s = w_new - w_old
        BlockVectors change;  ///< z = gradient_new - gradient_old
    };
    using Precondition = std::function<void(BlockVectors&)>;

    explicit LimitedMemory(std::size_t capacity) : capacity_(capacity) {}

    /// Keeps a pair, forgetting the oldest beyond the capacity. A pair without positive curvature s.z is not kept: the
    /// matrix stays positive definite.
    void push(Pair pair, const RunContext& context);

    /// v := H v by the two loops. `precondition` applies the first guess to its argument; it is scaled so that it fits
    /// the curvature of the last pair. O(capacity n k).
    void apply(BlockVectors& v, const Precondition& precondition, const RunContext& context) const;

    void clear() { pairs_.clear(); }
    [[nodiscard]] const std::deque<Pair>& pairs() const { return pairs_; }  ///< oldest first
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns, std::size_t capacity) {
        return 2 * capacity * BlockVectors::bytes(rows, columns);
    }

private:
    [[nodiscard]] double fit(const Precondition& precondition, const RunContext& context) const;

    std::size_t capacity_;
    std::deque<Pair> pairs_;
    std::deque<double> curvatures_;  ///< s.z
};

}  // namespace isogon
