#include "isogon/forces/attraction.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/parallel.hpp"
#include "isogon/core/squared_distance.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 256;

/// Some rows, in `Dimension` numbers, or as many as there are if that is 0.
template <Index Dimension>
void pull_rows(const CsrMatrix<float>& edges, const OutputKernel& kernel, const WideVectors& y, Range rows,
               WideVectors& pulls) {
    const Index dimension = Dimension == 0 ? y.columns : Dimension;
    const bool cauchy = kernel.is_cauchy();
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const double* own = y.row(i);
        double* pull = pulls.row(i);
        std::fill_n(pull, dimension, 0.0);
        for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
            const double* other = y.row(edges.indices[e]);
            const double squared = squared_distance(own, other, dimension);
            // The Cauchy kernel's pull, written out: a call for every edge takes longer than all else.
            const double force = double{edges.values[e]} * (cauchy ? 1.0 / (1.0 + squared) : kernel.pull(squared));
            for (Index c = 0; c < dimension; ++c) {
                pull[c] += force * (own[c] - other[c]);
            }
        }
    }
}

}  // namespace

void attract(const CsrMatrix<float>& edges, const OutputKernel& kernel, const WideVectors& y, WideVectors& pulls,
             const RunContext& context) {
    parallel_blocks(context, edges.rows, rows_of_task, [&](Range rows) {
        switch (y.columns) {
            case 2: return pull_rows<2>(edges, kernel, y, rows, pulls);
            case 3: return pull_rows<3>(edges, kernel, y, rows, pulls);
            default: return pull_rows<0>(edges, kernel, y, rows, pulls);
        }
    });
}

double attraction_cost(const CsrMatrix<float>& edges, const OutputKernel& kernel, const WideVectors& y,
                       const RunContext& context) {
    return parallel_sum(context, edges.rows, rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                sum += double{edges.values[e]} *
                       kernel.cost(squared_distance(y.row(i), y.row(edges.indices[e]), y.columns));
            }
        }
        return sum;
    });
}

double negative_entropy(const CsrMatrix<float>& edges, const RunContext& context) {
    return parallel_sum(context, edges.values.size(), rows_of_task * rows_of_task, [&](Range entries) {
        double sum = 0.0;
        for (std::size_t e = entries.begin; e < entries.end; ++e) {
            const auto weight = double{edges.values[e]};
            sum += weight > 0.0 ? weight * std::log(weight) : 0.0;
        }
        return sum;
    });
}

}  // namespace isogon
