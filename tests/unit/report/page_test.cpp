#include "isogon/report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "isogon/core/error.hpp"

namespace isogon::page_test {
namespace {

constexpr std::string_view begin_of_data = R"(<script id="isogon-data" type="application/json">)";

/// What the page's script finds in its data element.
std::string data_in(std::string_view page) {
    const std::size_t begin = page.find(begin_of_data) + begin_of_data.size();
    return std::string(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(ReportPage, WithoutDataIsWholeAndHasOnePlaceForThem) {
    const std::string_view page = empty_report_page();
    EXPECT_TRUE(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    EXPECT_NE(page.find("</html>"), std::string_view::npos);
    EXPECT_EQ(data_in(page), "null");
    EXPECT_EQ(page.find(begin_of_data), page.rfind(begin_of_data));
}

TEST(ReportPage, NamesNoOtherFileAndNoNetwork) {
    const std::string_view page = empty_report_page();
    for (const std::string_view outside : {"src=\"http", "href=\"http", "src=\"/", "href=\"/", "@import", "url(http"}) {
        EXPECT_EQ(page.find(outside), std::string_view::npos) << outside;
    }
}

TEST(ReportPage, HoldsTheDocumentAndElseIsAsItWas) {
    const std::string document = R"({"title":"a"})";
    const std::string page = report_page(document);
    EXPECT_EQ(data_in(page), document);
    EXPECT_EQ(page.size(), empty_report_page().size() + document.size() - 4);
    std::string restored = page;
    restored.replace(restored.find(document), document.size(), "null");
    EXPECT_EQ(restored, empty_report_page());
}

TEST(ReportPage, NoTextInADocumentEndsItsElement) {
    const std::string document = R"({"title":"</script><script>alert('x')</script><!--"})";
    EXPECT_EQ(nlohmann::json::parse(data_in(report_page(document))), nlohmann::json::parse(document));
}

TEST(ReportPage, OfNothingIsRefused) {
    EXPECT_THROW(static_cast<void>(report_page("")), InvalidArgument);
}

}  // namespace
}  // namespace isogon::page_test
