#include "files/input_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/integer_table.hpp"
#include "isogon/io/label_numbers.hpp"
#include "isogon/neighbors/given_neighbors.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"

namespace isogon::cli {

namespace {

std::optional<std::string> if_given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

Header parse_header(const std::string& text) {
    const std::string header = parse_choice("--header", text, {"detect", "present", "absent"});
    return header == "detect" ? Header::Detect : header == "present" ? Header::Present : Header::Absent;
}

/// The flags that differ from their defaults, and their values.
std::vector<std::pair<std::string, std::string>> changed_flags(const InputFlags& flags) {
    const InputFlags none;
    std::vector<std::pair<std::string, std::string>> changed;
    for (const auto& value : flags.skip_columns) {
        changed.emplace_back("--skip-column", value);
    }
    for (const auto& [name, member] : {std::pair("--header", &InputFlags::header),
                                       {"--label-column", &InputFlags::label_column},
                                       {"--word-column", &InputFlags::word_column},
                                       {"--format", &InputFlags::format},
                                       {"--every", &InputFlags::every},
                                       {"--from", &InputFlags::from}}) {
        if (flags.*member != none.*member) {
            changed.emplace_back(name, flags.*member);
        }
    }
    return changed;
}

bool is_table(const std::string& path, const InputFlags& flags) {
    const auto named = flags.format.empty() ? format_from_name(path) : parse_format(flags.format);
    const Format format = named ? *named : describe_file(path, read_options(flags)).format;
    return format == Format::Csv || format == Format::Tsv;
}

template <class Item>
void append_picked(std::vector<Item>& to, const std::vector<Item>& from, const std::vector<Index>& rows) {
    for (const Index i : rows) {
        to.push_back(from[i]);
    }
}

/// `place` names a row by its file, which a check of stacked points could not.
void require_finite_rows(const PointsView& points, const std::function<std::string(Index)>& place) {
    for (Index i = 0; i < points.count; ++i) {
        require_finite_row(points[i], [&] { return place(i); });
    }
}

/// All rows of one file, memory-mapped where possible.
Input whole_file(const std::string& path, const InputFlags& flags, Finite finite) {
    Dataset data = read_points(path, read_options(flags));
    Input input;
    input.points = data.points;
    input.rows_in_files = data.points.count;
    input.labels = std::move(data.labels);
    input.label_names = std::move(data.label_names);
    input.words = std::move(data.words);
    input.notes = std::move(data.notes);
    input.columns = {std::move(data.column_names), path};
    input.storage.push_back(std::move(data.storage));
    if (finite == Finite::Required) {
        require_finite_rows(input.points, [&](Index i) { return fmt::format("{}, row {}", path, i); });
    }
    return input;
}

/// Several files, or selected rows: only those are read, where the formats allow it.
Input picked_rows(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite) {
    InputRows rows = open_parts(paths, flags);
    const auto points = std::make_shared<Points>(rows.rows->count(), rows.rows->dimension());
    rows.rows->read(0, points->values());
    Input input;
    input.points = points->view();
    input.rows_in_files = rows.rows_in_files;
    input.labels = std::move(rows.labels);
    input.label_names = std::move(rows.label_names);
    input.words = std::move(rows.words);
    input.notes = std::move(rows.notes);
    input.columns = std::move(rows.columns);
    input.storage.emplace_back(points);
    if (finite == Finite::Required && !rows.rows->always_finite()) {
        require_finite_rows(input.points, [&](Index i) { return rows.rows->place(i); });
    }
    return input;
}

}  // namespace

InputFlags of_all_rows(InputFlags flags) {
    flags.every = InputFlags{}.every;
    flags.from = InputFlags{}.from;
    return flags;
}

InputFlags with_columns(InputFlags flags, ColumnNames columns) {
    flags.columns = std::move(columns);
    return flags;
}

std::string first_reading_flag(const InputFlags& flags) {
    const auto changed = changed_flags(flags);
    return changed.empty() ? "" : changed.front().first;
}

void require_table(const std::vector<std::string>& paths, const InputFlags& flags) {
    static_cast<void>(parse_header(flags.header));  // an invalid value is reported first
    const auto changed = changed_flags(flags);
    if (changed.empty() || !(changed.front().first == "--header" || changed.front().first.ends_with("-column"))) {
        return;
    }
    for (const auto* files : {&paths, &flags.other_files}) {
        if (std::any_of(files->begin(), files->end(), [&](const auto& path) { return is_table(path, flags); })) {
            return;
        }
    }
    throw UsageError(fmt::format("{} {} has an effect only with csv and tsv, and {} is neither: leave it out",
                                 changed.front().first, changed.front().second, paths.front()));
}

RowPicker row_picker(const InputFlags& flags) {
    constexpr std::int64_t most = std::numeric_limits<Index>::max();
    return {static_cast<std::uint64_t>(parse_whole("--every", flags.every, 1, most)),
            static_cast<std::uint64_t>(parse_whole("--from", flags.from, 0, most))};
}

void require_stackable(const std::vector<std::string>& paths, std::uint64_t rows,
                       const std::function<Index(std::size_t)>& dimension) {
    for (std::size_t i = 1; i < paths.size(); ++i) {
        if (dimension(i) != dimension(0)) {
            throw InputError(paths[i], "",
                             fmt::format("points of {} numbers, where {} has {}; only files of equal dimension can be "
                                         "stacked",
                                         dimension(i), paths.front(), dimension(0)));
        }
    }
    if (rows > std::numeric_limits<Index>::max()) {
        throw InputError(paths.front(), "",
                         fmt::format("{} points in all, more than the {} that can be numbered", rows,
                                     std::numeric_limits<Index>::max()));
    }
}

void require_dimension(const std::string& file, Index dimension, Index wanted, const std::string& what) {
    if (dimension != wanted) {
        throw InputError(file, "", fmt::format("points of {} numbers, where {} have {}", dimension, what, wanted));
    }
}

void require_picked(std::uint64_t picked, const InputFlags& flags, std::uint64_t rows) {
    if (picked == 0 && rows > 0) {
        throw InvalidArgument("--from", flags.from,
                              fmt::format("must be at most {}, the number of the last row", rows - 1));
    }
}

void add_input_flags(CLI::App& app, InputFlags& flags) {
    const std::string group = "Reading";
    app.add_option("--format", flags.format,
                   "Format of the input (npy, csv, tsv, idx, fvecs, bvecs, ivecs, vec, word2vec); default: by the "
                   "file's name, then by its first bytes")
        ->type_name("NAME")
        ->group(group);
    app.add_option("--header", flags.header, "First line of csv and tsv: detect (default), present or absent")
        ->type_name("WORD")
        ->group(group);
    app.add_option("--label-column", flags.label_column,
                   "Column of csv and tsv that holds labels, whole numbers or text: name, or number from 0; default: "
                   "one called label, or of text that repeats")
        ->type_name("COLUMN")
        ->group(group);
    app.add_option(
           "--word-column", flags.word_column,
           "Column of csv and tsv that holds words: name, or number from 0; default: one called word, or of text that "
           "does not repeat")
        ->type_name("COLUMN")
        ->group(group);
    app.add_option("--skip-column", flags.skip_columns,
                   "Column of csv and tsv that is left out: name, or number from 0. Give it once for each")
        ->type_name("COLUMN")
        ->allow_extra_args(false)
        ->group(group);
    app.add_option("--every", flags.every, "Take every K-th row of all inputs together (default 1: all)")
        ->type_name("K")
        ->group(group);
    app.add_option("--from", flags.from, "Number of the first row that is taken, from 0 (default 0)")
        ->type_name("F")
        ->group(group);
}

ReadOptions read_options(const InputFlags& flags) {
    ReadOptions options;
    if (!flags.format.empty()) {
        options.format = parse_format(flags.format);
    }
    options.header = parse_header(flags.header);
    options.label_column = if_given(flags.label_column);
    options.word_column = if_given(flags.word_column);
    options.skip_columns = flags.skip_columns;
    options.columns = flags.columns;
    return options;
}

Input read_input(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite, Session& session) {
    const RowPicker picker = row_picker(flags);
    require_table(paths, flags);
    const bool known = reserve_for_inputs(paths, flags, picker, session);
    const bool whole = paths.size() == 1 && picker.every == 1 && picker.from == 0;
    Input input = whole ? whole_file(paths.front(), flags, finite) : picked_rows(paths, flags, finite);
    if (!known) {
        reserve_for_read(input.rows_in_files, whole ? 0 : input.points.count, input.points.dimension, session);
    }
    warn_of(input.notes, session);
    return input;
}

Labels read_picked_labels(const std::vector<std::string>& paths, const InputFlags& flags, std::uint64_t rows_in_files) {
    LabelNumbers labels;
    for (const auto& path : paths) {
        const Labels more = read_named_labels(path);
        labels.add(more.values, more.names);
    }
    const std::size_t count = labels.labels().size();
    if (count != rows_in_files) {
        throw InputError(paths.front(), "",
                         fmt::format("{} labels for {} points; give one label for each row of the input files, in "
                                     "their order",
                                     count, rows_in_files));
    }
    Labels picked{{}, labels.names()};
    append_picked(picked.values, labels.labels(), row_picker(flags).rows(0, count));
    return picked;
}

void warn_of(const std::vector<Text>& notes, Session& session) {
    for (const Text& note : notes) {
        session.warn(in_flags(note));
    }
}

Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const Input& input) {
    return input_json(paths, flags, input.points.count, input.points.dimension);
}

Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, Index points, Index dimension) {
    return {{"files", paths},
            {"every", parse_whole("--every", flags.every, 1, std::numeric_limits<Index>::max())},
            {"from", parse_whole("--from", flags.from, 0, std::numeric_limits<Index>::max())},
            {"points", points},
            {"dimension", dimension}};
}

namespace {

std::uint64_t archive_bytes(const ArchiveInfo& info, const std::vector<std::string>& mapped) {
    std::uint64_t bytes = 0;
    for (const auto& array : info.arrays) {
        if (array.can_be_mapped && std::find(mapped.begin(), mapped.end(), array.name) != mapped.end()) {
            continue;
        }
        const bool wide = array.scalar == "float64" || array.scalar == "uint64";
        const std::uint64_t each = wide ? 8 : array.scalar == "uint8" ? 1 : 4;
        bytes += element_count(array.shape).value_or(0) * each;
    }
    return bytes;
}

}  // namespace

ColumnNames columns_of_vectors(const Archive& archive, Index dimension) {
    return archive.kind == ArchiveKind::Model ? ColumnNames{} : column_names_in(archive, dimension);
}

Archive read_archive_within(const std::string& path, Session& session, const std::vector<std::string>& mapped) {
    session.reserve(path + " in memory", archive_bytes(describe_archive(path), mapped),
                    "raise --memory-limit, or make it of fewer points");
    return read_archive(path, mapped);
}

namespace {

NeighborLists lists_of(const IntegerTable& table, const std::string& path) {
    NeighborLists lists{.size = static_cast<Index>(table.columns)};
    lists.indices.reserve(table.values.size());
    for (std::size_t place = 0; place < table.values.size(); ++place) {
        const std::int64_t value = table.values[place];
        if (value < 0 || value > std::numeric_limits<Index>::max()) {
            throw InputError(path, fmt::format("row {}", place / table.columns),
                             fmt::format("neighbour {} does not exist; points are counted from 0", value));
        }
        lists.indices.push_back(static_cast<Index>(value));
    }
    return lists;
}

NeighborLists lists_by(std::string_view metric, const Archive& graph, const std::string& path) {
    NeighborLists lists = lists_in(graph);
    const std::string& own = graph.note("metric");
    if (own != metric) {
        throw InputError(
            path, "",
            fmt::format("its neighbours and distances are by {}, and this fit's by {}: make it with isogon "
                        "neighbors --metric {}, or fit by the metric of the file where the method has it",
                        own, metric, metric));
    }
    return lists;
}

}  // namespace

std::string metric_of(const Method& method, const OptionValues& options) {
    const OptionValue metric = option_of(method.options, options, "metric");
    const auto* chosen = std::get_if<std::string>(&metric);
    return chosen == nullptr ? std::string(name(Metric::Euclidean)) : *chosen;
}

NeighborLists read_neighbor_graph(const std::string& path, Index points, std::string_view metric) {
    const bool archive = std::filesystem::path(path).extension() == ".safetensors";
    NeighborLists lists =
        archive ? lists_by(metric, read_archive(path), path) : lists_of(read_integer_table(path), path);
    return neighbor_lists_from(std::move(lists), points, path);
}

}  // namespace isogon::cli
