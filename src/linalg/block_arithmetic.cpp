#include "isogon/linalg/block_arithmetic.hpp"

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

// Enough for a thread to be worth waking: 16,000 numbers of 16 columns.
constexpr std::size_t rows_in_block = 1024;

/// The numbers of a range of rows, padding included: it is zero and stays so.
std::size_t numbers_in(const BlockVectors& block, Range rows) {
    return rows.size() * block.stride();
}

/// Sixteen sums in float32 within a row, so that the loop is a vector loop, and float64 from row to row.
double dot_of_rows(const float* a, const float* b, std::size_t stride, std::size_t rows) {
    constexpr std::size_t lanes = 16;
    double total = 0.0;
    for (std::size_t i = 0; i < rows; ++i, a += stride, b += stride) {
        float sums[lanes] = {};  // NOLINT(*-avoid-c-arrays): registers
        for (std::size_t k = 0; k < stride; k += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                sums[lane] += a[k + lane] * b[k + lane];
            }
        }
        for (const float sum : sums) {
            total += double{sum};
        }
    }
    return total;
}

}  // namespace

double dot(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    return parallel_sum(context, a.rows(), rows_in_block, [&](Range rows) {
        return dot_of_rows(a.row(rows.begin), b.row(rows.begin), a.stride(), rows.size());
    });
}

void add_scaled(double factor, const BlockVectors& a, BlockVectors& b, const RunContext& context) {
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
        const float* from = a.row(rows.begin);
        float* to = b.row(rows.begin);
        for (std::size_t k = 0; k < numbers_in(a, rows); ++k) {
            to[k] += f * from[k];
        }
    });
}

void scale(double factor, BlockVectors& a, const RunContext& context) {
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
        float* values = a.row(rows.begin);
        for (std::size_t k = 0; k < numbers_in(a, rows); ++k) {
            values[k] *= f;
        }
    });
}

}  // namespace isogon
