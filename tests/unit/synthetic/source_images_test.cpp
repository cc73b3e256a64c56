#include "isogon/synthetic/source_images.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "isogon/core/error.hpp"

namespace isogon::source_images_test {
namespace {

std::string refused_field(const SourceImages& source) {
    try {
        require_images(source);
    } catch (const InvalidArgument& error) {
        return error.field();
    }
    return "";
}

TEST(SourceImages, WhatFitsTogetherIsTaken) {
    const Points images(3, 6);
    const std::array<std::int64_t, 3> labels{1, 2, 3};
    EXPECT_NO_THROW(require_images({images.view(), 2, 3, {}}));
    EXPECT_NO_THROW(require_images({images.view(), 6, 1, labels}));
}

TEST(SourceImages, EachMistakeIsNamed) {
    const Points images(3, 6);
    const std::array<std::int64_t, 2> labels{1, 2};
    EXPECT_EQ(refused_field({}), "from");
    EXPECT_EQ(refused_field({images.view(), 2, 2, {}}), "height x width");
    EXPECT_EQ(refused_field({images.view(), 65536, 65536, {}}), "height x width");
    EXPECT_EQ(refused_field({images.view(), 2, 3, labels}), "labels");
}

TEST(SourceImages, NanIsRefused) {
    Points images(3, 6);
    images[1][4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(require_images({images.view(), 2, 3, {}}), InputError);
}

}  // namespace
}  // namespace isogon::source_images_test
