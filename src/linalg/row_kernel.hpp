#pragma once
#include <cstddef>
#include <span>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

// Loops over the rows of blocks of vectors (MultiVector<float>), by vector instructions. `rows` rows lie `stride`
// numbers apart, a multiple of 16, padded with zeros, at addresses that are multiples of 64 bytes. Products of float32
// are exact in float64, and summed there over 16 lanes.
namespace isogon {

/// Some rows of a block of vectors.
struct RowBlock {
    std::size_t first = 0;  ///< their numbers are this one and the following
    std::size_t rows = 0;
    Index columns = 0;
    std::size_t stride = 0;
    float* values = nullptr;

    /// With the padding.
    [[nodiscard]] std::span<float> numbers() const { return {values, rows * stride}; }
};

[[nodiscard]] inline RowBlock rows_of(MultiVector<float>& block, Range rows) {
    return {rows.begin, rows.size(), block.columns(), block.stride(), block.row(rows.begin)};
}

/// The numbers of some rows, with their padding.
template <class Block>
[[nodiscard]] auto numbers_of(Block& block, Range rows) {
    return std::span(block.row(rows.begin), rows.size() * block.stride());
}

// The next four take whole rows as one array, of which pointers have as many numbers as the span.

/// sum_k a_k b_k.
[[nodiscard]] double dot_of_rows(std::span<const float> a, const float* b);

/// b += factor a, and then sum_k b_k c_k.
[[nodiscard]] double axpy_dot_of_rows(float factor, const float* a, std::span<float> b, const float* c);

/// b += factor a.
void axpy_of_rows(float factor, const float* a, std::span<float> b);

/// b := a + factor b.
void xpay_of_rows(const float* a, float factor, std::span<float> b);

/// v_i := factor (v_i - (v_i.w_i / w_i.w_i) w_i), the part of each row perpendicular to that of w; factor v_i where w_i
/// is 0.
void project_rows(const float* w, float factor, float* v, std::size_t stride, std::size_t rows);

/// Rows of these lengths, one each; a row of zeros stays so.
void set_row_lengths(std::span<const float> lengths, float* v, std::size_t stride);

/// |a_i - b_i| of every row; sums in float32 over 16 lanes.
void row_distances(const float* a, const float* b, std::size_t stride, std::span<float> distances);

}  // namespace isogon
