#include "isogon/neighbors/metric.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::metric_test {
namespace {

TEST(Metric, IsFoundByItsName) {
    ASSERT_EQ(metric_names().size(), 3U);
    for (const auto& text : metric_names()) {
        EXPECT_EQ(name(find_metric(text)), text);
    }
    EXPECT_EQ(find_metric("euclidean"), Metric::Euclidean);
}

TEST(Metric, AnotherNameIsRefusedWithThoseThereAre) {
    try {
        (void)find_metric("manhattan");
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("inner-product"), std::string::npos);
    }
}

}  // namespace
}  // namespace isogon::metric_test
