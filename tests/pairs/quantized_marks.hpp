#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "pairs/quantized_kernel.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::quantized_marks {

/// Random points of three lengths, some of them zero.
inline QuantizedPoints quantized_panel(Index dimension, double size, std::uint64_t seed, int largest,
                                       MarksExpected expected) {
    MultiVector<float> block = support::random_block(tile_width, dimension, seed);
    QuantizedPoints points(tile_width, dimension, expected, largest);
    for (Index i = 0; i < tile_width; ++i) {
        for (Index k = 0; k < dimension; ++k) {
            block.row(i)[k] *= static_cast<float>(i % 13 == 5 ? 0.0 : size * (1.0 + i % 3));
        }
    }
    points.set_panel(0, block.row(0), block.stride());
    return points;
}

using MarkingKernel = decltype(mark_with_float_products);

/// Every pair that float32 marks, and few more: kernels may compare in whole numbers, some units below the bounds.
/// Where squares are smaller or larger than float32 can tell, any number more.
inline void expect_marks(const TilePlaces& marks, const TilePlaces& of_float32, bool are_few_more) {
    int more = 0;
    for (std::size_t i = 0; i < tile_width; ++i) {
        ASSERT_EQ(of_float32.rows[i] & ~marks.rows[i], 0U) << "row " << i;
        more += std::popcount(marks.rows[i] & ~of_float32.rows[i]);
    }
    EXPECT_TRUE(!are_few_more || more <= static_cast<int>(tile_size / 100)) << more;
}

/// Two panels, with lengths within reach; with `endless`, of which every row has a mark, some of them have no end.
inline void expect_marks_of_panels(MarkingKernel& kernel, const QuantizedPoints& left, const QuantizedPoints& right,
                                   double length, bool endless) {
    Random random(1, RandomStream::Test, 0);
    std::vector<float> reach(2 * tile_width);
    for (std::size_t i = 0; i < reach.size(); ++i) {
        const double within = random.uniform(0.0, 2.0) * length;
        reach[i] = endless && i % 17 == 3 ? std::numeric_limits<float>::infinity() : static_cast<float>(within);
    }
    const std::vector<float> skins(tile_width, static_cast<float>(0.1 * length));
    const PanelReach of_left{reach.data(), skins.data()};
    const PanelReach of_right{reach.data() + tile_width, skins.data()};
    TilePlaces by_bytes;
    TilePlaces by_floats;
    kernel(left.panel(0), of_left, right.panel(0), of_right, by_bytes);
    mark_with_float_products(left.panel(0), of_left, right.panel(0), of_right, by_floats);
    constexpr double most_length = 1e15;
    expect_marks(by_bytes, by_floats, 1.0 / most_length < length && length < most_length);
}

/// Panels of many depths and sizes, of components of at most `largest`: the kernel marks what float32 marks.
inline void expect_marks_of_float32(MarkingKernel& kernel, int largest) {
    for (const auto expected : {MarksExpected::Few, MarksExpected::FewByLeading}) {
        for (const Index dimension : {1U, 3U, 4U, 5U, 8U, 12U, 32U, 33U, 65U, 97U, 500U}) {
            for (const double size : {1e-25, 1e-3, 1.0, 1e17}) {
                SCOPED_TRACE(std::to_string(dimension) + ", " + std::to_string(size));
                const auto points = [&](double of_size, std::uint64_t seed) {
                    return quantized_panel(dimension, of_size, seed, largest, expected);
                };
                const QuantizedPoints left = points(size, dimension);
                const double length = size * std::sqrt(dimension);
                expect_marks_of_panels(kernel, left, points(size, dimension + 1), length, true);
                expect_marks_of_panels(kernel, left, points(size, dimension + 1), 0.5 * length, false);
                expect_marks_of_panels(kernel, left, points(1e4 * size, 7), 1e3 * length, true);
            }
        }
    }
}

}  // namespace isogon::quantized_marks
