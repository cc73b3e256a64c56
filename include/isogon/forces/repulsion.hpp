#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// What keeps outputs apart, by the Cauchy kernel k = 1 / (1 + |y_i - y_j|^2): the second half of t-SNE's gradient. How
/// the sums over all pairs are worked out is each scheme's own affair.
class Repulsion {
public:
    Repulsion() = default;
    virtual ~Repulsion() = default;
    Repulsion(const Repulsion&) = delete;
    Repulsion& operator=(const Repulsion&) = delete;

    /// Row i of `pushes` becomes sum_j k_ij^2 (y_i - y_j); what comes back is Z = sum_{i != j} k_ij, above 0. A quarter
    /// of the gradient of log Z by y_i is then -pushes_i / Z. y holds at least two points and no NaN. The same bits for
    /// any number of threads. Throws Interruption when the context ends the run in the middle.
    virtual double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) = 0;

    /// Which iteration the sums to come are of. Schemes that draw points draw others in each, and the same when one is
    /// made again; to all others it is nothing.
    virtual void begin_iteration(std::uint64_t /*iteration*/) {}
};

}  // namespace isogon
