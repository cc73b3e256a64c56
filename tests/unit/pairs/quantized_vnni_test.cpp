#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "isogon/core/random.hpp"
#include "pairs/quantized_kernel.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::quantized_vnni_test {
namespace {

QuantizedPoints points_of(Index dimension, double size, std::uint64_t seed) {
    const MultiVector<float> block = support::random_block(tile_width, dimension, seed);
    QuantizedPoints points(tile_width, dimension);
    for (Index i = 0; i < tile_width; ++i) {
        std::vector<float> row(block.row(i), block.row(i) + dimension);
        for (float& value : row) {
            value *= static_cast<float>(i % 13 == 5 ? 0.0 : size * (1.0 + i % 3));
        }
        points.set(i, row.data(), DeviationScale::Relative);
    }
    return points;
}

TEST(QuantizedVnni, MarksWhatFloat32Marks) {
    if (!multiplies_bytes()) {
        GTEST_SKIP() << "this machine has no products of bytes";
    }
    Random random(1, RandomStream::Test, 0);
    for (const Index dimension : {1U, 3U, 4U, 5U, 32U, 33U, 500U}) {
        for (const double size : {1e-25, 1e-3, 1.0, 1e17}) {
            const QuantizedPoints left = points_of(dimension, size, dimension);
            const QuantizedPoints right = points_of(dimension, size, dimension + 1);
            std::vector<float> reach(2 * tile_width);
            for (float& length : reach) {
                length = static_cast<float>(random.uniform(0.0, 2.0) * size * std::sqrt(dimension));
            }
            const PanelReach of_left{reach.data(), reach.data() + tile_width};
            const PanelReach of_right{reach.data() + tile_width, reach.data()};
            QuantizedBounds of_rows;
            QuantizedBounds of_columns;
            write_bounds(left.panel(0), of_left, right.panel(0), of_right, of_rows, of_columns);
            TilePlaces by_bytes;
            TilePlaces by_floats;
            mark_with_byte_products(left.panel(0), of_rows, right.panel(0), of_columns, by_bytes);
            mark_with_float_products(left.panel(0), of_rows, right.panel(0), of_columns, by_floats);
            EXPECT_TRUE(std::ranges::equal(by_bytes.rows, by_floats.rows)) << dimension << ", " << size;
        }
    }
}

}  // namespace
}  // namespace isogon::quantized_vnni_test
