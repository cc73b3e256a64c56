#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Auto: exact as long as that is cheap by the count of pairs, or by what bounds leave of them as a sample shows, and
/// fits into the memory limit; else approximate. The summary says which. The same on every machine.
enum class SearchKind { Auto, Exact, Approximate };

struct NeighborSearchOptions {
    Index neighbors = 15;  ///< enough for a map of data and for classification by votes
    Metric metric = Metric::Cosine;
    SearchKind search = SearchKind::Auto;
    double recall = 0.95;    ///< goal of an approximate search, measured on a sample against the exact answer
    std::uint64_t seed = 0;  ///< seed for an approximate search's sample and clusters
    /// Multiplications up to which an exact search is cheap; 2e11 are two seconds on two cores. No option of the table.
    double cheap = 2e11;
};

[[nodiscard]] const OptionTable<NeighborSearchOptions>& neighbor_search_option_table();

struct NeighborSearch {
    NeighborLists lists;  ///< empty where the context ended the run
    Summary summary;      ///< "exact" 1 or 0, "recall" as measured (1 where exact), seconds by phase
};

/// The nearest of every point among the others: what every method that needs neighbours calls. Same bits for any
/// number of threads. Throws InvalidArgument, InputError (NaN; a distance beyond float32), LimitExceeded.
[[nodiscard]] NeighborSearch find_neighbors(const PointsView& points, const NeighborSearchOptions& options,
                                            const RunContext& context = {});

/// The nearest of `points` for every one of `queries`, another set of the same dimension; a query equal to a point
/// finds that point. An index is built where that costs less than an exhaustive search.
[[nodiscard]] NeighborSearch find_neighbors(const PointsView& queries, const PointsView& points,
                                            const NeighborSearchOptions& options, const RunContext& context = {});

/// The same of the rows of sparse matrices, by all metrics and exactly: distances of rows that have no column in common
/// cost nothing but a comparison (neighbors/sparse_neighbors.hpp).
[[nodiscard]] NeighborSearch find_neighbors(const CsrMatrix<double>& points, const NeighborSearchOptions& options,
                                            const RunContext& context = {});
[[nodiscard]] NeighborSearch find_neighbors(const CsrMatrix<double>& queries, const CsrMatrix<double>& points,
                                            const NeighborSearchOptions& options, const RunContext& context = {});

/// The first as a step of a method, of points that ranks may share: the lists of all on every rank, each of which has
/// looked for those of its part; what one process finds. Collective. Throws Interruption where the context ends the
/// run.
[[nodiscard]] NeighborSearch search_step(const DistributedPoints& points, const NeighborSearchOptions& options,
                                         const RunContext& context);
/// The lists of some rows alone, such as those of one rank, as the search of all gives them, and its summary; by
/// Euclidean distance some other ones may end a list where more points than it has places left are equally far. An
/// index, where one is worth it, is of all points all the same.
[[nodiscard]] NeighborSearch search_step(const PointsView& points, Range rows, const NeighborSearchOptions& options,
                                         const RunContext& context);

}  // namespace isogon
