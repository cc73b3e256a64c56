#include "transform/projection_map.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/error.hpp"
#include "reference/nonnegative.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::projection_map_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

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

Matrix unit_parts() {
    Matrix parts = reference::uniform_matrix(4, 10, 2).array().square();
    parts.rowwise().normalize();
    return parts;
}

NonnegativeProjection projection() {
    return NonnegativeProjection(support::to_block(unit_parts().transpose()));
}

Points nonnegative_example(Index count = 500) {
    return support::to_points(reference::uniform_matrix(count, 10, 1));
}

Points projected(const PointsView& x, int threads = 1) {
    return projection().project(x, on_threads(threads)).coordinates;
}

TEST(NonnegativeProjection, FindsTheBestWeights) {
    const Points x = nonnegative_example(60);
    const Matrix y = to_matrix(projected(x.view()));
    EXPECT_LT(support::difference(y, reference::best_weights(to_matrix(x), unit_parts())), 1e-4);
    EXPECT_LT(reference::kkt_violation(to_matrix(x), y, unit_parts()), 1e-5);
    EXPECT_EQ(projection().project(x.view(), {}).unsettled, 0U);
}

TEST(NonnegativeProjection, TreatsEachRowIndependentlyOnAnyNumberOfThreads) {
    const Points x = nonnegative_example();
    const Matrix batch = to_matrix(projected(x.view()));
    EXPECT_EQ(batch, to_matrix(projected(x.view(), 2)));
    EXPECT_EQ(batch, to_matrix(projected(x.view(), 3)));
    for (const Index i : {0U, 47U, 239U, 240U, 499U}) {
        EXPECT_EQ(batch.row(i), to_matrix(projected(PointsView(x[i].data(), 1, 10)))) << i;
    }
    const std::vector<Index> order = reference::shuffled(500, 3);
    EXPECT_EQ(to_matrix(reference::reordered(projected(x.view()), order)),
              to_matrix(projected(reference::reordered(x, order).view())));
}

TEST(NonnegativeProjection, FollowsTheOrderOfTheParts) {
    const Matrix y = to_matrix(projected(nonnegative_example().view()));
    const std::vector<Eigen::Index> order{2, 0, 3, 1};
    const Matrix parts = unit_parts()(order, Eigen::all);
    const NonnegativeProjection other(support::to_block(parts.transpose()));
    EXPECT_EQ(to_matrix(other.project(nonnegative_example().view(), {}).coordinates), y(Eigen::all, order));
}

TEST(NonnegativeProjection, FollowsTheLengthOfARow) {
    const Matrix y = to_matrix(projected(nonnegative_example().view()));
    for (const float factor : {0x1p-100F, 0x1p-10F, 0x1p3F, 0x1p100F, 0x1p125F}) {
        const Points scaled = projected(reference::scaled(nonnegative_example(), factor).view());
        EXPECT_EQ(y * double{factor}, to_matrix(scaled)) << factor;
    }
}

TEST(NonnegativeProjection, GivesZeroForZero) {
    EXPECT_TRUE(to_matrix(projected(Points(3, 10).view())).isZero());
    EXPECT_EQ(projected(Points(0, 10).view()).count(), 0U);
}

TEST(NonnegativeProjection, RefusesNegativeNumbersByTheirPlace) {
    Points x = nonnegative_example(5);
    x[2][7] = -0.25F;
    x[4][1] = -3.0F;
    try {
        (void)projected(x.view());
        FAIL() << "a negative number was accepted";
    } catch (const InputError& error) {
        const std::string text = error.what();
        for (const char* word : {"row 2", "column 7", "-0.25", "svd"}) {
            EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
        }
    }
    x = nonnegative_example(5);
    x[2][7] = -0.0F;
    EXPECT_NO_THROW(require_nonnegative(x.view()));
    x[3][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)projected(x.view()), InputError);
    std::fill(x[3].begin(), x[3].end(), std::numeric_limits<float>::max());
    EXPECT_THROW((void)projected(x.view()), InputError);
}

TEST(NonnegativeProjection, CanBeCancelled) {
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)projection().project(nonnegative_example().view(), context), Interruption);
}

Archive archive_of(std::vector<std::uint64_t> shape, std::vector<float> values) {
    Archive archive{.source = "m.safetensors"};
    archive.add("parts", Array{std::move(shape), std::move(values)});
    return archive;
}

TEST(NonnegativeProjection, TravelsByArchive) {
    Archive archive;
    archive.arrays = projection().arrays();
    const NonnegativeProjection read(archive);
    EXPECT_EQ(read.input_dimension(), 10U);
    EXPECT_EQ(read.output_dimension(), 4U);
    EXPECT_EQ(to_matrix(read.project(nonnegative_example().view(), {}).coordinates),
              to_matrix(projected(nonnegative_example().view())));
    EXPECT_NO_THROW(NonnegativeProjection(archive_of({2, 3}, {1, 0, 0, 0, 0, 0})));
    for (const auto& archived : {archive_of({2, 3}, {1, 0, 0, -1, 0, 0}), archive_of({2, 3}, {1, 0, 0, 0, 2, 0}),
                                 archive_of({0, 3}, {}), archive_of({6}, {1, 0, 0, 0, 1, 0})}) {
        try {
            const NonnegativeProjection refused(archived);
            FAIL() << "parts that are none were accepted";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("m.safetensors"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("parts"), std::string::npos) << error.what();
        }
    }
}

TEST(NonnegativeProjection, IsAMapOfNewPoints) {
    const NonnegativeProjection map = projection();
    const Transformed result = map.transform(nonnegative_example().view(), on_threads(2));
    EXPECT_EQ(to_matrix(result.coordinates), to_matrix(projected(nonnegative_example().view())));
    EXPECT_EQ(result.summary.value("unsettled", -1.0), 0.0);
    EXPECT_EQ(map.fitted_count(), 0U);
    EXPECT_NE(map.only_way().find("nonnegative"), std::string_view::npos);
}

}  // namespace

}  // namespace isogon::projection_map_test
