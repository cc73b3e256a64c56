#include "files/extended_table.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "files/output_files.hpp"
#include "io/byte_stream.hpp"
#include "io/frame_files.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

bool is_table(Format format) {
    return format == Format::Csv || format == Format::Tsv;
}

bool is_columnar(Format format) {
    return format == Format::Parquet || format == Format::Arrow;
}

/// One of the inputs, open.
struct OpenTable {
    OpenTable(const std::string& path, const InputFlags& reading)
        : stream(path), records(stream, input_format(path, reading), read_options(reading)) {}

    ByteStream stream;
    TableRecords records;
};

std::string unused_prefix(const std::vector<std::string>& names, std::string prefix) {
    while (std::ranges::any_of(names, [&](const std::string& name) { return name.starts_with(prefix); })) {
        prefix += '_';
    }
    return prefix;
}

}  // namespace

void add_keep_columns(CLI::App& app, bool& flag) {
    app.add_flag(
        "--keep-columns", flag,
        "Of tables (csv, tsv, parquet, arrow): write all their columns, as they are, and the coordinates after them");
}

void require_extendable(const TablesToExtend& tables, const std::string& output) {
    constexpr const char* rule =
        "{}: --keep-columns copies columns of csv and tsv files to such a file, and of parquet and arrow files to such "
        "a file: leave it out{}";
    const auto has_columns = [](std::optional<Format> format) {
        return format && (is_table(*format) || is_columnar(*format));
    };
    const std::optional<Format> named = format_from_name(output);
    const std::optional<Format> written = named ? named : written_format(output);
    if (!has_columns(written)) {
        throw UsageError(fmt::format(rule, output, ", or end the name in .csv, .tsv or .parquet"));
    }
    std::vector<std::string> names;
    for (const std::string& input : tables.inputs) {
        const Format format = input_format(input, tables.reading);
        if (!has_columns(format) || is_table(format) != is_table(*written)) {
            throw UsageError(fmt::format(rule, input, ""));
        }
        if (!is_table(format)) {
            continue;  // they are compared where they are stacked
        }
        std::vector<std::string> own = OpenTable(input, tables.reading).records.columns().names;
        if (input != tables.inputs.front() && own != names) {
            throw UsageError(input + ": --keep-columns needs the columns of " + tables.inputs.front() +
                             " in the same order: leave it out, or give one table");
        }
        names = std::move(own);
    }
}

namespace {

class ExtendedText final : public ExtendedTable {
public:
    ExtendedText(TablesToExtend of, const std::string& output, const WriteOptions& how)
        : tables_(std::move(of)),
          picker_(row_picker(tables_.reading)),
          delimiter_(*written_format(output) == Format::Tsv ? '\t' : ','),
          out_(output, how.overwrite) {}

    void write(const PointsView& rows) override {
        for (Index i = 0; i < rows.count; ++i) {
            next();
            if (!std::exchange(has_header_, true)) {
                delimiter_ = delimiter_ == ',' && table_->records.delimiter() == ';' ? ';' : delimiter_;
                write_header(rows.dimension);
            }
            for (std::size_t column = 0; column < fields_.size(); ++column) {
                append(table_->records.as_written(column, fields_[column]));
            }
            for (const float number : rows[i]) {
                line_ += delimiter_;
                const std::size_t begin = line_.size();
                append_number(line_, number);
                const std::size_t point = line_.find('.', begin);
                if (delimiter_ == ';' && point != std::string::npos) {
                    line_[point] = table_->records.decimal_point();
                }
            }
            end_line();
        }
    }

    void commit() override { out_.commit(); }

private:
    /// Goes on to the next picked record. Throws InputError where there is none.
    void next() {
        do {
            while (!table_ || !table_->records.next(fields_)) {
                if (opened_ == tables_.inputs.size()) {
                    throw InputError(tables_.inputs.back(), "", "has fewer rows than when it was read: it was changed");
                }
                table_ = std::make_unique<OpenTable>(tables_.inputs[opened_++], tables_.reading);
            }
        } while (!picker_.picks(record_++));
    }

    void append(std::string_view field) {
        line_.append(std::exchange(began_, true) ? 1 : 0, delimiter_);
        append_field(line_, field, delimiter_);
    }

    void end_line() {
        line_ += '\n';
        out_.write(line_);
        line_.clear();
        began_ = false;
    }

    void write_header(Index dimension) {
        const TableColumns& columns = table_->records.columns();
        if (!columns.header) {
            return;
        }
        std::ranges::for_each(columns.names, [&](const std::string& name) { append(name); });
        const std::string prefix = unused_prefix(columns.names, tables_.prefix);
        for (Index k = 0; k < dimension; ++k) {
            append(prefix + std::to_string(k));
        }
        end_line();
    }

    TablesToExtend tables_;
    RowPicker picker_;
    char delimiter_;
    OutputStream out_;
    std::unique_ptr<OpenTable> table_;
    std::size_t opened_ = 0;
    std::uint64_t record_ = 0;
    std::vector<std::string_view> fields_;
    std::string line_;
    bool began_ = false;  ///< the line, whose first field may be empty
    bool has_header_ = false;
};

class ExtendedColumns final : public ExtendedTable {
public:
    ExtendedColumns(TablesToExtend of, std::string output) : tables_(std::move(of)), output_(std::move(output)) {}

    void write(const PointsView& rows) override {
        dimension_ = rows.dimension;
        for (Index i = 0; i < rows.count; ++i) {
            values_.insert(values_.end(), rows[i].begin(), rows[i].end());
        }
    }

    void commit() override {
        const RowPicker picker = row_picker(tables_.reading);
        const auto count = static_cast<Index>(values_.size() / dimension_);
        frame_files(output_, *format_from_name(output_))
            .extend({.inputs = tables_.inputs,
                     .every = static_cast<Index>(picker.every),
                     .from = static_cast<Index>(picker.from),
                     .columns = {values_.data(), count, dimension_},
                     .prefix = tables_.prefix,
                     .output = output_});
    }

private:
    TablesToExtend tables_;
    std::string output_;
    std::vector<float> values_;
    Index dimension_ = 1;
};

}  // namespace

std::unique_ptr<ExtendedTable> extended_table(const TablesToExtend& tables, const std::string& output,
                                              const WriteOptions& how) {
    if (written_format(output)) {
        return std::make_unique<ExtendedText>(tables, output, how);
    }
    return std::make_unique<ExtendedColumns>(tables, output);
}

}  // namespace isogon::cli
