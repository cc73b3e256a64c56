#include "quality/norms.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace isogon::norms_test {
namespace {

TEST(Norms, AreComparedPointByPoint) {
    const std::vector<double> x{1.0, 2.0, 4.0, 10.0};
    const std::vector<double> y{1.0, 3.0, 2.0, 0.0};
    const NormScore score = compare_norms(x, y);
    EXPECT_DOUBLE_EQ(score.mean, (0.0 + 0.5 + 0.5 + 1.0) / 4.0);
    EXPECT_DOUBLE_EQ(score.max, 1.0);
}

TEST(Norms, ZeroVectorsOfXAreLeftOut) {
    const std::vector<double> x{0.0, 2.0, 0.0};
    const std::vector<double> y{5.0, 2.5, 0.0};
    EXPECT_DOUBLE_EQ(compare_norms(x, y).mean, 0.25);
    EXPECT_DOUBLE_EQ(compare_norms(x, y).max, 0.25);
}

TEST(Norms, WithoutAnyPointAllIsZero) {
    const std::vector<double> zeros{0.0, 0.0};
    EXPECT_EQ(compare_norms(zeros, zeros).mean, 0.0);
    EXPECT_EQ(compare_norms(zeros, zeros).max, 0.0);
    EXPECT_EQ(compare_norms({}, {}).mean, 0.0);
}

}  // namespace
}  // namespace isogon::norms_test
