#include "table_header.hpp"

#include <zlib.h>

#include <filesystem>
#include <memory>
#include <system_error>

namespace isogon::cli {

namespace {

/// The first line without its end, plain or gzip; a longer one than the buffer is cut, and then names no column.
std::string first_line(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return {};  // what is read from a pipe is gone
    }
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rb"), &gzclose);
    std::string buffer(std::size_t{1} << 20, '\0');
    if (file == nullptr || gzgets(file.get(), buffer.data(), static_cast<int>(buffer.size())) == nullptr) {
        return {};
    }
    buffer.resize(buffer.find_first_of(std::string("\n\r\0", 3)));
    return buffer;
}

}  // namespace

void find_own_columns(const std::string& path, ReadOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    const bool table = format == Format::Csv || format == Format::Tsv;
    if (!table || options.header == Header::Absent) {
        return;
    }
    const std::string delimiter = format == Format::Csv ? "," : "\t";
    const std::string line = first_line(path);
    if (!options.label_column && line.ends_with(delimiter + "label")) {
        options.label_column = "label";
    }
    if (!options.word_column && line.starts_with("word" + delimiter)) {
        options.word_column = "word";
    }
}

}  // namespace isogon::cli
