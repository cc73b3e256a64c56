#include <hwy/targets.h>

#include <cstring>

#include "pairs/quantized_kernel.hpp"

// Highway 1.0 has no product of bytes, so this one kernel is in intrinsics: 64 products an instruction, 16 in float32.
#if defined(__x86_64__)
#include <immintrin.h>

#define ISOGON_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own headers read what they say is undefined (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 4;  // 8 and 12 registers of sums: GCC 12 copies more than it multiplies
constexpr std::size_t vectors = 3;       // of 16 columns
constexpr std::size_t lanes = 16;

}  // namespace

bool multiplies_bytes() {
    return (hwy::SupportedTargets() & HWY_AVX3) != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}

ISOGON_VNNI void mark_with_byte_products(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                                         const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                                         TilePlaces& places) {
    const __m512i half = _mm512_set1_epi8(-128);
    for (std::size_t i = 0; i < tile_width; i += rows_at_once) {
        __m512i products[rows_at_once][vectors];
#pragma GCC unroll 4
        for (std::size_t r = 0; r < rows_at_once; ++r) {
            // The instruction takes its first operand without sign: columns are q + 128 there.
            products[r][0] = products[r][1] = products[r][2] = _mm512_set1_epi32(-128 * rows.sums[i + r]);
        }
        for (std::size_t g = 0; g < rows.groups; ++g) {
            const std::int8_t* column_group = columns.components + g * quantized_group * tile_width;
            const std::int8_t* row_group = rows.components + (g * tile_width + i) * quantized_group;
            __m512i unsigned_columns[vectors];
#pragma GCC unroll 3
            for (std::size_t v = 0; v < vectors; ++v) {
                unsigned_columns[v] =
                    _mm512_xor_si512(half, _mm512_load_si512(column_group + v * lanes * quantized_group));
            }
#pragma GCC unroll 4
            for (std::size_t r = 0; r < rows_at_once; ++r) {
                std::int32_t four = 0;
                std::memcpy(&four, row_group + r * quantized_group, sizeof(four));
                const __m512i row = _mm512_set1_epi32(four);
#pragma GCC unroll 3
                for (std::size_t v = 0; v < vectors; ++v) {
                    products[r][v] = _mm512_dpbusd_epi32(products[r][v], unsigned_columns[v], row);
                }
            }
        }
#pragma GCC unroll 4
        for (std::size_t r = 0; r < rows_at_once; ++r) {
            const float inverse = 1.0F / rows.steps[i + r];
            const __m512 of_step = _mm512_set1_ps(inverse);
            const __m512 half_square = _mm512_set1_ps(inverse * of_rows.half_squares[i + r]);
            const __m512 difference = _mm512_set1_ps(inverse * of_rows.differences[i + r]);
            std::uint64_t marks = 0;
#pragma GCC unroll 3
            for (std::size_t v = 0; v < vectors; ++v) {
                const std::size_t j = v * lanes;
                const __m512 by_row = _mm512_fmadd_ps(_mm512_load_ps(of_columns.half_squares + j), of_step, difference);
                const __m512 by_column =
                    _mm512_fmadd_ps(_mm512_load_ps(of_columns.differences + j), of_step, half_square);
                const __m512 product =
                    _mm512_mul_ps(_mm512_cvtepi32_ps(products[r][v]), _mm512_loadu_ps(columns.steps + j));
                // Not "greater": what overflowed to NaN is marked.
                const __mmask16 may_be_near =
                    _mm512_cmp_ps_mask(product, _mm512_min_ps(by_row, by_column), _CMP_NLE_UQ);
                marks |= std::uint64_t{may_be_near} << j;
            }
            places.rows[i + r] = marks;
        }
    }
}

}  // namespace isogon

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#else
namespace isogon {

bool multiplies_bytes() {
    return false;
}

void mark_with_byte_products(const QuantizedPoints::Panel& /*rows*/, const QuantizedBounds& /*of_rows*/,
                             const QuantizedPoints::Panel& /*columns*/, const QuantizedBounds& /*of_columns*/,
                             TilePlaces& /*places*/) {}

}  // namespace isogon
#endif
