#pragma once
// Input files: points in memory or row by row, with the flags that say how they are read; models; neighbour lists.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/column_names.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "program/command_line.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Selects the rows from, from + every, from + 2 every, ... of all inputs, concatenated.
struct RowPicker {
    std::uint64_t every = 1;
    std::uint64_t from = 0;

    /// The selected rows of a part of `count` rows that follows `before` other rows, numbered within the part.
    [[nodiscard]] std::vector<Index> rows(std::uint64_t before, std::uint64_t count) const {
        std::vector<Index> picked;
        for (std::uint64_t row = first_at_or_after(before); row < before + count; row += every) {
            picked.push_back(static_cast<Index>(row - before));
        }
        return picked;
    }

    [[nodiscard]] bool picks(std::uint64_t row) const { return row >= from && (row - from) % every == 0; }

private:
    [[nodiscard]] std::uint64_t first_at_or_after(std::uint64_t row) const {
        return row <= from ? from : from + (row - from + every - 1) / every * every;
    }
};

/// Flags of reading, as the command line spells them.
struct InputFlags {
    std::string format;
    std::string header = "detect";
    std::string vectors;
    std::string label_column;
    std::string word_column;
    std::vector<std::string> skip_columns{};
    bool skip_text = false;
    std::string every = "1";
    std::string from = "0";
    std::vector<std::string> other_files{};  ///< further files that these flags apply to
    ColumnNames columns{};                   ///< columns required: those of other points, or of a model
};

/// The same flags without --every and --from, which are of the inputs: how other files are read, of which all rows
/// count.
[[nodiscard]] InputFlags of_all_rows(InputFlags flags);

/// The same flags for points whose columns must be those of others.
[[nodiscard]] InputFlags with_columns(InputFlags flags, ColumnNames columns);

/// Adds --format, --vectors, --header, those of columns, --every and --from.
void add_input_flags(CLI::App& app, InputFlags& flags);

/// The first flag that differs from its default, "--every"; "" if none does.
[[nodiscard]] std::string first_reading_flag(const InputFlags& flags);

/// Throws UsageError for flags of tables (--header and those of columns) if neither `paths` nor
/// flags.other_files contain a table: they would have no effect. Throws InputError for a file that cannot be inspected.
void require_table(const std::vector<std::string>& paths, const InputFlags& flags);

/// Converts the flags into options of the library. Throws InvalidArgument.
[[nodiscard]] ReadOptions read_options(const InputFlags& flags);

/// The format by --format, else by the file's name, else by its first bytes. Throws InputError.
[[nodiscard]] Format input_format(const std::string& path, const InputFlags& flags);

/// What files of points hold besides the numbers, of selected rows.
struct InputFacts {
    std::vector<std::int64_t> labels;      ///< empty, or one a point
    std::vector<std::string> label_names;  ///< names of text labels, as in Labels
    std::vector<std::string> words;        ///< empty, or one a point
    std::vector<Text> notes;               ///< notes as in Dataset::notes
    ColumnNames columns;                   ///< columns of the first file that has names
    std::uint64_t rows_in_files = 0;       ///< before selection
};

/// Points of one or several files, stacked in order, selected rows only.
struct Input : InputFacts {
    PointsView points;
    std::vector<std::shared_ptr<const void>> storage;
};

/// The same, read block by block: not in memory where the formats allow it (io/row_file.hpp).
struct InputRows : InputFacts {
    std::unique_ptr<const RowSource> rows;
};

enum class Finite { Required, Any };

/// Reads and stacks `paths`, whose columns must have the same names where they have any; they come in the order of the
/// first. Under a memory limit the requirement is stated from the headers of the files before they
/// are read. Throws InputError (also for NaN or infinity in a selected row, if `finite` is Required) and LimitExceeded.
[[nodiscard]] Input read_input(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite,
                               Session& session);

/// Labels of the selected rows: those of the files, in order, of which there must be one for each of the rows before
/// selection; without files the input's own. Throws InputError.
[[nodiscard]] Labels read_picked_labels(const std::vector<std::string>& paths, const InputFlags& flags,
                                        const InputFacts& input);

/// Gives points other labels.
inline void set_labels(Input& input, Labels labels) {
    input.labels = std::move(labels.values);
    input.label_names = std::move(labels.names);
}

/// Warns of columns that were read in a way that may surprise.
void warn_of(const std::vector<Text>& notes, Session& session);

/// The selection by --every and --from. Throws InvalidArgument.
[[nodiscard]] RowPicker row_picker(const InputFlags& flags);

/// Throws InputError unless all files have points of the same dimension (dimension(i) of the i-th) and `rows`, the
/// number of rows of all, fits into Index.
void require_stackable(const std::vector<std::string>& paths, std::uint64_t rows,
                       const std::function<Index(std::size_t)>& dimension);

/// Throws InputError unless the points of `file`, of `dimension` numbers, have as many as `what` ("the fitted points").
void require_dimension(const std::string& file, Index dimension, Index wanted, const std::string& what);

/// The files before the last one, which holds coordinates of their points, as cp has its target last. Throws UsageError
/// if there are none.
[[nodiscard]] std::vector<std::string> files_of_inputs(const std::vector<std::string>& files);

/// Throws InputError unless there are as many coordinates in `y_file` as selected inputs.
void require_same_count(Index inputs, Index coordinates, const std::string& y_file);

/// Throws InvalidArgument if no row is selected.
void require_picked(std::uint64_t picked, const InputFlags& flags, std::uint64_t rows);

/// {"files": [...], "every": 5, "from": 0, "points": n, "dimension": D}
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const Input& input);
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const InputRows& input);
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, Index points,
                              Index dimension);

/// States the memory of the inputs and, if rows are selected or stacked, of their copy, from the headers of the files
/// before their data are read. Returns false, and states nothing, if the headers do not give the number of rows and
/// there is no memory limit: then reserve_for_read() must follow. Throws LimitExceeded, and InputError for an invalid
/// header.
[[nodiscard]] bool reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags,
                                      const RowPicker& picker, Session& session);

/// The same for inputs that are streamed: only files that cannot be streamed take memory.
[[nodiscard]] bool reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags,
                                       Session& session);

/// The memory of `rows` rows that could not be counted before they were read, and of a copy of `copied` of them.
void reserve_for_read(std::uint64_t rows, std::uint64_t copied, std::uint64_t dimension, Session& session);

/// Under a memory limit, or if headers give the sizes: the largest of files that are read one after the other.
void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// Opens and stacks `paths` without reading rows or stating memory. Throws as read_input().
[[nodiscard]] InputRows open_parts(const std::vector<std::string>& paths, const InputFlags& flags);

/// Opens and stacks `paths`. Under a memory limit, the memory of files that must be read whole is stated first. Checks
/// every row for NaN and infinity, which is a pass over files of floats. Throws as read_input() does; Interruption.
[[nodiscard]] InputRows open_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// The names of the columns of vectors that are in codes or in an index. Codes in a model are of its coordinates, which
/// have none. Throws InputError.
[[nodiscard]] ColumnNames columns_of_vectors(const Archive& archive, Index dimension);

/// Reads a model or an index; its memory is stated from the header first. Arrays named in `mapped` stay in the file
/// where read_archive() can map them, and take none. Throws InputError, LimitExceeded.
[[nodiscard]] Archive read_archive_within(const std::string& path, Session& session,
                                          const std::vector<std::string>& mapped = {});

/// The measure by which two points are near in a fit: its metric, as given, else the method's own; euclidean where it
/// has no choice.
[[nodiscard]] std::string metric_of(const Method& method, const OptionValues& options);

/// Neighbour lists given by the user for a metric: a file of isogon neighbors (.safetensors, with distances), or a
/// table of integers, one row for each point, nearest first (.npy, .ivecs, .csv, .tsv). as neighbor_lists_from()
/// takes them. Throws InputError as that does, and for a file that says it is of another metric: its distances would be
/// taken for those of this one.
[[nodiscard]] NeighborLists read_neighbor_graph(const std::string& path, Index points, std::string_view metric);

}  // namespace isogon::cli
