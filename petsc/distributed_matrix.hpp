#pragma once
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// A sparse matrix whose rows lie one after the other on ranks, rank_range() on each; columns are
/// those of the whole. Blocks of vectors are divided in the same way: a rank has the rows of its points.
struct DistributedMatrix {
    Index all_rows = 0;
    Index first = 0;           ///< the number of the first own row
    CsrMatrix<double> rows{};  ///< the own rows, by ascending column
};

/// A matrix of own rows. Throws InvalidArgument unless they are as many as the rank owns of `all_rows`.
[[nodiscard]] DistributedMatrix distributed(CsrMatrix<double> rows, Index all_rows, const RankGroup& ranks);

/// The rows that a rank keeps of a matrix that every rank has. O(own entries).
[[nodiscard]] DistributedMatrix own_rows(const CsrMatrix<double>& whole, const RankGroup& ranks);
[[nodiscard]] MultiVector<double> own_rows(const MultiVector<double>& whole, const RankGroup& ranks);

/// The reverse: the whole on every rank.
[[nodiscard]] CsrMatrix<double> whole(const DistributedMatrix& matrix, const RankGroup& ranks);
[[nodiscard]] MultiVector<double> whole(const MultiVector<double>& own, const RankGroup& ranks);

/// The transpose of a matrix, divided by its own rows: every entry goes to the rank that owns its column. An entry
/// travels as 16 bytes, once. Throws LimitExceeded where one rank would send or receive more than 2^31 of them.
[[nodiscard]] DistributedMatrix transposed(const DistributedMatrix& matrix, const RankGroup& ranks);

/// I - W. Throws InvalidArgument unless W is square and has no diagonal.
[[nodiscard]] DistributedMatrix identity_minus(const DistributedMatrix& weights);

}  // namespace isogon
