#include "isogon/linalg/wide_panels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::wide_panels_test {
namespace {

using support::Matrix;

constexpr Eigen::Index width = panel_width;

struct Tile {
    alignas(64) std::array<double, panel_width * panel_width> values{};
    [[nodiscard]] Matrix matrix() const {
        return Eigen::Map<const Eigen::Matrix<double, width, width, Eigen::RowMajor>>(values.data());
    }
};

TEST(WidePanels, ProductsOfPanelsAreThoseOfRows) {
    for (const Index depth : {1, 2, 63, 64, 65, 130, 300}) {
        const Matrix a = support::random_matrix(70, depth, depth);
        const Matrix b = support::random_matrix(48, depth, depth + 1);
        const WidePanels left(support::to_wide(a), {});
        const WidePanels right(support::to_wide(b), {});
        Tile tile;
        multiply_panels(left.panel(0), right.panel(0), depth, tile.values.data(), panel_width, false);
        const Matrix first = a.topRows(48) * b.transpose();
        EXPECT_LT(support::difference(tile.matrix(), first), 1e-12 * depth);
        // The second panel of 22 rows is filled up with zeros, and is added.
        multiply_panels(left.panel(1), right.panel(0), depth, tile.values.data(), panel_width, true);
        Matrix second = first;
        second.topRows(22) += a.bottomRows(22) * b.transpose();
        EXPECT_LT(support::difference(tile.matrix(), second), 1e-12 * depth);
    }
}

TEST(WidePanels, HoldASumOfBlocksSideBySide) {
    const Matrix a = support::random_matrix(50, 3, 1);
    const Matrix b = support::random_matrix(50, 2, 2);
    const WideVectors wide_a = support::to_wide(a);
    const WideVectors wide_b = support::to_wide(b);
    const std::array<const WideVectors*, 2> blocks{&wide_a, &wide_b};
    const std::array<double, 2> coefficients{2.0, -1.0};
    const WidePanels sum(blocks, coefficients, reference::on_threads(3));
    EXPECT_EQ(sum.depth(), 5U);
    EXPECT_EQ(sum.panels(), 2U);
    const std::array<double, 2> ones{1.0, 1.0};
    const WidePanels plain(blocks, ones, {});
    Tile tile;
    multiply_panels(sum.panel(0), plain.panel(0), 5, tile.values.data(), panel_width, false);
    const Matrix expected = 2.0 * a * a.transpose() - b * b.transpose();
    EXPECT_LT(support::difference(tile.matrix(), expected.topLeftCorner(48, 48)), 1e-12);
}

TEST(AlignedDoubles, KeepTheirPlaceWhenMoved) {
    for (const std::size_t count : {1, 7, 100}) {
        AlignedDoubles values(count);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U);
        values.data()[count - 1] = 3.0;
        AlignedDoubles moved = std::move(values);
        EXPECT_EQ(moved.data()[count - 1], 3.0);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(moved.data()) % 64, 0U);
    }
}

}  // namespace
}  // namespace isogon::wide_panels_test
