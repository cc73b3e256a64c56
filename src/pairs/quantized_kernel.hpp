#pragma once
#include <cstring>

#include "pairs/quantized_points.hpp"

// The kernels of mark_within_reach(): for all machines, and for those that multiply bytes.
namespace isogon {

inline constexpr std::size_t quantized_group = 4;  ///< components side by side

/// The bounds of a panel, for all pairs with another: |y_i - y_j|^2 = a_i + a_j - 2 y_i.y_j < max(r_i + t, r_j + t)^2,
/// so that y_i.y_j > min(a_i/2 + (a_j - R_j^2)/2, (a_i - R_i^2)/2 + a_j/2).
struct alignas(64) QuantizedBounds {
    float half_squares[tile_width];  // NOLINT(*-avoid-c-arrays): a kernel's scratch; a/2, less a margin for rounding
    float differences[tile_width];   // NOLINT(*-avoid-c-arrays): likewise; that less R^2/2
};

inline constexpr float bounds_margin = 4e-6F;  ///< of the rounding of squares and products

/// Writes the bounds of both panels.
void write_bounds(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns, QuantizedBounds& of_rows,
                  QuantizedBounds& of_columns);

/// A kernel writes the marks of mark_within_reach().
using MarkingKernel = void(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                           TilePlaces& places);

/// For all machines: exact products in float32, which holds whole numbers up to 2^24, up to a depth of 1,040.
MarkingKernel mark_with_float_products;

/// Four components of a row.
inline std::int32_t four_at(const std::int8_t* group) {
    std::int32_t four = 0;
    std::memcpy(&four, group, sizeof(four));
    return four;
}

/// How this machine multiplies bytes, if Highway has not been told to leave these instructions unused.
enum class ByteProducts {
    None,
    Avx2,  ///< of seven bits, as sums of two products must fit into 16 bits
    Vnni,  ///< AVX-512, of eight bits
    Amx    ///< that, and a unit that multiplies matrices of them
};

/// Groups of four components that ByteProducts::Amx multiplies at once, at most; it needs a multiple of their number.
inline constexpr std::size_t most_groups_at_once = 16;

/// With Avx2 components are at most this: that and 127, twice two products, fit into 16 bits.
inline constexpr int largest_of_seven_bits = 63;

/// The same marks, with these instructions.
#if defined(__x86_64__)
[[nodiscard]] ByteProducts byte_products();
MarkingKernel mark_with_vnni;
MarkingKernel mark_with_amx;
MarkingKernel mark_with_avx2;
#else
[[nodiscard]] inline ByteProducts byte_products() {
    return ByteProducts::None;
}
inline constexpr MarkingKernel* mark_with_vnni = nullptr;
inline constexpr MarkingKernel* mark_with_amx = nullptr;
inline constexpr MarkingKernel* mark_with_avx2 = nullptr;
#endif

}  // namespace isogon
