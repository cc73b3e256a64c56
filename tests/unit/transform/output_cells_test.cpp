#include "transform/output_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"

namespace isogon::output_cells_test {
namespace {

using reference::on_threads;

MultiVector<float> row_of(const OutputCells& cells, Index place) {
    MultiVector<float> u(1, cells.directions().columns());
    std::copy_n(cells.directions().row(place), u.stride(), u.row(0));
    return u;
}

std::vector<Index> above(const OutputCells& cells, Index place, float floor, Index probes) {
    OutputCells::Scratch scratch;
    std::vector<Index> found;
    cells.find_above(row_of(cells, place).row(0), floor, probes, scratch, found);
    return found;
}

TEST(OutputCells, HoldTheDirectionOfEveryOutputThatHasOne) {
    Points y = reference::random_points(300, 5, 1);
    std::fill(y[7].begin(), y[7].end(), 0.0F);
    const OutputCells cells(y.view(), 10, on_threads(2));
    ASSERT_EQ(cells.directions().rows(), 299U);
    EXPECT_EQ(cells.place_of(7), OutputCells::nowhere);
    const std::vector<double> lengths = norms(y.view());
    for (Index row = 0; row < 300; ++row) {
        if (row != 7) {
            const Index place = cells.place_of(row);
            EXPECT_EQ(cells.row_at(place), row);
            EXPECT_FLOAT_EQ(cells.directions().row(place)[2], static_cast<float>(y[row][2] / lengths[row]));
        }
    }
}

TEST(OutputCells, FindWhatALookAtAllFindsIfAllAreProbed) {
    for (const Index count : {1U, 2U, 47U, 48U, 500U}) {
        const Points y = reference::random_points(count, 6, count);
        const OutputCells cells(y.view(), 3, on_threads(1));
        std::vector<Index> all(count);
        std::iota(all.begin(), all.end(), Index{0});
        for (const float floor : {-2.0F, 0.0F, 0.45F, 2.0F}) {
            for (Index place = 0; place < count; place += 7) {
                std::vector<float> products(count);
                multiply_listed(row_of(cells, place).row(0), cells.directions(), all, products.data());
                std::vector<Index> wanted;
                std::copy_if(all.begin(), all.end(), std::back_inserter(wanted),
                             [&](Index other) { return products[other] > floor; });
                EXPECT_EQ(above(cells, place, floor, cells.cells()), wanted);
            }
        }
    }
}

TEST(OutputCells, FindNearlyAllInTheNearestCells) {
    const Points y = reference::random_points(4000, 4, 3);
    const OutputCells cells(y.view(), 10, on_threads(2));
    ASSERT_LT(cells.probes(), cells.cells() / 2);
    std::size_t found = 0;
    std::size_t all = 0;
    for (Index place = 0; place < 4000; place += 40) {
        found += above(cells, place, 0.95F, cells.probes()).size();
        all += above(cells, place, 0.95F, cells.cells()).size();
    }
    EXPECT_GT(static_cast<double>(found), 0.97 * static_cast<double>(all));
}

TEST(OutputCells, AreTheSameOnAnyNumberOfThreadsAndFromAnArchive) {
    Points y = reference::random_points(700, 5, 4);
    std::fill(y[9].begin(), y[9].end(), 0.0F);
    const OutputCells one(y.view(), 10, on_threads(1));
    const OutputCells three(y.view(), 10, on_threads(3));
    Archive archive;
    one.save(archive);
    ArchiveSchema schema;
    OutputCells::describe(schema);
    schema.require(archive, {{"n", 700}, {"d", 5}});
    const OutputCells loaded(y.view(), archive);
    for (Index row = 0; row < 700; ++row) {
        EXPECT_EQ(one.place_of(row), three.place_of(row));
        EXPECT_EQ(one.place_of(row), loaded.place_of(row));
    }
    EXPECT_EQ(one.probes(), loaded.probes());
    EXPECT_EQ(above(one, 3, 0.5F, 5), above(loaded, 3, 0.5F, 5));
}

TEST(OutputCells, OfNothingAreRefused) {
    EXPECT_THROW(OutputCells(Points(5, 3).view(), 1, {}), InputError);
}

TEST(FloorAround, NoDirectionBelowItExceedsTheThresholdWithinTheMargin) {
    // In the plane: the anchor at angle 0, u at the margin's end, and another direction beyond it.
    const double margin = 2.0 * std::asin(0.025);
    for (const double threshold : {-0.999, -0.3, 0.0, 0.7, 0.99, 1.0}) {
        const double bound = std::acos(threshold) + margin;
        EXPECT_NEAR(floor_around(threshold), std::cos(std::min(bound, M_PI)), 1e-5);
        EXPECT_LE(floor_around(threshold), std::cos(std::min(bound, M_PI)));
    }
}

}  // namespace
}  // namespace isogon::output_cells_test
