#include "files/extended_table.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "files/output_files.hpp"
#include "io/byte_stream.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

bool is_table(Format format) {
    return format == Format::Csv || format == Format::Tsv;
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
    app.add_flag("--keep-columns", flag,
                 "Of csv and tsv files: write all their columns, as they are, and the coordinates after them");
}

void require_extendable(const TablesToExtend& tables, const std::string& output) {
    constexpr const char* rule =
        "{}: --keep-columns copies columns of csv and tsv files to such a file: leave it out{}";
    if (!is_table(output_format(output))) {
        throw UsageError(fmt::format(rule, output, ", or end the name in .csv or .tsv"));
    }
    std::vector<std::string> names;
    for (const std::string& input : tables.inputs) {
        if (!is_table(input_format(input, tables.reading))) {
            throw UsageError(fmt::format(rule, input, ""));
        }
        std::vector<std::string> own = OpenTable(input, tables.reading).records.columns().names;
        if (input != tables.inputs.front() && own != names) {
            throw UsageError(input + ": --keep-columns needs the columns of " + tables.inputs.front() +
                             " in the same order: leave it out, or give one table");
        }
        names = std::move(own);
    }
}

struct ExtendedTable::State {
    State(TablesToExtend of, const std::string& output, const WriteOptions& how)
        : tables(std::move(of)),
          picker(row_picker(tables.reading)),
          delimiter(output_format(output) == Format::Tsv ? '\t' : ','),
          out(output, how.overwrite) {}

    /// Goes on to the next picked record. Throws InputError where there is none.
    void next() {
        do {
            while (!table || !table->records.next(fields)) {
                if (opened == tables.inputs.size()) {
                    throw InputError(tables.inputs.back(), "", "has fewer rows than when it was read: it was changed");
                }
                table = std::make_unique<OpenTable>(tables.inputs[opened++], tables.reading);
            }
        } while (!picker.picks(record++));
    }

    void append(std::string_view field) {
        line.append(std::exchange(began, true) ? 1 : 0, delimiter);
        append_field(line, field, delimiter);
    }

    void end_line() {
        line += '\n';
        out.write(line);
        line.clear();
        began = false;
    }

    void write_header(Index dimension) {
        const TableColumns& columns = table->records.columns();
        if (!columns.header) {
            return;
        }
        std::ranges::for_each(columns.names, [&](const std::string& name) { append(name); });
        const std::string prefix = unused_prefix(columns.names, tables.prefix);
        for (Index k = 0; k < dimension; ++k) {
            append(prefix + std::to_string(k));
        }
        end_line();
    }

    TablesToExtend tables;
    RowPicker picker;
    char delimiter;
    OutputStream out;
    std::unique_ptr<OpenTable> table{};
    std::size_t opened = 0;
    std::uint64_t record = 0;
    std::vector<std::string_view> fields{};
    std::string line{};
    bool began = false;  ///< the line, whose first field may be empty
    bool has_header = false;
};

ExtendedTable::ExtendedTable(const TablesToExtend& tables, const std::string& output, const WriteOptions& how)
    : state_(std::make_unique<State>(tables, output, how)) {}

ExtendedTable::~ExtendedTable() = default;

void ExtendedTable::write(const PointsView& rows) {
    State& state = *state_;
    for (Index i = 0; i < rows.count; ++i) {
        state.next();
        if (!std::exchange(state.has_header, true)) {
            state.write_header(rows.dimension);
        }
        for (std::size_t column = 0; column < state.fields.size(); ++column) {
            state.append(state.table->records.as_written(column, state.fields[column]));
        }
        for (const float number : rows[i]) {
            state.line += state.delimiter;
            append_number(state.line, number);
        }
        state.end_line();
    }
}

void ExtendedTable::commit() {
    state_->out.commit();
}

}  // namespace isogon::cli
