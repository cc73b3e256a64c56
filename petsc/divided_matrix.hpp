#pragma once
#include <vector>

#include "isogon/core/sparse_matrix.hpp"
#include "isogon/core/team.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// A sparse matrix whose rows lie one after the other on the ranks of a team, part_of_rank() on each; columns are
/// those of the whole. Blocks of vectors are divided in the same way: a rank has the rows of its points.
struct DividedMatrix {
    Index all_rows = 0;
    Index first = 0;          ///< the number of the first own row
    WideSparseMatrix rows{};  ///< the own rows, by ascending column
};

/// The rows of `count` that a rank owns.
[[nodiscard]] Range own_part(Index count, const Team& team);

/// A matrix of own rows. Throws InvalidArgument unless they are as many as the rank owns of `all_rows`.
[[nodiscard]] DividedMatrix divided(WideSparseMatrix rows, Index all_rows, const Team& team);

/// Of a matrix that every rank has, those rows that a rank keeps. O(own entries).
[[nodiscard]] DividedMatrix own_rows(const WideSparseMatrix& whole, const Team& team);
[[nodiscard]] WideVectors own_rows(const WideVectors& whole, const Team& team);

/// And back: the whole on every rank.
[[nodiscard]] WideSparseMatrix whole(const DividedMatrix& matrix, const Team& team);
[[nodiscard]] WideVectors whole(const WideVectors& own, const Team& team);

/// The transpose of a matrix, divided by its own rows: every entry goes to the rank that owns its column. An entry
/// travels as 16 bytes, once. Throws LimitExceeded where one rank would send or receive more than 2^31 of them.
[[nodiscard]] DividedMatrix transposed(const DividedMatrix& matrix, const Team& team);

/// I - W. Throws InvalidArgument unless W is square and has no diagonal.
[[nodiscard]] DividedMatrix identity_minus(const DividedMatrix& weights);

}  // namespace isogon
