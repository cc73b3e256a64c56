#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"
#include "program/cli11_types.hpp"
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

private:
    [[nodiscard]] std::uint64_t first_at_or_after(std::uint64_t row) const {
        return row <= from ? from : from + (row - from + every - 1) / every * every;
    }
};

/// Flags of reading, as the command line spells them.
struct InputFlags {
    std::string format;
    std::string header = "detect";
    std::string label_column;
    std::string word_column;
    std::string every = "1";
    std::string from = "0";
    std::vector<std::string> other_files{};  ///< further files that these flags apply to
};

/// Adds --format, --header, --label-column, --word-column, --every and --from.
void add_input_flags(CLI::App& app, InputFlags& flags);

/// The first flag that differs from its default, "--every"; "" if none does.
[[nodiscard]] std::string first_reading_flag(const InputFlags& flags);

/// Throws UsageError for flags of tables (--header, --label-column, --word-column) if neither `paths` nor
/// flags.other_files contain a table: they would have no effect. Throws InputError for a file that cannot be inspected.
void require_table(const std::vector<std::string>& paths, const InputFlags& flags);

/// Converts the flags into options of the library, for this file. Throws InvalidArgument.
[[nodiscard]] ReadOptions read_options(const InputFlags& flags, const std::string& path);

/// Points of one or several files, stacked in order, selected rows only, with their labels and words.
struct Input {
    PointsView points;
    std::vector<std::int64_t> labels;  ///< empty, or one a point
    std::vector<std::string> words;    ///< empty, or one a point
    std::uint64_t rows_in_files = 0;   ///< before selection
    std::vector<std::shared_ptr<const void>> storage;
};

enum class Finite { Required, Any };

/// Reads and stacks `paths`. Under a memory limit the requirement is stated from the headers of the files before they
/// are read. Throws InputError (also for NaN or infinity in a selected row, if `finite` is Required) and LimitExceeded.
[[nodiscard]] Input read_input(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite,
                               Session& session);

/// Reads label files in order, checks that there is one label for each row before selection, and selects the rows of
/// `input`. Throws InputError.
[[nodiscard]] std::vector<std::int64_t> read_picked_labels(const std::vector<std::string>& paths,
                                                           const InputFlags& flags, const Input& input);

/// The selection by --every and --from. Throws InvalidArgument.
[[nodiscard]] RowPicker row_picker(const InputFlags& flags);

/// Throws InputError unless all files have points of the same dimension (dimension(i) of the i-th) and `rows`, the
/// number of rows of all, fits into Index.
void require_stackable(const std::vector<std::string>& paths, std::uint64_t rows,
                       const std::function<Index(std::size_t)>& dimension);

/// Throws InputError unless the points of `file`, of `dimension` numbers, have as many as `what` ("the fitted points").
void require_dimension(const std::string& file, Index dimension, Index wanted, const std::string& what);

/// Throws InvalidArgument if no row is selected.
void require_picked(std::uint64_t picked, const InputFlags& flags, std::uint64_t rows);

/// {"files": [...], "every": 5, "from": 0, "points": n, "dimension": D}
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const Input& input);
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, Index points,
                              Index dimension);

}  // namespace isogon::cli
