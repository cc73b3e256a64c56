#include "isogon/report/page.hpp"

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::string_view before = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>isogon</title></head><body>
<script id="isogon-data" type="application/json">)";
constexpr std::string_view after = R"(</script></body></html>
)";

}  // namespace

std::string report_page(std::string_view document) {
    if (document.empty()) {
        throw InvalidArgument("document", "nothing", "must hold the report's data");
    }
    std::string page(before);
    for (const char c : document) {
        page += c == '<' ? "\\u003c" : std::string(1, c);
    }
    return page.append(after);
}

}  // namespace isogon
