#include "isogon/transform/projection_map.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::projection_map_test {

namespace {

using support::Matrix;

Points example() {
    return support::to_points(support::random_matrix(60, 9, 3));
}

Archive archive_of(const TruncatedSvd& svd, double unit) {
    Archive archive;
    archive.arrays = ProjectionMap::arrays(svd, unit);
    return archive;
}

TEST(ProjectionMap, TravelsByArchive) {
    for (const bool centered : {false, true}) {
        const TruncatedSvd svd = truncated_svd(example().view(), 4, centered, {});
        const ProjectionMap map(archive_of(svd, 1.0));
        EXPECT_EQ(map.input_dimension(), 9U);
        EXPECT_EQ(map.output_dimension(), 4U);
        EXPECT_EQ(map.fitted_count(), 0U);
        EXPECT_NE(map.only_way().find("linear"), std::string_view::npos);
        const Points placed = map.transform(example().view(), {}).coordinates;
        EXPECT_EQ(support::to_matrix(placed), support::to_matrix(project(example().view(), svd, {})));
    }
}

TEST(ProjectionMap, FollowsTheUnitOfLength) {
    const TruncatedSvd svd = truncated_svd(example().view(), 4, true, {});
    const Matrix plain =
        support::to_matrix(ProjectionMap(archive_of(svd, 1.0)).transform(example().view(), {}).coordinates);
    for (const double unit : {0x1p-90, 0x1p-3, 0x1p90}) {
        const Points rows = reference::scaled(example(), static_cast<float>(unit));
        const ProjectionMap map(archive_of(svd, unit));
        EXPECT_EQ(support::to_matrix(map.transform(rows.view(), {}).coordinates), plain * unit) << unit;
    }
}

TEST(ProjectionMap, RefusesRowsBeyondFloatByTheirNumber) {
    const ProjectionMap map(archive_of(truncated_svd(example().view(), 2, false, {}), 1.0));
    Points rows(3, 9);
    std::fill(rows[2].begin(), rows[2].end(), std::numeric_limits<float>::max());
    try {
        (void)map.transform(rows.view(), {});
        FAIL() << "a length beyond float32 was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
    }
}

}  // namespace

}  // namespace isogon::projection_map_test
