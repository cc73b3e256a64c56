#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// Rows and columns of a tile: all products of one panel of points with another.
inline constexpr std::size_t tile_width = panel_width;
inline constexpr std::size_t tile_size = tile_width * tile_width;

/// A place in a tile as one number: row * 64 + column.
inline constexpr unsigned tile_place_shift = 6;
inline constexpr std::uint32_t tile_place_mask = (1U << tile_place_shift) - 1U;

/// The hits of a tile: places in ascending order and the values there, sized for the worst case.
struct TileEntries {
    alignas(64) std::uint32_t places[tile_size];  // NOLINT(*-avoid-c-arrays): a kernel's scratch, on the stack
    alignas(64) float values[tile_size];          // NOLINT(*-avoid-c-arrays): likewise
    std::size_t count = 0;
};

/// A set of places: bit j of rows[i] is row i, column j.
struct TilePlaces {
    std::uint64_t rows[tile_width];  // NOLINT(*-avoid-c-arrays): a kernel's scratch, on the stack
};

/// Lists the values of a tile (stride 48) at those places.
void list_hits(const float* values, const TilePlaces& places, TileEntries& hits);

/// Appends those places to the hits, without values.
void append_places(const TilePlaces& places, TileEntries& hits);

/// Collects the entries of a tile that are above zero.
void collect_positive(const float* values, TileEntries& hits);

/// Collects the entries of a tile (64-byte aligned) that are above the threshold of their row, one of 48.
void collect_above(const float* tile, const float* thresholds, TileEntries& hits);

/// Sums over a tile, in float32: of max(0, v)^2 and of max(0, v).
struct HingeOfTile {
    double squares = 0.0;
    double sum = 0.0;
};

/// Replaces every value v of a tile by factor max(0, v), and writes the places with v above zero to `places`.
HingeOfTile take_hinge(float* values, float factor, TilePlaces& places);

/// The vectors x of the 48 points of a tile's rows, or of its columns, and the sums that they get: `width` floats each,
/// a multiple of 16.
struct TileSide {
    const float* vectors = nullptr;
    float* sums = nullptr;
};

/// For every hit (i, j, r) adds r x_j to the sum of row i and r x_i to that of column j: the product of a symmetric
/// sparse matrix with a block of vectors, both halves at once.
void accumulate_hits(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width);

/// products[k] = vector . vectors_list[k] in float32; `vector` is 64-byte aligned and padded with zeros to the stride
/// of `vectors`. Each product is independent of the others in the list.
void multiply_listed(const float* vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* products);

/// squares[k] = |y_i - y_j|^2 of j = list[k], the bits of square_differences(). `point` is row i of `y`, or padded like
/// it.
void square_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                               float* squares);

/// Asks for the first rows of a list, while something else is done before square_listed_differences(), which asks for
/// the following ones itself: by lists of a million points these rows lie anywhere in memory.
void prefetch_listed(const MultiVector<float>& y, std::span<const Index> list);

/// Adds sum_k factors[k] (y_i - y_j), j = list[k], to `sum`, a row like those of `y`, in the order of the list; factors
/// of zero are passed over.
void accumulate_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                                   const float* factors, float* sum);

/// Squared distances between the points of a tile's rows and columns, |y_i - y_j|^2 = a_i + a_j - 2 y_i.y_j with
/// a_i = |y_i|^2, and the squared radii r_i^2 within which no non-neighbours belong. Each array has 48 numbers.
struct TileBalls {
    const float* row_squares = nullptr;
    const float* column_squares = nullptr;
    const float* row_radii = nullptr;     ///< r_i^2
    const float* column_radii = nullptr;  ///< r_j^2
};

/// Marks the places where |y_i - y_j|^2 may be below max(r_i^2, r_j^2), for a tile of products y_i.y_j.
/// A product has the rounding of float32, so pairs up to a few millionths of a_i + a_j beyond are marked too. A value
/// of minus infinity is never marked.
void mark_inside(const float* products, const TileBalls& balls, TilePlaces& places);

/// The value of every hit becomes |left_i - right_j|^2, from differences: products would lose small distances.
void square_differences(TileEntries& hits, const float* left, const float* right, std::size_t width);

/// For every hit (i, j, r) adds r (x_i - x_j) to the sum of row i and subtracts it from that of column j.
void accumulate_differences(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width);

}  // namespace isogon
