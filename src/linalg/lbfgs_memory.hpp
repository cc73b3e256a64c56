#pragma once
#include <deque>
#include <functional>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/row_kernel.hpp"
#include "linalg/shared_rows.hpp"

namespace isogon {

/// The inverse Hessian of L-BFGS: the last few steps and the changes of the gradient along them (Liu and Nocedal, "On
/// the limited memory BFGS method for large scale optimization", Math. Programming 1989), with a preconditioner as the
/// initial matrix. Where ranks share the vectors, all vectors here are the rows of one rank, and all functions are
/// collective. What an update reads from memory is what it costs, so that rows are preconditioned where they are
/// multiplied. Memory: 2 capacity + 2 blocks.
class LbfgsMemory {
public:
    struct Pair {
        MultiVector<float> step;    ///< s = w_new - w_old
        MultiVector<float> change;  ///< z = gradient_new - gradient_old
    };
    /// Applies to some rows of a vector, on the thread that calls it.
    using Precondition = std::function<void(const RowBlock&)>;

    explicit LbfgsMemory(std::size_t capacity, const SharedRows& rows = {}) : capacity_(capacity), rows_(rows) {}

    /// Stores a pair and drops the oldest beyond the capacity. A pair without positive curvature s.z is not stored:
    /// the matrix stays positive definite. Of what is dropped the memory is kept for spare().
    void push(Pair pair, const RunContext& context);

    /// v := H v by the two-loop recursion. `precondition` applies the initial matrix to its argument; it is scaled to
    /// fit the curvature of the last pair. O(capacity n k).
    void apply(MultiVector<float>& v, const Precondition& precondition, const RunContext& context) const;

    /// A block of any numbers, in the memory of one that was dropped; empty where there is none. After a push to a full
    /// memory there are two. Fresh memory of a large block costs as much as a few operations on it: the system clears
    /// it, by one thread.
    [[nodiscard]] MultiVector<float> spare();

    [[nodiscard]] const std::deque<Pair>& pairs() const { return pairs_; }  ///< oldest first

private:
    [[nodiscard]] double fit(const Precondition& precondition, const RunContext& context) const;
    void drop(Pair pair);

    std::size_t capacity_;
    SharedRows rows_;
    std::deque<Pair> pairs_;
    std::deque<double> curvatures_;           ///< s.z
    std::vector<MultiVector<float>> spares_;  ///< two at most
};

}  // namespace isogon
