#include "isogon/linalg/aligned_array.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <utility>

namespace isogon::aligned_array_test {

namespace {

template <class T>
bool is_aligned(const AlignedArray<T>& array) {
    return reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0;
}

TEST(AlignedArray, KeepsItsPlaceWhenMoved) {
    for (const std::size_t count : {1, 7, 100}) {
        AlignedArray<double> values(count);
        EXPECT_TRUE(is_aligned(values));
        values.data()[count - 1] = 3.0;
        const double* place = values.data();
        const AlignedArray<double> moved = std::move(values);
        EXPECT_EQ(moved.data(), place);
        EXPECT_EQ(moved.data()[count - 1], 3.0);
    }
}

TEST(AlignedArray, IsZeroAtFirst) {
    for (const std::size_t count : {0, 1, 15, 16, 17, 1000}) {
        const AlignedArray<float> values(count);
        ASSERT_EQ(values.size(), count);
        for (std::size_t k = 0; k < count; ++k) {
            ASSERT_EQ(values.data()[k], 0.0F);
        }
    }
}

TEST(AlignedArray, IsCopiedWithItsNumbers) {
    AlignedArray<double> values(5);
    values.data()[4] = 2.0;
    const AlignedArray<double> copy = values;
    AlignedArray<double> assigned(1);
    assigned = values;
    values.data()[4] = 1.0;
    EXPECT_TRUE(is_aligned(copy));
    EXPECT_TRUE(is_aligned(assigned));
    EXPECT_EQ(copy.data()[4], 2.0);
    EXPECT_EQ(assigned.data()[4], 2.0);
    EXPECT_EQ(assigned.size(), 5U);
}

}  // namespace

}  // namespace isogon::aligned_array_test
