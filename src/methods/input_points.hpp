#pragma once
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "graph/components.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The bound on the numbers that a method gives each point, beside their count n: the dimension D of the inputs for
/// methods that turn and shorten these; none for methods on graphs, kernels and distances.
enum class MostNumbers { OfInputs, OfPoints };

/// Requirements of every method on its input: at least two points, not all equal, no NaN or infinity (else InputError),
/// and a dimension below n and, unless `most` says otherwise, of at most D (else InvalidArgument). Collective.
void require_points(const DistributedPoints& x, int dimension, MostNumbers most = MostNumbers::OfInputs);
/// The same of a sparse matrix, whose numbers must not be beyond float32 either.
void require_points(const CsrMatrix<double>& x, int dimension, MostNumbers most = MostNumbers::OfInputs);

/// Warns where one coordinate makes nearly all of what the metric sees, as in tables of columns in different units: of
/// angles of the squared lengths, of distances of the squared (manhattan: absolute) differences between points, in nine
/// tenths all in all, or in half of the rows or pairs and of their sums. Hamming and jaccard know no units. By at most
/// 4,096 rows, or pairs of them, which the number of points alone chooses. O(D) a row.
void warn_of_long_coordinate(const PointsView& x, Metric metric, Summary& summary);

enum class StartRows {
    All,
    Some,  ///< a row may be NaN throughout: its point has no place to start from
};

/// Throws InvalidArgument unless a start, if there is one, has a row of `dimension` numbers for each point; InputError
/// if a number is not finite, or no row has a place.
void require_start_shape(const PointsView& start, Index points, int dimension, StartRows rows = StartRows::All);

/// Requires that all ranks have the same points, bit for bit (of distributed points the same number and dimension,
/// which is all that can be compared), and the same options. Throws InputError on all ranks, naming the first that
/// differs from rank 0. Does nothing in one process.
void require_same_on_all_ranks(const DistributedPoints& x, const OptionValues& options);

/// The points divided by their lengths, and what these are then: 1, but of zero vectors 0.
struct PointsOfLengthOne {
    Points points;               ///< points of this rank, where points are distributed
    std::vector<float> lengths;  ///< lengths of all points
};

/// O(n D) time and memory. Collective.
[[nodiscard]] PointsOfLengthOne at_length_one(const DistributedPoints& all, const RunContext& context);

/// The data of a fit: points; a graph of neighbours alone, whose points are rows of no numbers; or, beside that, the
/// table of all distances that it was taken from.
struct GivenData {
    PointsView points{};
    PointsView table{};
};

/// Whether only a neighbour graph is given: `x` then has rows of no numbers.
[[nodiscard]] bool has_graph_alone(const PointsView& x, const FitExtras& extras);

/// The checks of require_points() with MostNumbers::OfPoints; for a graph alone that it has distances, none negative
/// and not all zero unless a table has others (InputError), and a dimension of at least 1 and below n
/// (InvalidArgument).
void require_points_or_graph(const GivenData& given, int dimension, const FitExtras& extras);

/// For a graph alone: throws InvalidArgument for landmarks, which are chosen among points.
void require_graph_serves(const PointsView& x, const FitExtras& extras, bool landmarks);

/// What a start by pca is made of: the points, or what there is of a graph alone (FitExtras::components); else empty.
[[nodiscard]] PointsView points_to_start(const PointsView& x, const FitExtras& extras);

/// Throws InvalidArgument unless there are points, their components, or a start, to begin from: "pca" needs any.
void require_points_to_start(const PointsView& x, const FitExtras& extras, bool from_points);

/// The unit of the points, or of a graph's distances.
[[nodiscard]] PowerOfTwoScaling unit_of(const PointsView& x, const FitExtras& extras, const RunContext& context);

/// Brings coordinates to the unit of the input: those of the points, and those of which new points will be mixtures.
void restore_unit(const PowerOfTwoScaling& unit, Embedding& result);

}  // namespace isogon
