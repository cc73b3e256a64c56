#include "linalg/packed_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::packed_points_test {
namespace {

using reference::on_threads;
using reference::random_points;

class PackedCount : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, PackedCount, testing::Values(0, 1, 47, 48, 49, 96, 97));

TEST_P(PackedCount, PointsComeBackAndTheRestIsZero) {
    const Points points = random_points(GetParam(), 5, 1);
    const PackedPoints packed = pack(points.view(), {}, {}, on_threads(2));
    ASSERT_EQ(packed.count(), points.count());
    ASSERT_EQ(packed.depth(), 5U);
    ASSERT_EQ(packed.panels(), (points.count() + 47) / 48);
    for (Index i = 0; i < packed.panels() * 48; ++i) {
        for (Index k = 0; k < 5; ++k) {
            const float expected = i < points.count() ? points[i][k] : 0.0F;
            ASSERT_EQ(packed.at(i, k), expected);
            ASSERT_EQ(packed.panel(i / 48).data[k * packed.panel(i / 48).stride + i % 48], expected);
        }
    }
}

TEST_P(PackedCount, PanelsAreAligned) {
    const PackedPoints packed(GetParam(), 3);
    for (Index p = 0; p < packed.panels(); ++p) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(packed.panel(p).data) % 64, 0U);
        EXPECT_EQ(packed.panel(p).stride % 16, 0U);
    }
}

TEST(PackedPoints, StateTheirBytes) {
    EXPECT_EQ(PackedPoints::bytes(0, 10), 0U);
    EXPECT_EQ(PackedPoints::bytes(1, 10), 48U * 10U * 4U);
    EXPECT_EQ(PackedPoints::bytes(49, 1), 96U * 4U);
    EXPECT_EQ(PackedPoints(49, 1).bytes(), 96U * 4U);
    // Beyond 32 bits.
    EXPECT_EQ(PackedPoints::bytes(4'000'000'032U, 1000), 4'000'000'032U * std::uint64_t{4000});
}

TEST(Pack, ScalesAndAppends) {
    const Points points = random_points(50, 4, 2);
    std::vector<float> scale(50);
    std::vector<float> last(50);
    for (Index i = 0; i < 50; ++i) {
        scale[i] = static_cast<float>(i) - 7.0F;
        last[i] = 100.0F + static_cast<float>(i);
    }
    const PackedPoints packed = pack(points.view(), scale, last, {});
    ASSERT_EQ(packed.depth(), 5U);
    for (Index i = 0; i < 50; ++i) {
        EXPECT_EQ(packed.at(i, 3), points[i][3] * scale[i]);
        EXPECT_EQ(packed.at(i, 4), last[i]);
    }
    EXPECT_EQ(pack(points.view(), scale, {}, {}).depth(), 4U);
}

TEST(Pack, ReadsStridedViews) {
    const Points points = random_points(20, 9, 3);
    const PackedPoints packed = pack({points.view().data, 20, 4, 9}, {}, {}, {});
    EXPECT_EQ(packed.at(19, 3), points[19][3]);
}

TEST(PackDirections, GivesUnitVectorsOfTheChosenInTheirOrder) {
    const Points points = reference::awkward_points(60, 30, 4);
    const auto lengths = norms(points.view());
    const std::vector<Index> chosen{59, 0, 6, 5, 5};
    const PackedPoints packed = pack_directions(points.view(), lengths, chosen, on_threads(2));
    ASSERT_EQ(packed.count(), 5U);
    for (Index place = 0; place < 5; ++place) {
        const Index i = chosen[place];
        double square = 0.0;
        for (Index k = 0; k < 30; ++k) {
            square += double{packed.at(place, k)} * double{packed.at(place, k)};
            const double expected = lengths[i] > 0.0 ? double{points[i][k]} / lengths[i] : 0.0;
            EXPECT_NEAR(double{packed.at(place, k)}, expected, 1e-7);
        }
        EXPECT_NEAR(square, i == 6 ? 0.0 : 1.0, 1e-6);
    }
}

TEST(PackDirections, ServesLengthsThatFloat32CannotInvert) {
    for (const float size : {1e-44F, 1e-39F, 3e38F}) {
        Points points(1, 1);
        points[0][0] = -size;
        const auto lengths = norms(points.view());
        const std::vector<Index> chosen{0};
        EXPECT_EQ(pack_directions(points.view(), lengths, chosen, {}).at(0, 0), -1.0F) << size;
    }
}

constexpr Eigen::Index width = panel_width;

struct Tile {
    alignas(64) std::array<double, panel_width * panel_width> values{};
    [[nodiscard]] support::Matrix matrix() const {
        return Eigen::Map<const Eigen::Matrix<double, width, width, Eigen::RowMajor>>(values.data());
    }
};

TEST(PackedRows, ProductsOfPanelsAreThoseOfRows) {
    for (const Index depth : {1, 2, 63, 64, 65, 130, 300}) {
        const support::Matrix a = support::random_matrix(70, depth, depth);
        const support::Matrix b = support::random_matrix(48, depth, depth + 1);
        const PackedRows left(support::to_multi_vector(a), {});
        const PackedRows right(support::to_multi_vector(b), {});
        Tile tile;
        multiply_panels(left.panel(0), right.panel(0), depth, tile.values.data(), panel_width);
        const support::Matrix first = a.topRows(48) * b.transpose();
        EXPECT_LT(support::difference(tile.matrix(), first), 1e-12 * depth);
        // The second panel of 22 rows is filled up with zeros, and is added.
        add_panel_products(left.panel(1), right.panel(0), depth, tile.values.data(), panel_width);
        support::Matrix second = first;
        second.topRows(22) += a.bottomRows(22) * b.transpose();
        EXPECT_LT(support::difference(tile.matrix(), second), 1e-12 * depth);
    }
}

TEST(PackedRows, HoldASumOfBlocksSideBySide) {
    const support::Matrix a = support::random_matrix(50, 3, 1);
    const support::Matrix b = support::random_matrix(50, 2, 2);
    const MultiVector<double> left = support::to_multi_vector(a);
    const MultiVector<double> right = support::to_multi_vector(b);
    const std::array<const MultiVector<double>*, 2> blocks{&left, &right};
    const std::array<double, 2> coefficients{2.0, -1.0};
    const PackedRows sum(blocks, coefficients, on_threads(3));
    EXPECT_EQ(sum.depth(), 5U);
    EXPECT_EQ(sum.panels(), 2U);
    const std::array<double, 2> ones{1.0, 1.0};
    const PackedRows plain(blocks, ones, {});
    Tile tile;
    multiply_panels(sum.panel(0), plain.panel(0), 5, tile.values.data(), panel_width);
    const support::Matrix expected = 2.0 * a * a.transpose() - b * b.transpose();
    EXPECT_LT(support::difference(tile.matrix(), expected.topLeftCorner(48, 48)), 1e-12);
}

}  // namespace
}  // namespace isogon::packed_points_test
