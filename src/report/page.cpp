#include "isogon/report/page.hpp"

#include "isogon/core/error.hpp"
#include "report/json_writer.hpp"
#include "report/page_bytes.hpp"

namespace isogon {

namespace {
// The one line of the page that changes (docs/report_data.md).
constexpr std::string_view begin_of_data = R"(<script id="isogon-data" type="application/json">)";
constexpr std::string_view no_data = "null</script>";
}  // namespace

std::string_view empty_report_page() {
    return page_bytes();
}

std::string report_page(std::string_view document) {
    if (document.empty()) {
        throw InvalidArgument("document", "no text", "must be a JSON document, see docs/report_data.md");
    }
    const std::string_view page = empty_report_page();
    const std::size_t line = page.find(std::string(begin_of_data).append(no_data));
    if (line == std::string_view::npos) {
        throw Error("the page that is built into this library has no place for data; build viewer/ again");
    }
    const std::size_t data = line + begin_of_data.size();
    constexpr std::string_view null = "null";
    const std::string escaped = escaped_for_page(document);
    std::string whole;
    whole.reserve(page.size() + escaped.size());
    whole.append(page.substr(0, data)).append(escaped).append(page.substr(data + null.size()));
    return whole;
}

}  // namespace isogon
