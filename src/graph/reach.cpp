#include "isogon/graph/reach.hpp"

#include "isogon/graph/disjoint_sets.hpp"

namespace isogon {

namespace {

template <class Value>
std::vector<Index> rows_beyond_reach(const CsrMatrix<Value>& matrix, std::span<const Index> sources) {
    DisjointSets sets(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = matrix.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (matrix.row_values(i)[k] != Value{0}) {
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

}  // namespace

std::vector<Index> unreached_rows(const CsrMatrix<float>& matrix, std::span<const Index> sources) {
    return rows_beyond_reach(matrix, sources);
}

std::vector<Index> unreached_rows(const CsrMatrix<double>& matrix, std::span<const Index> sources) {
    return rows_beyond_reach(matrix, sources);
}

}  // namespace isogon
