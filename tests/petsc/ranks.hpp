#pragma once
#include <algorithm>
#include <cmath>

#include "distributed_matrix.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "mpi_communicator.hpp"

/// Shared parts of the tests on several ranks.
namespace isogon::ranks {

/// All processes of the test.
inline RankGroup group() {
    static const MpiCommunicator all;
    return RankGroup(all);
}

/// The lists of the own points.
inline NeighborLists own_lists(const NeighborLists& lists) {
    return rows_of(lists, group().own_part(lists.count()));
}

/// The largest |x - y| of two blocks over the largest |y|, columns free in sign.
inline double difference(const MultiVector<double>& x, const MultiVector<double>& y) {
    if (x.rows() != y.rows() || x.columns() != y.columns()) {
        return HUGE_VAL;
    }
    double largest = 0.0;
    double size = 0.0;
    for (Index j = 0; j < x.columns(); ++j) {
        double same = 0.0;
        double opposite = 0.0;
        for (Index i = 0; i < x.rows(); ++i) {
            same = std::max(same, std::abs(x.at(i, j) - y.at(i, j)));
            opposite = std::max(opposite, std::abs(x.at(i, j) + y.at(i, j)));
            size = std::max(size, std::abs(y.at(i, j)));
        }
        largest = std::max(largest, std::min(same, opposite));
    }
    return largest / size;
}

}  // namespace isogon::ranks
