#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// The report's page without data: one self-contained HTML file (viewer/), built into the library.
[[nodiscard]] std::string_view empty_report_page();

/// The page with a document in it (docs/report_data.md), as UTF-8: the content of a report's file. '<', U+2028 and
/// U+2029 are escaped, so that no text of the document can end the element that contains it; all else is copied
/// unchanged. Throws InvalidArgument for an empty one.
[[nodiscard]] std::string report_page(std::string_view document);

}  // namespace isogon
