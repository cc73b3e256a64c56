#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_matrix.hpp"

namespace isogon {

/// A semidefinite program whose constraints are of rank one, as distances are: over symmetric X >= 0 of some rows,
///     maximise  <C, X> - sum_a (shortfall price of a) max(0, b_a - v_a^T X v_a)
///                      - sum_a (excess price of a)    max(0, v_a^T X v_a - b_a).
/// With both prices infinite v_a^T X v_a = b_a; with shortfalls free, v_a^T X v_a <= b_a; with finite ones b_a may be
/// missed, at that price a unit. An unfolding of points has v = e_i - e_j, one of landmarks v = q_i - q_j.
/// Its dual: minimise b.y subject to sum_a y_a v_a v_a^T - C >= 0, -(shortfall price) <= y_a <= (excess price).
struct SemidefiniteProgram {
    static constexpr double not_allowed = std::numeric_limits<double>::infinity();

    DenseMatrix objective{};               ///< C, symmetric, N x N
    CsrMatrix<double> vectors{};           ///< row a: v_a, of N columns
    std::vector<double> values{};          ///< b_a
    double shortfall_price = not_allowed;  ///< for every constraint
    double excess_price = not_allowed;

    [[nodiscard]] std::size_t order() const { return objective.rows; }
    [[nodiscard]] std::size_t constraints() const { return values.size(); }
};

struct SemidefiniteOptions {
    double tolerance = 1e-6;        ///< bound on the gap: enough for six digits of distances
    std::int64_t iterations = 500;  ///< at most; some 40 are usual
    double trace_limit = 1e9;       ///< X of a larger trace, in units of the largest |b_a|, counts as unbounded
};

/// The outcome of a solution.
enum class SemidefiniteStatus {
    Solved,        ///< the gap is within the tolerance
    NotConverged,  ///< iteration limit or numerical trouble: see `gap`
    Unbounded,     ///< the objective grows without end
    Infeasible,    ///< no X keeps the constraints
    Interrupted,   ///< the context ended it: the last iterate
};

struct SemidefiniteSolution {
    SemidefiniteStatus status = SemidefiniteStatus::NotConverged;
    DenseMatrix x{};                 ///< X, symmetric, positive semidefinite up to rounding; empty if there is none
    std::vector<double> y{};         ///< multipliers of the constraints; empty if X is
    double primal = 0.0;             ///< <C, X> less the penalties
    double dual = 0.0;               ///< b.y: an upper bound on the objective
    double gap = 0.0;                ///< (dual - primal) / (max |b_a| max |C_ij| + |primal| + |dual|), without a unit
    double largest_violation = 0.0;  ///< max over constraints of the forbidden violation, relative to the mean |b_a|
    std::int64_t iterations = 0;
    std::string message{};
};

/// Solves by an interior point method (docs/decisions/semidefinite-solver.md). Time an iteration some N^3 + m^2 N + m^3
/// / 3 for m constraints, memory semidefinite_bytes(). Throws InvalidArgument for a program whose parts have different
/// sizes, with values that are not finite, without rows or without constraints; LimitExceeded. One program is solved at
/// a time; others wait. Cancellation is checked within iterations as well: the run then returns its last iterate, or
/// nothing where an iteration needs longer than some tenths of a second.
[[nodiscard]] SemidefiniteSolution solve(const SemidefiniteProgram& program, const SemidefiniteOptions& options,
                                         const RunContext& context = {});

/// Bytes of solve() besides the program.
[[nodiscard]] std::uint64_t semidefinite_bytes(std::uint64_t order, std::uint64_t constraints);

}  // namespace isogon
