#include "methods/spectral/spectral_checks.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/registry.hpp"
#include "reference/point_sets.hpp"

namespace isogon::spectral_checks_test {
namespace {

TEST(SpectralLandmarks, AreMoreThanTheDimensionAndFewerThanThePoints) {
    const auto check = [](const LandmarkOptions& options) { require_spectral_landmarks(options, 100, 2); };
    EXPECT_NO_THROW(check({.landmarks = 4}));
    EXPECT_NO_THROW(check({.landmarks = 99, .neighbors = 99}));
    EXPECT_THROW(check({.landmarks = 3}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 100}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .extension = LandmarkExtension::Placement}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .extension = LandmarkExtension::Llx}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .neighbors = 1}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .neighbors = 51}), InvalidArgument);
}

// A graph that would not fit is refused before its neighbours are looked for, though there is room for these.
TEST(StateSpectral, StatesItsGraphBeforeTheSearch) {
    const Points points = reference::random_points(300, 4, 5);
    const OptionValues values{{"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{100}}};
    for (const char* method : {"laplacian", "lle", "isomap"}) {
        for (const std::uint64_t limit : {std::uint64_t{1400000}, std::uint64_t{20000000}}) {
            bool searched = false;
            const RunContext context{.on_iteration = [&](const Progress&) { searched = true; }, .memory_limit = limit};
            const auto fit = [&] { (void)find_method(method).embed(points.view(), values, context); };
            if (limit < 2000000) {
                EXPECT_THROW(fit(), LimitExceeded) << method;
            } else {
                EXPECT_NO_THROW(fit()) << method;
            }
            EXPECT_EQ(searched, limit >= 2000000) << method;
        }
    }
}

}  // namespace
}  // namespace isogon::spectral_checks_test
