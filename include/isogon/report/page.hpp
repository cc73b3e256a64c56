#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// The report's page without data: one self-contained HTML file (viewer/), built into the library.
[[nodiscard]] std::string_view empty_report_page();

/// The page with a document in it (docs/report_data.md), as UTF-8: what a report is as a file. '<' and the line ends
/// that only scripts know are escaped on the way, so that nothing in the document can end the element that holds it;
/// else the document is taken as it is. Throws InvalidArgument for an empty one.
[[nodiscard]] std::string report_page(std::string_view document);

}  // namespace isogon
