// The page that shows how faithful coordinates are: REPORT.html, or none, and the verdict in words.
//
//     example_write_report [REPORT.html]
#include <cstdio>
#include <fstream>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/report/report.hpp"
#include "isogon/synthetic/generator.hpp"

int main(int argc, const char* const* argv) {
    try {
        const auto digits = isogon::find_generator("drawn-digits").generate(500, 0, {}, {});
        const auto map = isogon::find_method("tsne").embed(digits.points.view(), {});
        const isogon::Report report = isogon::make_report({.inputs = digits.points.view(),
                                                           .coordinates = map.coordinates.view(),
                                                           .labels = isogon::classes_of(digits.labels)});
        std::printf("%s\n", report.verdict.text().c_str());
        if (argc > 1) {
            std::ofstream(argv[1]) << isogon::report_page(report.document);
        }
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
