#include "isogon/core/trace.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::trace_test {
namespace {

TEST(Trace, ComesBackAsItWas) {
    const std::vector<IterationRecord> trace{{1, 0.5, 0.0, 0.01}, {2, 0.25, -0.5, 0.02}, {3, 0.2, -0.2, 0.03}};
    Archive archive;
    add_trace("steps", trace, archive);
    add_trace("none", {}, archive);
    const auto back = trace_in(archive, "steps");
    ASSERT_EQ(back.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(back[i].iteration, trace[i].iteration);
        EXPECT_EQ(back[i].objective, trace[i].objective);
        EXPECT_EQ(back[i].change, trace[i].change);
        EXPECT_EQ(back[i].seconds, trace[i].seconds);
    }
    EXPECT_TRUE(trace_in(archive, "none").empty());
}

TEST(Trace, RefusesWhatIsNone) {
    Archive archive;
    archive.add("pairs", Array{{2, 2}, std::vector<double>{1, 2, 3, 4}});
    EXPECT_THROW(static_cast<void>(trace_in(archive, "pairs")), InputError);
    EXPECT_THROW(static_cast<void>(trace_in(archive, "missing")), InputError);
}

}  // namespace
}  // namespace isogon::trace_test
