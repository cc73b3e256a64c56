#include "files/input_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "io/frame_files.hpp"
#include "io/integer_table.hpp"
#include "io/label_numbers.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"
#include "neighbors/given_neighbors.hpp"
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
    if (flags.skip_text) {
        changed.emplace_back("--skip-text", "");
    }
    for (const auto& [name, member] : {std::pair("--header", &InputFlags::header),
                                       {"--label-column", &InputFlags::label_column},
                                       {"--word-column", &InputFlags::word_column},
                                       {"--vectors", &InputFlags::vectors},
                                       {"--format", &InputFlags::format},
                                       {"--every", &InputFlags::every},
                                       {"--from", &InputFlags::from}}) {
        if (flags.*member != none.*member) {
            changed.emplace_back(name, flags.*member);
        }
    }
    return changed;
}

/// Whether a flag of tables has an effect with the file: in JSON Lines only labels and words are chosen, and no frame
/// has lines.
bool has_use_of(const std::string& flag, const std::string& path, const InputFlags& flags) {
    const Format format = input_format(path, flags);
    const bool chooses = flag == "--label-column" || flag == "--word-column";
    return format == Format::Csv || format == Format::Tsv || (format == Format::Jsonl && chooses) ||
           (is_frame(format) && flag != "--header");
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
    if (finite == Finite::Required) {
        require_finite_rows(data.points, [&](Index i) { return fmt::format("{}, row {}", path, i); });
    }
    const PointsView points = data.points;
    return {{.labels = std::move(data.labels),
             .label_names = std::move(data.label_names),
             .words = std::move(data.words),
             .notes = std::move(data.notes),
             .columns = {std::move(data.column_names), path},
             .rows_in_files = points.count},
            points,
            {std::move(data.storage)}};
}

/// Several files, or selected rows: only those are read, where the formats allow it.
Input picked_rows(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite) {
    InputRows input = open_parts(paths, flags);
    const auto rows = std::move(input.rows);
    const auto points = std::make_shared<Points>(rows->count(), rows->dimension());
    rows->read(0, points->values());
    if (finite == Finite::Required && !rows->always_finite()) {
        require_finite_rows(points->view(), [&](Index i) { return rows->place(i); });
    }
    return {std::move(input), points->view(), {points}};
}

}  // namespace

Format input_format(const std::string& path, const InputFlags& flags) {
    const auto named = flags.format.empty() ? format_from_name(path) : parse_format(flags.format);
    return named ? *named : describe_file(path, read_options(flags)).format;
}

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
    const std::string flag = changed.empty() ? "" : changed.front().first;
    if (flag != "--header" && flag != "--skip-text" && !flag.ends_with("-column")) {
        return;
    }
    for (const auto* files : {&paths, &flags.other_files}) {
        if (std::any_of(files->begin(), files->end(),
                        [&](const auto& path) { return has_use_of(flag, path, flags); })) {
            return;
        }
    }
    throw UsageError(fmt::format(
        "{}{}{} has an effect only with csv, tsv and jsonl, or parquet and its like, and {} is none of them: "
        "leave it out",
        flag, changed.front().second.empty() ? "" : " ", changed.front().second, paths.front()));
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

std::vector<std::string> files_of_inputs(const std::vector<std::string>& files) {
    if (files.size() < 2) {
        throw UsageError("only one file given; name the files of the inputs, then the one of the coordinates");
    }
    return {files.begin(), files.end() - 1};
}

void require_same_count(Index inputs, Index coordinates, const std::string& y_file) {
    if (inputs != coordinates) {
        throw InputError(y_file, "",
                         fmt::format("{} points, where the inputs have {} (after --every and --from); the last file "
                                     "must hold the coordinates of exactly those rows",
                                     coordinates, inputs));
    }
}

void require_picked(std::uint64_t picked, const InputFlags& flags, std::uint64_t rows) {
    if (picked == 0 && rows > 0) {
        throw InvalidArgument("--from", flags.from,
                              fmt::format("must be at most {}, the number of the last row", rows - 1));
    }
}

void add_input_flags(CLI::App& app, InputFlags& flags) {
    const FlagGroup group(app, "Reading");
    add_value(app, "--format NAME", flags.format,
              "Format of the input (npy, csv, tsv, idx, fvecs, bvecs, ivecs, vec, word2vec, npz, jsonl; in the program "
              "that pip installs parquet, arrow, h5ad, hdf5; mtx, npz and svmlight of sparse matrices); default: by "
              "the file's name, then by its first bytes");
    add_value(app, "--vectors NAME", flags.vectors,
              "Where the points are: an array of npz or hdf5, the path to a list of numbers in each line of jsonl "
              "(data.0.embedding), a column of lists in parquet or arrow, a key of obsm in h5ad; default: the only "
              "one");
    add_value(app, "--header WORD", flags.header, "First line of csv and tsv: detect (default), present or absent");
    add_value(app, "--label-column COLUMN", flags.label_column,
              "Column of a table that holds labels, whole numbers or text: name, or number from 0; of jsonl a path; "
              "default: one called label, or of text that repeats");
    add_value(
        app, "--word-column COLUMN", flags.word_column,
        "Column of a table that holds words: name, or number from 0; of jsonl a path; default: one called word, or "
        "of text that does not repeat");
    add_value(app, "--skip-column COLUMN", flags.skip_columns,
              "Column of a table that is left out: name, or number from 0. Give it once for each")
        ->allow_extra_args(false);
    app.add_flag("--skip-text", flags.skip_text,
                 "Leave out all columns of a table that hold text, dates too, and that no flag names; says which");
    add_value(app, "--every K", flags.every, "Take every K-th row of all inputs together (default 1: all)");
    add_value(app, "--from F", flags.from, "Number of the first row that is taken, from 0 (default 0)");
}

ReadOptions read_options(const InputFlags& flags) {
    ReadOptions options;
    if (!flags.format.empty()) {
        options.format = parse_format(flags.format);
    }
    options.header = parse_header(flags.header);
    options.vectors = if_given(flags.vectors);
    options.label_column = if_given(flags.label_column);
    options.word_column = if_given(flags.word_column);
    options.skip_columns = flags.skip_columns;
    options.skip_text = flags.skip_text;
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

Labels read_picked_labels(const std::vector<std::string>& paths, const InputFlags& flags, const InputFacts& input) {
    if (paths.empty()) {
        return {input.labels, input.label_names};
    }
    LabelNumbers labels;
    for (const auto& path : paths) {
        const Labels more = read_named_labels(path);
        labels.add(more.values, more.names);
    }
    const std::size_t count = labels.labels().size();
    if (count != input.rows_in_files) {
        throw InputError(paths.front(), "",
                         fmt::format("{} labels for {} points; give one label for each row of the input files, in "
                                     "their order",
                                     count, input.rows_in_files));
    }
    Labels picked{{}, labels.names()};
    for (const Index i : row_picker(flags).rows(0, count)) {
        picked.values.push_back(labels.labels()[i]);
    }
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

Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const InputRows& input) {
    return input_json(paths, flags, input.rows->count(), input.rows->dimension());
}

Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, Index points, Index dimension) {
    const RowPicker picker = row_picker(flags);
    return {
        {"files", paths}, {"every", picker.every}, {"from", picker.from}, {"points", points}, {"dimension", dimension}};
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
