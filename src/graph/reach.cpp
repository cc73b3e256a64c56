#include "isogon/graph/reach.hpp"

#include <algorithm>
#include <numeric>

namespace isogon {

namespace {

/// Sets that can be joined; the name of a set is its least member, so that no order of joining matters.
class JoinedSets {
public:
    explicit JoinedSets(Index count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), Index{0}); }

    Index find(Index i) {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];
            i = parents_[i];
        }
        return i;
    }

    void join(Index i, Index j) {
        const Index a = find(i);
        const Index b = find(j);
        parents_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<Index> parents_;
};

}  // namespace

std::vector<Index> unreached_rows(const SparseMatrix& matrix, std::span<const Index> sources) {
    JoinedSets sets(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = matrix.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (matrix.row_values(i)[k] != 0.0F) {
                sets.join(i, columns[k]);
            }
        }
    }
    std::vector<bool> reached(matrix.rows);
    for (const Index source : sources) {
        reached[sets.find(source)] = true;
    }
    std::vector<Index> missed;
    for (Index i = 0; i < matrix.rows; ++i) {
        if (!reached[sets.find(i)]) {
            missed.push_back(i);
        }
    }
    return missed;
}

}  // namespace isogon
