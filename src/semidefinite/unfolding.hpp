#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "linalg/multi_vector.hpp"
#include "semidefinite/semidefinite_program.hpp"

namespace isogon {

/// Which distances an unfolding keeps.
enum class KeptPairs {
    Neighbors,        ///< distances between points of which one lists the other
    SharedNeighbors,  ///< also between points that a third one lists: the angles between its neighbours are kept too
};

/// Distances that an unfolding keeps: pairs (i, j), i < j, ascending, each once, and |x_i - x_j|^2.
struct DistanceConstraints {
    std::vector<std::pair<Index, Index>> pairs{};
    std::vector<double> squared{};  ///< beside the pairs, in float64

    [[nodiscard]] std::size_t size() const { return pairs.size(); }
    [[nodiscard]] static std::uint64_t bytes(std::uint64_t count) { return count * 16; }
};

/// The pairs with eta_ij = 1, or with [eta^T eta]_ij > 0 besides (Weinberger, Packer and Saul, "Nonlinear
/// dimensionality reduction by semidefinite programming and kernel matrix factorization", AISTATS 2005, eq. 2), eta
/// being the lists of neighbours. At most n k, or n k (k + 1) / 2 pairs; O(that times D) time. The same bits for any
/// number of threads. Throws InvalidArgument unless the lists belong to the points; LimitExceeded, Interruption.
[[nodiscard]] DistanceConstraints distance_constraints(const PointsView& points, const NeighborLists& lists,
                                                       KeptPairs kept, const RunContext& context = {});

/// A penalty for violated distances (unfold_exactly()) at which the program of a flat set of points is bounded: h^2
/// / 4, where h is the largest number of constraints on a shortest path, found by breadth-first searches from two ends.
/// The force on a constraint grows with the square of the length of its chain: a chain of h links needs h^2 / 8, and
/// every strip of a sheet is a chain. A larger penalty makes distances stiffer and the solution less accurate; a
/// smaller one makes the program unbounded. Weakly connected points, such as two clusters joined by one path, may need
/// more. At least 1. O(points + constraints).
[[nodiscard]] double slack_penalty(Index points, const DistanceConstraints& constraints);

/// A maximum variance unfolding: maximise sum_i |y_i|^2 subject to sum_i y_i = 0 and the distance constraints, hence
/// trace(K) of the Gram matrix K.
struct Unfolding {
    SemidefiniteStatus status = SemidefiniteStatus::NotConverged;
    MultiVector<double> outputs{};      ///< n x r, centred: column c has |.|^2 = eigenvalues[c], orthogonal columns
    std::vector<double> eigenvalues{};  ///< K's, descending, none negative: the spectrum that shows the dimension
    double trace = 0.0;                 ///< trace of K, less the penalties
    double bound = 0.0;                 ///< upper bound on the trace from the dual; infinite without one
    double gap = 0.0;                   ///< (bound - trace) / (|bound| + |trace|), in the exact unfolding with a
                                        ///< distance more below the line: the same for points of any size
    double largest_violation = 0.0;     ///< max | |y_i - y_j|^2 / |x_i - x_j|^2 - 1 | of what is forbidden
    std::int64_t iterations = 0;
    std::string message{};
};

/// Relative changes of the kept distances, |y_i - y_j|^2 / |x_i - x_j|^2 - 1; where x_i = x_j, as a share of the
/// mean of all |x_i - x_j|^2.
struct DistanceChanges {
    double most_stretched = 0.0;  ///< the largest above 0
    double most_shrunk = 0.0;     ///< the largest below 0, without its sign
    double mean = 0.0;            ///< mean of the changes without their signs
};

/// `outputs`, n x r, in the unit of the constraints. O(r) a constraint.
[[nodiscard]] DistanceChanges distance_changes(const MultiVector<double>& outputs,
                                               const DistanceConstraints& constraints);

}  // namespace isogon
