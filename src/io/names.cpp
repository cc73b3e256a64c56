#include "isogon/io/names.hpp"

#include <string_view>

#include "io/byte_stream.hpp"
#include "io/line_reader.hpp"

namespace isogon {

std::vector<std::string> read_names(const std::filesystem::path& path) {
    ByteStream stream(path);
    LineReader lines(stream);
    std::vector<std::string> names;
    std::string_view line;
    while (lines.next(line)) {
        names.emplace_back(line);
    }
    while (!names.empty() && names.back().empty()) {
        names.pop_back();
    }
    if (names.empty()) {
        stream.fail("", "holds no names; write one a line");
    }
    return names;
}

}  // namespace isogon
