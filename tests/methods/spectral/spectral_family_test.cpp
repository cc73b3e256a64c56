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
    [[nodiscard]] Embedding fit(const Points& points, const LandmarkOptions& landmarks) const {
        const OptionValues values{{"dimension", std::int64_t{2}}};
        const Method& method = find_method(GetParam());
        return landmarks.landmarks == 0 ? method.embed(points.view(), values, {})
                                        : method.embed(points.view(), values, {}, {}, &landmarks);
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
    EXPECT_NO_THROW(with({.landmarks = 4}));
    EXPECT_NO_THROW(with({.landmarks = 99, .neighbors = 99}));
    EXPECT_THROW(with({.landmarks = 3}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 100}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .extension = LandmarkExtension::Placement}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .extension = LandmarkExtension::Llx}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .neighbors = 1}), InvalidArgument);
    EXPECT_THROW(with({.landmarks = 50, .neighbors = 51}), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMember, testing::ValuesIn(family()));

}  // namespace
}  // namespace isogon::spectral_family_test
