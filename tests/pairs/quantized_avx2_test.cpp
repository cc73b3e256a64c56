#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "pairs/quantized_kernel.hpp"
#include "pairs/quantized_marks.hpp"

namespace isogon::quantized_avx2_test {
namespace {

TEST(QuantizedAvx2, MarksWhatFloat32Marks) {
    if (byte_products() == ByteProducts::None) {
        GTEST_SKIP() << "this machine has no AVX2";
    }
    quantized_marks::expect_marks_of_float32(mark_with_avx2, largest_of_seven_bits);
}

/// The largest sums of two products that 16 bits hold.
TEST(QuantizedAvx2, MultipliesTheLargestComponents) {
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
        mark_with_avx2(left.panel(0), reach, right.panel(0), reach, places);
        const std::uint64_t all = (std::uint64_t{1} << tile_width) - 1;
        for (const std::uint64_t row : places.rows) {
            EXPECT_EQ(row, sign > 0.0F ? all : 0);
        }
    }
}

}  // namespace
}  // namespace isogon::quantized_avx2_test
