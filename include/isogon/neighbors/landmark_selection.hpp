#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

enum class LandmarkSelection { Random, KMeansPlusPlus, Farthest };

/// `count` different rows of the source, ascending; 1 <= count <= rows of the source.
/// Random: a uniform sample without replacement. Reads nothing, O(rows) time.
/// KMeansPlusPlus: one after the other, each with a chance in proportion to its squared distance from those chosen
/// before (Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007), on directions, where
/// that is 2 - 2 cos: spread out, so that few rows are far from all. Rows without a direction, and those that lie on a
/// chosen one, are taken only when there are no others. Exactly that distribution, but not one pass over all rows for
/// each: rows are drawn by distances that lag behind by up to a thousand landmarks, which are never too small, and kept
/// with the chance that makes up for it. Time n m D multiplications and additions and some 20 + m / 1000 passes over
/// the source; memory 4 bytes a row, some 64 MB for a block, 12 kB for each dimension; stated first.
/// Farthest: the first by the seed, then always the one farthest, by Euclidean distance, from those chosen before
/// (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): no point is far from all, and outliers
/// are landmarks. A pass over the source and n D operations for each: for some tens or hundreds. 8 bytes a row.
/// The same seed gives the same rows on any number of threads. The source must be finite. Throws InvalidArgument for a
/// count that is out of bounds, LimitExceeded, Interruption when the context ends the run.
[[nodiscard]] std::vector<Index> choose_landmarks(const RowSource& source, Index count, LandmarkSelection selection,
                                                  std::uint64_t seed, const RunContext& context);

}  // namespace isogon
