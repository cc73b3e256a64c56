#include "isogon/forces/attraction.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 256;

double squared_distance(const double* u, const double* v, Index dimension) {
    double sum = 0.0;
    for (Index c = 0; c < dimension; ++c) {
        sum += (u[c] - v[c]) * (u[c] - v[c]);
    }
    return sum;
}

}  // namespace

void attract(const WideSparseMatrix& edges, const OutputKernel& kernel, const WideVectors& y, WideVectors& pulls,
             const RunContext& context) {
    parallel_blocks(context, edges.rows, rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const double* own = y.row(i);
            double* pull = pulls.row(i);
            std::fill_n(pull, y.columns, 0.0);
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                const double* other = y.row(edges.indices[e]);
                const double force = edges.values[e] * kernel.pull(squared_distance(own, other, y.columns));
                for (Index c = 0; c < y.columns; ++c) {
                    pull[c] += force * (own[c] - other[c]);
                }
            }
        }
    });
}

double attraction_cost(const WideSparseMatrix& edges, const OutputKernel& kernel, const WideVectors& y,
                       const RunContext& context) {
    return parallel_sum(context, edges.rows, rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                sum += edges.values[e] * kernel.cost(squared_distance(y.row(i), y.row(edges.indices[e]), y.columns));
            }
        }
        return sum;
    });
}

double negative_entropy(const WideSparseMatrix& edges, const RunContext& context) {
    return parallel_sum(context, edges.values.size(), rows_of_task * rows_of_task, [&](Range entries) {
        double sum = 0.0;
        for (std::size_t e = entries.begin; e < entries.end; ++e) {
            const double weight = edges.values[e];
            sum += weight > 0.0 ? weight * std::log(weight) : 0.0;
        }
        return sum;
    });
}

}  // namespace isogon
