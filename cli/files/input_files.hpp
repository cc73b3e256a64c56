#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/types.hpp"
#include "isogon/io/dataset.hpp"
#include "program/cli11_types.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Picks the rows from, from + every, from + 2 every, ... of all inputs laid one after the other.
struct RowPicker {
    std::uint64_t every = 1;
    std::uint64_t from = 0;

    /// The picked rows of a part of `count` rows that has `before` rows before it, numbered within the part.
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

/// How input files are to be read, as the command line spells it.
struct InputFlags {
    std::string format;
    std::string header = "detect";
    std::string label_column;
    std::string word_column;
    std::string every = "1";
    std::string from = "0";
    std::vector<std::string> beside{};  ///< other files that the same flags are for
};

/// Adds --format, --header, --label-column, --word-column, --every and --from.
void add_input_flags(CLI::App& app, InputFlags& flags);

/// The first of the flags that is not as it is without any, "--every"; "" if none is.
[[nodiscard]] std::string first_reading_flag(const InputFlags& flags);

/// Throws UsageError for flags of tables (--header, --label-column, --word-column) where neither of `paths` nor of the
/// files beside them is one: they would change nothing. Throws InputError for a file that cannot be looked into.
void require_table(const std::vector<std::string>& paths, const InputFlags& flags);

/// The flags as the library takes them, for this file. Throws InvalidArgument.
[[nodiscard]] ReadOptions read_options(const InputFlags& flags, const std::string& path);

/// Points of one or several files, stacked in order, rows picked, with the labels and words that belong to them.
struct Input {
    PointsView points;
    std::vector<std::int64_t> labels;  ///< empty, or one a point
    std::vector<std::string> words;    ///< empty, or one a point
    std::uint64_t rows_in_files = 0;   ///< before picking
    std::vector<std::shared_ptr<const void>> storage;
};

enum class Finite { Required, Any };

/// Reads and stacks `paths`. Under a memory limit the need is stated from the files' heads before they are read.
/// Throws InputError (also for NaN or infinity in a picked row, when `finite` is Required) and LimitExceeded.
[[nodiscard]] Input read_input(const std::vector<std::string>& paths, const InputFlags& flags, Finite finite,
                               Session& session);

/// Reads label files in order, checks that there is one for each row before picking, and picks the rows of `input`.
/// Throws InputError.
[[nodiscard]] std::vector<std::int64_t> read_picked_labels(const std::vector<std::string>& paths,
                                                           const InputFlags& flags, const Input& input);

/// What --every and --from pick. Throws InvalidArgument.
[[nodiscard]] RowPicker row_picker(const InputFlags& flags);

/// Throws InputError unless all files hold points of one dimension (that of the i-th is dimension(i)) and not more of
/// them, `rows` together, than can be numbered.
void require_stackable(const std::vector<std::string>& paths, std::uint64_t rows,
                       const std::function<Index(std::size_t)>& dimension);

/// Throws InputError unless `file`, whose points have `dimension` numbers, has as many as `what`, "the fitted points".
void require_dimension(const std::string& file, Index dimension, Index wanted, const std::string& what);

/// Throws InvalidArgument if no row was picked.
void require_picked(std::uint64_t picked, const InputFlags& flags, std::uint64_t rows);

/// {"files": [...], "every": 5, "from": 0, "points": n, "dimension": D}
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const Input& input);
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, Index points,
                              Index dimension);

}  // namespace isogon::cli
