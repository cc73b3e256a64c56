# Makes a C++ file of the report's page, so that a report can be written anywhere without a file beside the program, and
# a build needs nothing but CMake. Sets ISOGON_REPORT_PAGE_SOURCE.
set(page ${PROJECT_SOURCE_DIR}/viewer/dist/report.html)
set(ISOGON_REPORT_PAGE_SOURCE ${PROJECT_BINARY_DIR}/generated/report_page_bytes.cpp)
# Here, when the project is configured, so that no script has to be run by the build.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})

file(READ ${page} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
# Lines of 32 bytes; a digit that follows an escape in the next literal is no part of it.
string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
file(CONFIGURE OUTPUT ${ISOGON_REPORT_PAGE_SOURCE} CONTENT
"// Made by cmake/IsogonReportPage.cmake from viewer/dist/report.html.
#include \"report/document.hpp\"

namespace isogon {

std::string_view page_bytes() {
    return {
    \"@bytes@\",
    @size@};
}

}  // namespace isogon
" @ONLY)
unset(bytes)
