#include "transform/undirected_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace isogon::undirected_rows_test {

namespace {

/// Zeros, equal numbers, another row.
Points three_rows() {
    Points rows(3, 2);
    std::ranges::fill(rows[1], 2.0F);
    rows[2][1] = 1.0F;
    return rows;
}

TEST(UndirectedRows, AreThoseOfTheMetricAndCounted) {
    const Points rows = three_rows();
    const auto found = [&](Metric metric, double counted) {
        Summary summary;
        const std::vector<Index> undirected = undirected_rows(rows.view(), metric, summary);
        EXPECT_EQ(summary.value("zero_vectors", -1.0), counted) << name(metric);
        return undirected;
    };
    EXPECT_EQ(found(Metric::Cosine, 1.0), (std::vector<Index>{0}));
    EXPECT_EQ(found(Metric::Correlation, 2.0), (std::vector<Index>{0, 1}));
    EXPECT_EQ(found(Metric::Jaccard, 1.0), (std::vector<Index>{0}));
    EXPECT_TRUE(found(Metric::Euclidean, -1.0).empty());
    EXPECT_TRUE(found(Metric::Hamming, -1.0).empty());
}

TEST(UndirectedRows, GoToTheMeanOfThoseThatHaveADirection) {
    const Points rows = three_rows();
    Points coordinates(3, 1);
    coordinates[0][0] = 100.0F;
    coordinates[1][0] = 3.0F;
    coordinates[2][0] = 5.0F;
    EXPECT_EQ(place_without_direction(rows.view(), coordinates.view(), Metric::Cosine), (std::vector<float>{4.0F}));
    EXPECT_EQ(place_without_direction(rows.view(), coordinates.view(), Metric::Correlation),
              (std::vector<float>{5.0F}));
}

}  // namespace

}  // namespace isogon::undirected_rows_test
