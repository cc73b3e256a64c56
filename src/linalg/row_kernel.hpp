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
};

[[nodiscard]] inline RowBlock rows_of(MultiVector<float>& block, Range rows) {
    return {rows.begin, rows.size(), block.columns(), block.stride(), block.row(rows.begin)};
}

/// sum_ik a_ik b_ik.
[[nodiscard]] double dot_of_rows(const float* a, const float* b, std::size_t stride, std::size_t rows);

/// b += factor a, and then sum_ik b_ik c_ik.
[[nodiscard]] double axpy_dot_of_rows(float factor, const float* a, float* b, const float* c, std::size_t stride,
                                      std::size_t rows);

/// b += factor a.
void axpy_of_rows(float factor, const float* a, float* b, std::size_t stride, std::size_t rows);

/// b := a + factor b.
void xpay_of_rows(const float* a, float factor, float* b, std::size_t stride, std::size_t rows);

/// v_i := factor (v_i - (v_i.w_i / w_i.w_i) w_i), the part of each row perpendicular to that of w; factor v_i where w_i
/// is 0.
void project_rows(const float* w, float factor, float* v, std::size_t stride, std::size_t rows);

/// Rows of these lengths, one each; a row of zeros stays so.
void set_row_lengths(std::span<const float> lengths, float* v, std::size_t stride);

/// |a_i - b_i| of every row; sums in float32 over 16 lanes.
void row_distances(const float* a, const float* b, std::size_t stride, std::span<float> distances);

}  // namespace isogon
