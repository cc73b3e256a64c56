#include "report/columns_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "io/byte_stream.hpp"
#include "io/label_numbers.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

bool is_by_tabs(std::filesystem::path path) {
    if (path.extension() == ".gz") {
        path.replace_extension();
    }
    return lower_case(path.extension().string()) == ".tsv";
}

/// A table that was read whole: names of columns, and texts.
class Table {
public:
    Table(ByteStream& stream, char delimiter) : reader_(stream, delimiter, RecordReader::Blank::Record) {
        if (!reader_.next(fields_)) {
            stream.fail("", "is empty; the first line must name the columns");
        }
        take_header();
        while (reader_.next(fields_)) {
            take_row();
        }
    }

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    /// Whether the header looks like a row of data, which it must not be: it has a number or a missing value.
    [[nodiscard]] bool header_is_like_data() const { return header_is_like_data_; }
    [[nodiscard]] std::vector<PointColumn> take() { return std::move(columns_); }

private:
    void take_header() {
        if (fields_.size() == 1 && fields_[0].find_first_of(";\t") != std::string_view::npos) {
            reader_.fail(
                fmt::format("names one column, {}; separate columns by commas, or by tabs in a file named .tsv",
                            in_quotes(fields_[0])));
        }
        for (std::size_t j = 0; j < fields_.size(); ++j) {
            // A table of R or pandas has its row names under no name.
            std::string name(fields_[j].empty() ? fmt::format("column {}", j + 1) : fields_[j]);
            const auto same = std::find_if(columns_.begin(), columns_.end(),
                                           [&](const PointColumn& column) { return column.name == name; });
            if (same != columns_.end()) {
                reader_.fail(j, fmt::format("{} is the name of column {} too; each needs a name of its own",
                                            in_quotes(name), 1 + (same - columns_.begin())));
            }
            double number = 0.0;
            header_is_like_data_ |= !fields_[j].empty() && parse_double(fields_[j], number) == NumberFault::None;
            columns_.push_back({std::move(name), {}});
        }
    }

    void take_row() {
        if (fields_.size() != columns_.size()) {
            reader_.fail(fmt::format("must have {} fields, one for each column that the header names, and has {}",
                                     columns_.size(), fields_.size()));
        }
        for (std::size_t j = 0; j < fields_.size(); ++j) {
            const std::string pointed = reader_.delimiter() == ';' ? with_decimal_point(fields_[j]) : "";
            const std::string_view field = pointed.empty() ? fields_[j] : std::string_view(pointed);
            columns_[j].values.emplace_back(is_unknown_text(field) ? std::string_view() : field);
            held_ += sizeof(std::string) + fields_[j].size();
        }
        reader_.stream().require_memory(held_);
        ++rows_;
    }

    RecordReader reader_;
    std::vector<std::string_view> fields_;
    std::vector<PointColumn> columns_;
    std::uint64_t rows_ = 0;
    std::uint64_t held_ = 0;
    bool header_is_like_data_ = false;
};

}  // namespace

std::vector<PointColumn> read_columns(const std::string& path, const InputFlags& reading, std::uint64_t rows_in_files,
                                      const Session& session) {
    ByteStream stream(path);
    stream.limit_memory(session.context().memory_limit);
    Table table(stream, is_by_tabs(path) ? '\t' : csv_delimiter(stream));
    if (table.rows() != rows_in_files) {
        const bool no_header = table.rows() + 1 == rows_in_files && table.header_is_like_data();
        throw InputError(path, "",
                         fmt::format("{} rows for {} points; give names of columns in the first line{}, then one line "
                                     "for each row of the input files, in their order",
                                     table.rows(), rows_in_files, no_header ? ", which seems to be data" : ""));
    }
    return chosen_rows(table.take(), row_picker(reading).rows(0, table.rows()));
}

}  // namespace isogon::cli
