#include "isogon/linalg/column_arithmetic.hpp"

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

// Enough for a thread to be worth waking: 16,000 numbers of 16 columns.
constexpr std::size_t rows_in_block = 1024;

std::vector<double> dots_of_rows(const BlockVectors& a, const BlockVectors& b, Range rows) {
    std::vector<double> sums(a.columns());
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const float* left = a.row(i);
        const float* right = b.row(i);
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sums[k] += double{left[k]} * double{right[k]};
        }
    }
    return sums;
}

/// Factors as wide as a row with its padding, for which they are zero.
std::vector<float> padded(std::span<const double> factors, std::size_t stride) {
    std::vector<float> values(stride);
    for (std::size_t k = 0; k < factors.size(); ++k) {
        values[k] = static_cast<float>(factors[k]);
    }
    return values;
}

}  // namespace

std::vector<double> column_dots(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    std::vector<std::vector<double>> parts(block_count(a.rows(), rows_in_block));
    parallel_tasks(context, parts.size(), [&](std::size_t block) {
        parts[block] = dots_of_rows(a, b, block_range(block, a.rows(), rows_in_block));
    });
    std::vector<double> sums(a.columns());
    for (const auto& part : parts) {
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sums[k] += part[k];
        }
    }
    return sums;
}

namespace {

/// b_ik = combine(factor_k, a_ik, b_ik).
template <class Combine>
void update_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b, const RunContext& context,
                    const Combine& combine) {
    const std::vector<float> values = padded(factors, a.stride());
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const float* from = a.row(i);
            float* to = b.row(i);
            for (std::size_t k = 0; k < values.size(); ++k) {
                to[k] = combine(values[k], from[k], to[k]);
            }
        }
    });
}

}  // namespace

void add_scaled_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                        const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return to + factor * from; });
}

void scale_columns_and_add(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                           const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return from + factor * to; });
}

}  // namespace isogon
