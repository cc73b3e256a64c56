#include "pairs/tile_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/tile_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes: panels of 48 hold three of them.
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

constexpr std::size_t marked_at_once = 32;
constexpr std::size_t fetched_ahead = 12;  // rows of a list, and panels, lie anywhere in memory

/// Which of 48 x 48 values are positive, as bits. `value_at` gives the vector at a place; `take` is called with each
/// 32nd place and a function that it calls for every vector from there on: this marks the vector, and gives its values
/// above zero.
template <class ValueAt, class Take>
HWY_INLINE void mark_positive(const ValueAt& value_at, TilePlaces& places, const Take& take) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vector zero = hn::Zero(tag);
    alignas(8) std::uint8_t bits[tile_size / 8 + 8];
    const auto mark = [&](std::size_t place, Vector value) {
        const auto positive = hn::Gt(value, zero);
        // With 4 lanes a vector's bits are half a byte: two vectors share one.
        if (lanes >= 8) {
            hn::StoreMaskBits(tag, positive, bits + place / 8);
        } else {
            std::uint8_t few[8];
            hn::StoreMaskBits(tag, positive, few);
            auto& byte = bits[place / 8];
            byte = place % 8 == 0 ? few[0] : static_cast<std::uint8_t>(byte | few[0] << place % 8);
        }
        return hn::IfThenElseZero(positive, value);
    };
    for (std::size_t place = 0; place < tile_size; place += marked_at_once) {
        take(place, [&](std::size_t lane) { return mark(place + lane, value_at(place + lane)); });
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        places.rows[i] = 0;
        std::memcpy(&places.rows[i], bits + i * tile_width / 8, tile_width / 8);
    }
}

/// For mark_positive: no more than to mark.
constexpr auto mark_all = [](std::size_t, const auto& positive_at) {
    for (std::size_t lane = 0; lane < marked_at_once; lane += hn::Lanes(Floats())) {
        positive_at(lane);
    }
};

// Two steps, measured against compressing into the lists directly (which costs two stores across cache lines for every
// vector, hits or not: 550 ns a tile against 200 ns at 2% hits): first the signs of the whole tile as bits, then the
// set bits.
void collect_positive(const float* values, TileEntries& hits) {
    TilePlaces places;
    mark_positive([&](std::size_t place) { return hn::Load(Floats(), values + place); }, places, mark_all);
    list_hits(values, places, hits);
}

HingeOfTile take_hinge(float* values, float factor, TilePlaces& places) {
    const Floats tag;
    const Vector scale = hn::Set(tag, factor);
    // 32 sums of each: one of 288 alike terms is off by more than a millionth.
    LaneSums<float, marked_at_once, 16> squares;
    LaneSums<float, marked_at_once, 16> sums;
    const auto value_at = [&](std::size_t place) { return hn::Load(tag, values + place); };
    mark_positive(value_at, places, [&](std::size_t place, const auto& positive_at) {
        squares.add([&](std::size_t lane, Vector square) {
            const Vector hinge = positive_at(lane);
            sums.part(lane) = hn::Add(sums.part(lane), hinge);
            hn::Store(hn::Mul(scale, hinge), tag, values + place + lane);
            return multiply_add(hinge, hinge, square);
        });
    });
    return {double{squares.total()}, double{sums.total()}};
}

/// The hits of a run, all of one row, for `vectors` vectors of the block: the row's sums stay in registers.
template <std::size_t vectors>
HWY_INLINE void accumulate_run(const TileEntries& hits, Range run, TileSide own, TileSide columns, std::size_t width) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vector sums[vectors];
    Vector row[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = hn::LoadU(tag, own.sums + v * lanes);
        row[v] = hn::LoadU(tag, own.vectors + v * lanes);
    }
    for (std::size_t h = run.begin; h < run.end; ++h) {
        const std::size_t j = (hits.places[h] & tile_place_mask) * width;
        const Vector value = hn::Set(tag, hits.values[h]);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v) {
            float* column_sum = columns.sums + j + v * lanes;
            sums[v] = multiply_add(value, hn::LoadU(tag, columns.vectors + j + v * lanes), sums[v]);
            hn::StoreU(multiply_add(value, row[v], hn::LoadU(tag, column_sum)), tag, column_sum);
        }
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(sums[v], tag, own.sums + v * lanes);
    }
}

void accumulate_hits(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width) {
    const std::size_t lanes = hn::Lanes(Floats());
    const auto from = [](const TileSide& side, std::size_t k) { return TileSide{side.vectors + k, side.sums + k}; };
    for (Range run; run.begin < hits.count; run.begin = run.end) {
        const std::uint32_t row = hits.places[run.begin] >> tile_place_shift;
        run.end = run.begin + 1;
        while (run.end < hits.count && (hits.places[run.end] >> tile_place_shift) == row) {
            ++run.end;
        }
        std::size_t c = 0;
        for (; c + 4 * lanes <= width; c += 4 * lanes) {
            accumulate_run<4>(hits, run, from(rows, row * width + c), from(columns, c), width);
        }
        for (; c + 2 * lanes <= width; c += 2 * lanes) {
            accumulate_run<2>(hits, run, from(rows, row * width + c), from(columns, c), width);
        }
        for (; c < width; c += lanes) {
            accumulate_run<1>(hits, run, from(rows, row * width + c), from(columns, c), width);
        }
    }
}

void subtract_from_rows(const float* HWY_RESTRICT tile, const float* HWY_RESTRICT thresholds,
                        float* HWY_RESTRICT differences) {
    const Floats tag;
    for (std::size_t i = 0; i < tile_width; ++i) {
        const auto threshold = hn::Set(tag, thresholds[i]);
        for (std::size_t j = 0; j < tile_width; j += hn::Lanes(tag)) {
            const std::size_t place = i * tile_width + j;
            hn::Store(hn::Sub(hn::Load(tag, tile + place), threshold), tag, differences + place);
        }
    }
}

void mark_inside(const float* products, const TileBalls& balls, TilePlaces& places) {
    constexpr float margin = 4e-6F;  // of sums of up to some hundred float32 products
    const Floats tag;
    const Vector shrunk = hn::Set(tag, 1.0F - margin);
    const Vector two = hn::Set(tag, 2.0F);
    const auto value_at = [&](std::size_t place) {
        const std::size_t i = place / tile_width;
        const std::size_t j = place % tile_width;
        const Vector row_radius = hn::Set(tag, balls.row_radii[i]);
        const Vector radius = hn::Max(row_radius, hn::LoadU(tag, balls.column_radii + j));
        const Vector squares = hn::Add(hn::Set(tag, balls.row_squares[i]), hn::LoadU(tag, balls.column_squares + j));
        return multiply_add(two, hn::Load(tag, products + place), negative_multiply_add(shrunk, squares, radius));
    };
    mark_positive(value_at, places, mark_all);
}

HWY_INLINE float squared_difference(const float* a, const float* b, std::size_t width) {
    const Floats tag;
    LaneSums<float, 16> sums;
    for (std::size_t k = 0; k < width; k += 16) {
        sums.add([&](std::size_t lane, Vector sum) {
            const Vector difference = hn::Sub(hn::LoadU(tag, a + k + lane), hn::LoadU(tag, b + k + lane));
            return multiply_add(difference, difference, sum);
        });
    }
    return sums.total();
}

HWY_INLINE void prefetch_row(const float* row, std::size_t width) {
    for (std::size_t c = 0; c < width; c += 16) {
        hwy::Prefetch(row + c);
    }
}

void square_differences(TileEntries& hits, const float* left, const float* right, std::size_t width) {
    const auto row = [&](std::size_t h) { return left + (hits.places[h] >> tile_place_shift) * width; };
    const auto column = [&](std::size_t h) { return right + (hits.places[h] & tile_place_mask) * width; };
    for (std::size_t h = 0; h < hits.count; ++h) {
        if (h + fetched_ahead < hits.count) {
            prefetch_row(row(h + fetched_ahead), width);
            prefetch_row(column(h + fetched_ahead), width);
        }
        hits.values[h] = squared_difference(row(h), column(h), width);
    }
}

void square_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                               float* squares) {
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (k + fetched_ahead < list.size()) {
            prefetch_row(y.row(list[k + fetched_ahead]), y.stride());
        }
        squares[k] = squared_difference(point, y.row(list[k]), y.stride());
    }
}

void accumulate_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                                   const float* factors, float* sum) {
    const Floats tag;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (factors[k] == 0.0F) {
            continue;
        }
        const Vector factor = hn::Set(tag, factors[k]);
        const float* other = y.row(list[k]);
        for (std::size_t c = 0; c < y.stride(); c += hn::Lanes(tag)) {
            const Vector difference = hn::Sub(hn::LoadU(tag, point + c), hn::LoadU(tag, other + c));
            hn::StoreU(multiply_add(factor, difference, hn::LoadU(tag, sum + c)), tag, sum + c);
        }
    }
}

void accumulate_differences(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width) {
    const auto [left, row_sums] = rows;
    const auto [right, column_sums] = columns;
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const std::size_t i = (hits.places[h] >> tile_place_shift) * width;
        const std::size_t j = (hits.places[h] & tile_place_mask) * width;
        const Vector value = hn::Set(tag, hits.values[h]);
        for (std::size_t k = 0; k < width; k += lanes) {
            const Vector difference = hn::Sub(hn::LoadU(tag, left + i + k), hn::LoadU(tag, right + j + k));
            float* row_sum = row_sums + i + k;
            hn::StoreU(multiply_add(value, difference, hn::LoadU(tag, row_sum)), tag, row_sum);
            float* column_sum = column_sums + j + k;
            hn::StoreU(negative_multiply_add(value, difference, hn::LoadU(tag, column_sum)), tag, column_sum);
        }
    }
}

void multiply_listed(const float* HWY_RESTRICT vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* HWY_RESTRICT products) {
    const Floats tag;
    const auto in_one = [&](Index i) {
        const float* row = vectors.row(i);
        LaneSums<float, 16> sums;
        for (std::size_t a = 0; a < vectors.stride(); a += 16) {
            sums.add([&](std::size_t lane, Vector sum) {
                return multiply_add(hn::Load(tag, vector + a + lane), hn::Load(tag, row + a + lane), sum);
            });
        }
        return sums.in_one();
    };
    std::size_t k = 0;
    for (; k + 4 <= list.size(); k += 4) {
        const Vector sums[] = {in_one(list[k]), in_one(list[k + 1]), in_one(list[k + 2]), in_one(list[k + 3])};
        fold_four(tag, sums, products + k);
    }
    for (; k < list.size(); ++k) {
        products[k] = fold_lanes(tag, in_one(list[k]));
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(subtract_from_rows);
HWY_EXPORT(multiply_listed);
HWY_EXPORT(collect_positive);
HWY_EXPORT(accumulate_hits);
HWY_EXPORT(take_hinge);
HWY_EXPORT(mark_inside);
HWY_EXPORT(square_differences);
HWY_EXPORT(square_listed_differences);
HWY_EXPORT(accumulate_listed_differences);
HWY_EXPORT(accumulate_differences);

void prefetch_listed(const MultiVector<float>& y, std::span<const Index> list) {
    for (const Index j : list.first(std::min(list.size(), HWY_NAMESPACE::fetched_ahead))) {
        for (std::size_t k = 0; k < y.stride(); k += 16) {
            hwy::Prefetch(y.row(j) + k);
        }
    }
}

void list_hits(const float* values, const TilePlaces& places, TileEntries& hits) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < tile_width; ++i) {
        for (std::uint64_t row = places.rows[i]; row != 0; row &= row - 1) {
            const auto j = static_cast<std::uint32_t>(std::countr_zero(row));
            hits.places[count] = static_cast<std::uint32_t>(i << tile_place_shift) | j;
            hits.values[count] = values[i * tile_width + j];
            ++count;
        }
    }
    hits.count = count;
}

void append_places(const TilePlaces& places, TileEntries& hits) {
    for (std::size_t i = 0; i < tile_width; ++i) {
        for (std::uint64_t row = places.rows[i]; row != 0; row &= row - 1) {
            hits.places[hits.count++] =
                static_cast<std::uint32_t>(i << tile_place_shift) | static_cast<std::uint32_t>(std::countr_zero(row));
        }
    }
}

HingeOfTile take_hinge(float* values, float factor, TilePlaces& places) {
    return HWY_DYNAMIC_DISPATCH(take_hinge)(values, factor, places);
}

void collect_positive(const float* values, TileEntries& hits) {
    HWY_DYNAMIC_DISPATCH(collect_positive)(values, hits);
}

void accumulate_hits(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width) {
    HWY_DYNAMIC_DISPATCH(accumulate_hits)(hits, rows, columns, width);
}

void collect_above(const float* tile, const float* thresholds, TileEntries& hits) {
    alignas(64) float differences[tile_size];
    HWY_DYNAMIC_DISPATCH(subtract_from_rows)(tile, thresholds, differences);
    collect_positive(differences, hits);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const std::size_t row = hits.places[h] >> tile_place_shift;
        hits.values[h] = tile[row * tile_width + (hits.places[h] & tile_place_mask)];
    }
}

void multiply_listed(const float* vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* products) {
    HWY_DYNAMIC_DISPATCH(multiply_listed)(vector, vectors, list, products);
}

void mark_inside(const float* products, const TileBalls& balls, TilePlaces& places) {
    HWY_DYNAMIC_DISPATCH(mark_inside)(products, balls, places);
}

void square_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                               float* squares) {
    HWY_DYNAMIC_DISPATCH(square_listed_differences)(point, y, list, squares);
}

void accumulate_listed_differences(const float* point, const MultiVector<float>& y, std::span<const Index> list,
                                   const float* factors, float* sum) {
    HWY_DYNAMIC_DISPATCH(accumulate_listed_differences)(point, y, list, factors, sum);
}

void square_differences(TileEntries& hits, const float* left, const float* right, std::size_t width) {
    HWY_DYNAMIC_DISPATCH(square_differences)(hits, left, right, width);
}

void accumulate_differences(const TileEntries& hits, const TileSide& rows, const TileSide& columns, std::size_t width) {
    HWY_DYNAMIC_DISPATCH(accumulate_differences)(hits, rows, columns, width);
}

}  // namespace isogon
#endif
