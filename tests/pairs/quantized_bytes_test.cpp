#include "pairs/quantized_kernel.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>
#include "core/random.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::quantized_bytes_test {

namespace {

/// Random points of three lengths, some of them zero.
QuantizedPoints quantized_panel(Index dimension, double size, std::uint64_t seed, int largest, MarksExpected expected) {
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

/// Every pair that float32 marks, and few more: kernels may compare in whole numbers, some units below the bounds.
/// Where squares are smaller or larger than float32 can tell, any number more.
void expect_marks(const TilePlaces& marks, const TilePlaces& of_float32, bool are_few_more) {
    int more = 0;
    for (std::size_t i = 0; i < tile_width; ++i) {
        ASSERT_EQ(of_float32.rows[i] & ~marks.rows[i], 0U) << "row " << i;
        more += std::popcount(marks.rows[i] & ~of_float32.rows[i]);
    }
    EXPECT_TRUE(!are_few_more || more <= static_cast<int>(tile_size / 100)) << more;
}

/// Two panels, with lengths within reach; with `endless`, of which every row has a mark, some of them have no end.
void expect_marks_of_panels(MarkingKernel* kernel, const QuantizedPoints& left, const QuantizedPoints& right,
                            double length, bool endless) {
    Random random(1, RandomStream::Test, 0);
    std::vector<float> reach(2 * tile_width);
    for (std::size_t i = 0; i < reach.size(); ++i) {
        const double within = random.uniform(0.0, 2.0) * length;
        reach[i] = endless && i % 17 == 3 ? std::numeric_limits<float>::infinity() : static_cast<float>(within);
    }
    const std::vector<float> skins(tile_width, static_cast<float>(0.1 * length));
    const QuantizedPoints::Panel rows = left.panel(0, {reach.data(), skins.data()});
    const QuantizedPoints::Panel columns = right.panel(0, {reach.data() + tile_width, skins.data()});
    TilePlaces by_bytes;
    TilePlaces by_floats;
    kernel(rows, columns, by_bytes);
    mark_with_float_products(rows, columns, by_floats);
    constexpr double most_length = 1e15;
    expect_marks(by_bytes, by_floats, 1.0 / most_length < length && length < most_length);
}

/// Panels of many depths and sizes, of components of at most `largest`: the kernel marks what float32 marks.
void expect_marks_of_float32(MarkingKernel* kernel, int largest) {
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

TEST(QuantizedBytes, MarkWhatFloat32Marks) {
    if (byte_products() >= ByteProducts::Avx2) {
        expect_marks_of_float32(mark_with_avx2, largest_of_seven_bits);
    }
    if (byte_products() >= ByteProducts::Vnni) {
        expect_marks_of_float32(mark_with_vnni, 127);
    }
    if (byte_products() >= ByteProducts::Amx) {
        expect_marks_of_float32(mark_with_amx, 127);
    }
    if (byte_products() < ByteProducts::Amx) {
        GTEST_SKIP() << "this machine does not have all of AVX2, AVX-512 VNNI and AMX; what it has was tried";
    }
}

/// The largest sums of two products that 16 bits hold.
TEST(QuantizedBytes, OfSevenBitsAreMultipliedUpToTheLargest) {
    if (byte_products() == ByteProducts::None) {
        GTEST_SKIP() << "this machine has no AVX2";
    }
    for (const float sign : {-1.0F, 1.0F}) {
        constexpr Index dimension = 32;
        QuantizedPoints left(tile_width, dimension, MarksExpected::Few, largest_of_seven_bits);
        QuantizedPoints right(tile_width, dimension, MarksExpected::Few, largest_of_seven_bits);
        left.set_panel(0, std::vector<float>(tile_width * dimension, 1.0F).data(), dimension);
        right.set_panel(0, std::vector<float>(tile_width * dimension, sign).data(), dimension);
        // Each distance is 0 or 2 sqrt(32), about 11.3.
        const std::vector<float> radii(tile_width, 11.0F);
        const std::vector<float> none(tile_width);
        const PanelReach reach{radii.data(), none.data()};
        TilePlaces places;
        mark_with_avx2(left.panel(0, reach), right.panel(0, reach), places);
        const std::uint64_t all = (std::uint64_t{1} << tile_width) - 1;
        for (const std::uint64_t row : places.rows) {
            EXPECT_EQ(row, sign > 0.0F ? all : 0);
        }
    }
}

}  // namespace

}  // namespace isogon::quantized_bytes_test
