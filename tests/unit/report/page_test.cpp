#include "isogon/report/page.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon {
namespace {

TEST(Page, HoldsTheDocumentWhereNothingInItEndsIt) {
    const std::string page = report_page(R"({"title":"</script>"})");
    EXPECT_NE(page.find(R"(type="application/json">{"title":"\u003c/script>"}</script>)"), std::string::npos);
    EXPECT_THROW(static_cast<void>(report_page("")), InvalidArgument);
}

}  // namespace
}  // namespace isogon
