#include "methods/spectral/spectral_family.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/graphs.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::spectral_family_test {
namespace {

using support::Matrix;

const std::vector<std::string>& family() {
    static const std::vector<std::string> names{"mds", "kpca", "isomap", "lle", "laplacian"};
    return names;
}

class EveryMember : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] Embedding fit(const Points& points, const LandmarkOptions& landmarks, int threads = 2) const {
        const OptionValues values{{"dimension", std::int64_t{2}}};
        const Method& method = find_method(GetParam());
        return landmarks.landmarks == 0
                   ? method.embed(points.view(), values, {.threads = threads})
                   : method.embed(points.view(), values, {.threads = threads}, {}, &landmarks);
    }
};

TEST_P(EveryMember, OnLandmarksComesNearerWithMoreOfThem) {
    const support::Sheet sheet = support::sheet(400, true);
    const Matrix exact = support::to_matrix(fit(sheet.points, {}).coordinates);
    const auto error = [&](int count) {
        const LandmarkOptions options{.landmarks = count, .neighbors = 4};
        return support::span_error(support::to_matrix(fit(sheet.points, options).coordinates), exact);
    };
    const double few = error(20);
    const double many = error(390);
    EXPECT_LT(many, few);
    EXPECT_LT(many, 0.05);
}

TEST_P(EveryMember, LandmarksAndThreadsChangeNoBits) {
    const Points points = reference::random_points(200, 4, 2);
    const LandmarkOptions options{.landmarks = 60};
    EXPECT_EQ(support::to_matrix(fit(points, options, 1).coordinates),
              support::to_matrix(fit(points, options, 3).coordinates));
    EXPECT_EQ(support::to_matrix(fit(points, {}, 1).coordinates), support::to_matrix(fit(points, {}, 3).coordinates));
}

TEST_P(EveryMember, KeepsWhatNewPointsAreMixturesOf) {
    const Points points = reference::random_points(150, 4, 3);
    const Embedding exact = fit(points, {});
    ASSERT_TRUE(exact.barycentric_map);
    EXPECT_EQ(exact.barycentric_map->landmarks.size(), 150U);
    const Embedding some = fit(points, {.landmarks = 50});
    ASSERT_TRUE(some.barycentric_map);
    ASSERT_EQ(some.barycentric_map->landmarks.size(), 50U);
    for (Index l = 0; l < 50; ++l) {
        const auto stored = some.barycentric_map->coordinates[l];
        const auto given = some.coordinates[some.barycentric_map->landmarks[l]];
        EXPECT_TRUE(std::equal(stored.begin(), stored.end(), given.begin())) << l;
    }
}

TEST_P(EveryMember, RefusesWaysAndNumbersThatAreNotItsOwn) {
    const Points points = reference::random_points(100, 4, 4);
    const auto with = [&](const LandmarkOptions& options) { (void)fit(points, options); };
    EXPECT_THROW(with({.landmarks = 3}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 100}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .extension = LandmarkExtension::Placement}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .extension = LandmarkExtension::Llx}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .neighbors = 1}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .neighbors = 51}), InvalidArgument);
}

TEST_P(EveryMember, CanBeCancelled) {
    const Points points = reference::random_points(150, 4, 5);
    std::stop_source source;
    source.request_stop();
    const Embedding result =
        find_method(GetParam()).embed(points.view(), {{"dimension", std::int64_t{2}}}, {.stop = source.get_token()});
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
}

TEST_P(EveryMember, SmallAndAwkwardPointsGiveNumbersOrReasons) {
    for (const Index count : {2, 3, 4, 7, 20}) {
        for (const auto& points :
             {reference::random_points(count, 3, count), reference::whole_points(count, 2, 1, 9)}) {
            try {
                const Embedding result =
                    find_method(GetParam()).embed(points.view(), {{"dimension", std::int64_t{1}}}, {});
                for (const float value : result.coordinates.values()) {
                    EXPECT_TRUE(std::isfinite(value));
                }
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()), "");
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMember, testing::ValuesIn(family()));

}  // namespace
}  // namespace isogon::spectral_family_test
