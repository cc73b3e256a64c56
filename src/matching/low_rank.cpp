#include "isogon/matching/low_rank.hpp"

#include <cmath>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/tall_products.hpp"

namespace isogon {

PackedLowRank pack(const std::vector<LowRankTerm>& terms, const RunContext& context) {
    Index depth = 0;
    for (const auto& term : terms) {
        depth += term.matrix->rank();
    }
    const Index size = terms.front().matrix->size();
    PackedLowRank packed{PackedPoints(size, depth), PackedPoints(size, depth)};
    parallel_blocks(context, size, panel_width, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = static_cast<Index>(i);
            Index k = 0;
            for (const auto& term : terms) {
                for (Index c = 0; c < term.matrix->rank(); ++c, ++k) {
                    const double weight = term.coefficient * term.matrix->weights[c];
                    const auto value = static_cast<float>(std::sqrt(std::abs(weight)) * term.matrix->factor.row(i)[c]);
                    packed.left.at(row, k) = value;
                    packed.right.at(row, k) = weight < 0.0 ? -value : value;
                }
            }
        }
    });
    return packed;
}

std::vector<double> diagonal(const PackedLowRank& matrix, const RunContext& context) {
    std::vector<double> result(matrix.left.count());
    parallel_blocks(context, result.size(), panel_width, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Index k = 0; k < matrix.left.depth(); ++k) {
                const auto row = static_cast<Index>(i);
                result[i] += double{matrix.left.at(row, k)} * double{matrix.right.at(row, k)};
            }
        }
    });
    return result;
}

double sum_of_entries(const LowRank& matrix) {
    double total = 0.0;
    for (Index k = 0; k < matrix.rank(); ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < matrix.size(); ++i) {
            sum += double{matrix.factor.row(i)[k]};
        }
        total += matrix.weights[k] * sum * sum;
    }
    return total;
}

void add_product(const LowRank& matrix, double coefficient, const BlockVectors& in, BlockVectors& out,
                 const RunContext& context) {
    DenseMatrix small = gram(matrix.factor, in, context);
    for (std::size_t j = 0; j < small.columns; ++j) {
        for (std::size_t k = 0; k < small.rows; ++k) {
            small(k, j) *= coefficient * matrix.weights[k];
        }
    }
    const BlockVectors part = multiply(matrix.factor, small, context);
    parallel_blocks(context, out.rows(), 1024, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t k = 0; k < out.columns(); ++k) {
                out.row(i)[k] += part.row(i)[k];
            }
        }
    });
}

}  // namespace isogon
