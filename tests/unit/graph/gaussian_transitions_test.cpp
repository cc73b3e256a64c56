#include "isogon/graph/gaussian_transitions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace isogon::gaussian_transitions_test {
namespace {

TEST(GaussianTransitions, AreTheKernelOverItsSum) {
    const NeighborLists lists{.size = 2, .indices = {3, 1, 0, 2}, .distances = {1.0F, 2.0F, 0.0F, 0.5F}};
    const CsrMatrix<double> p = gaussian_transitions(lists, 4, 2.0);
    ASSERT_NO_THROW(validate(p));
    EXPECT_EQ(p.rows, 2U);
    EXPECT_EQ(p.columns, 4U);
    const double near = std::exp(-0.25);
    const double far = std::exp(-1.0);
    EXPECT_EQ(p.row_indices(0)[0], 1U);
    EXPECT_NEAR(p.row_values(0)[0], far / (near + far), 1e-15);
    EXPECT_NEAR(p.row_values(0)[1], near / (near + far), 1e-15);
    EXPECT_NEAR(p.row_values(1)[0], 1.0 / (1.0 + std::exp(-0.0625)), 1e-15);
}

TEST(GaussianTransitions, NoRowVanishes) {
    const NeighborLists lists{.size = 2, .indices = {0, 1}, .distances = {1e4F, 2e4F}};
    const CsrMatrix<double> p = gaussian_transitions(lists, 2, 1.0);
    EXPECT_EQ(std::accumulate(p.values.begin(), p.values.end(), 0.0), 1.0);
    EXPECT_EQ(p.values[0], 1.0);
}

}  // namespace
}  // namespace isogon::gaussian_transitions_test
