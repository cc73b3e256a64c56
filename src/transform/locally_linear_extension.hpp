#pragma once
#include <span>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "transform/landmark_mixtures.hpp"

namespace isogon {

/// The metric of the neighbours from which points are rebuilt.
inline constexpr Metric locally_linear_metric = Metric::Cosine;

[[nodiscard]] const OptionTable<LocallyLinearOptions>& locally_linear_option_table();

struct LocallyLinearExtension {
    Points outputs;                  ///< one row for each point, the landmarks' as they were given; none after an
                                     ///< interruption before the solution began
    std::vector<Index> unreached{};  ///< points that no chain of neighbours joins to a landmark, ascending
    Summary summary;                 ///< counts: landmarks, unknown, unreached, zero_vectors, neighbors, iterations;
                                     ///< measure: residual, the largest; trace: it after each iteration
};

/// The k that extend_locally_linearly() takes for outputs of that dimension among that many points.
[[nodiscard]] Index locally_linear_neighbors(const LocallyLinearOptions& options, Index dimension, Index points);

/// Throws InvalidArgument for no landmarks, double ones, numbers beyond the points and another number of outputs,
/// InputError for outputs that are not finite.
void require_extension_landmarks(Index points, const GivenRows& given);

/// LLX (Saul 2022, section 3 and appendix C): outputs for `points`, of which those in `landmarks` (in any order) have
/// theirs already. `lists` holds the nearest neighbours of every point among all, by cosine in the paper,
/// at least locally_linear_neighbors() of them. Weights rebuild every input from its k neighbours (eq. 14); the unknown
/// outputs minimise the reconstruction error by the same weights over all rows, the landmarks' included (eq. 27).
///
/// Landmarks keep their outputs bit for bit. A zero vector gets zero. A point that is connected to no landmark, for
/// which eq. 27 has no unique solution, is listed in `unreached` and gets the mixture of its nearest landmarks' outputs
/// (transform/landmark_mixtures.hpp). Same bits for any number of threads.
///
/// Time n (k^2 D + k^3 / 3) operations for the weights and 4 n k d for each iteration; memory
/// locally_linear_bytes(). Throws InvalidArgument (no or double landmarks, another number of outputs, an option out of
/// bounds, lists shorter than k), InputError (NaN or infinity; lists that do not belong to the points), LimitExceeded.
/// A stop or deadline ends the solution with the best so far; where float32 does not hold an output, there are none,
/// and the summary is that of a numerical failure.
[[nodiscard]] LocallyLinearExtension extend_locally_linearly(const PointsView& points, const GivenRows& landmarks,
                                                             const NeighborLists& lists,
                                                             const LocallyLinearOptions& options = {},
                                                             const RunContext& context = {});

/// Bytes besides the inputs, with the outputs.
[[nodiscard]] std::uint64_t locally_linear_bytes(const PointsView& points, const GivenRows& landmarks,
                                                 const LocallyLinearOptions& options, const RunContext& context);

/// Locally linear extension by the given lists of all points' neighbours, or by neighbours searched here (by cosine;
/// the summary then has their seconds and recall). No outputs when the context ends the run before there are any. The
/// memory of search and extension is stated first. Throws as extend_locally_linearly() does.
[[nodiscard]] LocallyLinearExtension extend_among(const PointsView& points, const GivenRows& landmarks,
                                                  const NeighborLists* lists, const LocallyLinearOptions& options,
                                                  const RunContext& context);

/// Coordinates for `rows` by locally linear extension from fitted points, which are its landmarks. Lists, if given, are
/// those of the rows followed by the fitted points. Memory stated first. Throws as extend_among() does.
[[nodiscard]] Extended extend_jointly(const PointsView& rows, const FittedPoints& fitted,
                                      const LocallyLinearOptions& options, const RunContext& context,
                                      const NeighborLists* lists = nullptr);

}  // namespace isogon
