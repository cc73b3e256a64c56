#include "isogon/registry/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/matching_examples.hpp"

namespace isogon::registry_test {
namespace {

TEST(Registry, NamesAreUniqueAndEveryMethodIsDescribed) {
    std::set<std::string> names;
    for (const Method& method : methods()) {
        EXPECT_TRUE(names.insert(method.name).second) << method.name;
        EXPECT_FALSE(method.title.empty());
        EXPECT_FALSE(method.source.empty());
        for (const OptionSpec& option : method.options) {
            EXPECT_FALSE(option.help.empty()) << method.name << " " << option.name;
        }
    }
}

TEST(Registry, FindsByNameAndListsTheNamesOtherwise) {
    EXPECT_EQ(find_method("tsm").name, "tsm");
    try {
        (void)find_method("tms");
        FAIL() << "an unknown name was found";
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("tsm, svd, pca"), std::string::npos);
    }
}

TEST(Registry, EveryMethodEmbedsAndRefusesStrangeOptions) {
    const Points x = reference::magnitudes(support::clustered_points(80, 10, 4, 0.5, 3));
    for (const Method& method : methods()) {
        const Embedding result = method.embed(x.view(), {{"dimension", std::int64_t{3}}}, {});
        EXPECT_EQ(result.coordinates.count(), 80U) << method.name;
        EXPECT_EQ(result.coordinates.dimension(), 3U) << method.name;
        EXPECT_EQ(result.options.size(), method.options.size()) << method.name;
        EXPECT_THROW((void)method.embed(x.view(), {{"no-such-option", true}}, {}), InvalidArgument) << method.name;
        EXPECT_THROW((void)method.embed(x.view(), {{"dimension", 1.5}}, {}), InvalidArgument) << method.name;
    }
}

}  // namespace
}  // namespace isogon::registry_test
