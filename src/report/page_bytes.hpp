#pragma once
#include <string_view>

namespace isogon {

/// viewer/dist/report.html, byte for byte. Its definition is made at build time by cmake/IsogonReportPage.cmake.
[[nodiscard]] std::string_view page_bytes();

}  // namespace isogon
