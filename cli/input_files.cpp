#include "input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "input_need.hpp"
#include "isogon/core/error.hpp"
#include "quantity.hpp"
#include "row_picker.hpp"
#include "table_header.hpp"

namespace isogon::cli {

namespace {

std::optional<std::string> if_given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

Header parse_header(const std::string& text) {
    if (text == "detect") {
        return Header::Detect;
    }
    if (text == "present") {
        return Header::Present;
    }
    if (text == "absent") {
        return Header::Absent;
    }
    throw InvalidArgument("--header", text, "must be one of detect, present, absent");
}

/// Row numbers are those of the file, which a check of the stacked points could not name.
void require_finite_rows(const std::string& path, const PointsView& points, const std::vector<Index>& rows) {
    for (const Index i : rows) {
        const auto row = points[i];
        const auto bad = std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
        if (bad != row.end()) {
            throw InputError(path, fmt::format("row {}, column {}", i, bad - row.begin()),
                             std::isnan(*bad) ? "the value is NaN; remove or fill such rows first"
                                              : "the value is infinite; remove or clip such rows first");
        }
    }
}

struct Part {
    std::string path;
    Dataset data;
    std::vector<Index> rows;  ///< the picked ones
};

template <class Item>
void append_picked(std::vector<Item>& to, const std::vector<Item>& from, const std::vector<Index>& rows) {
    for (const Index i : rows) {
        to.push_back(from[i]);
    }
}

/// All parts carry labels (or words), or none does: half of them would belong to no one.
template <class Item>
std::vector<Item> gather(const std::vector<Part>& parts, std::vector<Item> Dataset::*member) {
    std::vector<Item> list;
    for (const auto& part : parts) {
        const auto& items = part.data.*member;
        if (items.size() != part.data.points.count) {
            return {};
        }
        append_picked(list, items, part.rows);
    }
    return list;
}

PointsView stack(const std::vector<Part>& parts, Input& input) {
    std::size_t count = 0;
    for (const auto& part : parts) {
        count += part.rows.size();
    }
    const auto stacked = std::make_shared<Points>(static_cast<Index>(count), parts.front().data.points.dimension);
    Index next = 0;
    for (const auto& part : parts) {
        for (const Index i : part.rows) {
            const auto row = part.data.points[i];
            std::copy(row.begin(), row.end(), (*stacked)[next++].begin());
        }
    }
    input.storage.emplace_back(stacked);
    return stacked->view();
}

std::vector<Part> read_parts(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker,
                             std::uint64_t& rows_in_files) {
    std::vector<Part> parts;
    for (const auto& path : paths) {
        Part part{path, read_points(path, read_options(flags, path)), {}};
        part.rows = picker.rows(rows_in_files, part.data.points.count);
        rows_in_files += part.data.points.count;
        parts.push_back(std::move(part));
    }
    require_stackable(paths, rows_in_files, [&](std::size_t i) { return parts[i].data.points.dimension; });
    return parts;
}

}  // namespace

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
    app.add_option(
           "--label-column", flags.label_column,
           "Column of csv and tsv that holds labels: name, or number from 0; default: the last, if it is called label")
        ->type_name("COLUMN")
        ->group(group);
    app.add_option(
           "--word-column", flags.word_column,
           "Column of csv and tsv that holds words: name, or number from 0; default: the first, if it is called word")
        ->type_name("COLUMN")
        ->group(group);
    app.add_option("--every", flags.every, "Take every K-th row of all inputs together (default 1: all)")
        ->type_name("K")
        ->group(group);
    app.add_option("--from", flags.from, "Number of the first row that is taken, from 0 (default 0)")
        ->type_name("F")
        ->group(group);
}

ReadOptions read_options(const InputFlags& flags, const std::string& path) {
    ReadOptions options;
    if (!flags.format.empty()) {
        options.format = parse_format(flags.format);
    }
    options.header = parse_header(flags.header);
    options.label_column = if_given(flags.label_column);
    options.word_column = if_given(flags.word_column);
    find_own_columns(path, options);
    return options;
}

Input read_input(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite, Session& session) {
    const RowPicker picker = row_picker(flags);
    reserve_for_inputs(paths, flags, picker, session);
    Input input;
    const auto parts = read_parts(paths, flags, picker, input.rows_in_files);
    std::uint64_t picked = 0;
    for (const auto& part : parts) {
        picked += part.rows.size();
    }
    require_picked(picked, flags, input.rows_in_files);
    if (finite == Finite::Required) {
        for (const auto& part : parts) {
            require_finite_rows(part.path, part.data.points, part.rows);
        }
    }
    input.labels = gather(parts, &Dataset::labels);
    input.words = gather(parts, &Dataset::words);
    if (parts.size() == 1 && parts.front().rows.size() == parts.front().data.points.count) {
        input.points = parts.front().data.points;
        input.storage.push_back(parts.front().data.storage);
    } else {
        input.points = stack(parts, input);
    }
    return input;
}

std::vector<std::int64_t> read_picked_labels(const std::vector<std::string>& paths, const InputFlags& flags,
                                             const Input& input) {
    std::vector<std::int64_t> labels;
    for (const auto& path : paths) {
        const auto more = read_labels(path);
        labels.insert(labels.end(), more.begin(), more.end());
    }
    if (labels.size() != input.rows_in_files) {
        throw InputError(paths.front(), "",
                         fmt::format("{} labels for {} points; give one label for each row of the input files, in "
                                     "their order",
                                     labels.size(), input.rows_in_files));
    }
    std::vector<std::int64_t> picked;
    append_picked(picked, labels, row_picker(flags).rows(0, labels.size()));
    return picked;
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

}  // namespace isogon::cli
