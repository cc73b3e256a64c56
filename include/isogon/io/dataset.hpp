#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

/// The formats of files of points. Each may also be gzip-compressed (.gz) where it is read as a stream. The last four
/// are read in Python, by the program that pip installs.
enum class Format {
    Npy,
    Csv,
    Tsv,
    Idx,
    Fvecs,
    Bvecs,
    Ivecs,
    WordText,
    WordBinary,
    Npz,
    Jsonl,
    Parquet,
    Arrow,
    H5ad,
    Hdf5,
};

/// "npy", "csv", "tsv", "idx", "fvecs", "bvecs", "ivecs", "vec", "word2vec", "npz", "jsonl", "parquet", "arrow",
/// "h5ad", "hdf5": the values of --format.
[[nodiscard]] std::string_view name(Format format);
/// Throws InvalidArgument, which lists all names.
[[nodiscard]] Format parse_format(std::string_view name);
/// The format by the name of a file without a final .gz: .npy .csv .tsv .fvecs .bvecs .ivecs .vec .bin .npz .jsonl
/// .parquet .arrow .feather .h5ad .h5 .hdf5, and names that hold "idx1-" to "idx9-" or end in -ubyte, -float or .idx
/// for IDX. Empty if the name does not determine it.
[[nodiscard]] std::optional<Format> format_from_name(const std::filesystem::path& path);

/// Points read from a file, with their labels, words and column names. Cheap to move; views are valid while it exists.
struct Dataset {
    PointsView points;                     ///< float32; a view into a memory-mapped file where that is possible
    std::vector<std::int64_t> labels;      ///< labels as in Labels; empty, or one a point (from a column of a csv file)
    std::vector<std::string> label_names;  ///< names of text labels: each label is a place in this list
    std::vector<std::string> words;        ///< empty, or one a point
    std::vector<std::string> column_names;  ///< empty, or one a dimension (from the header of a csv file)
    std::shared_ptr<const void> storage;    ///< owner of the memory of `points`
    bool mapped = false;                    ///< the points are a mapped part of the file, not a copy
    /// Sentences on columns of a table that may have been meant otherwise than they were read, with the remedy.
    std::vector<Text> notes{};
};

/// Labels: whole numbers, or, where there are names, places among these. Below 0: unknown.
struct Labels {
    std::vector<std::int64_t> values{};
    std::vector<std::string> names{};  ///< names of text labels, in the order of first appearance
};

/// The names of the columns of points, and whose they are.
struct ColumnNames {
    std::vector<std::string> names{};  ///< one a dimension; empty: there are none
    std::string of{};                  ///< "train.csv", for messages

    [[nodiscard]] bool empty() const { return names.empty(); }
};

enum class Header { Detect, Present, Absent };

struct ReadOptions {
    std::optional<Format> format{};  ///< empty: by the file's name, then by its first bytes
    Header header = Header::Detect;  ///< csv and tsv only
    /// npz and hdf5: the array that holds the points; jsonl: the path to the list of numbers in each line,
    /// "data.0.embedding"; parquet and arrow: a column of lists; h5ad: a key of obsm, or X. Empty: the only one there
    /// is.
    std::optional<std::string> vectors{};
    std::optional<std::string> label_column{};  ///< csv, tsv: name or number (from 0) of a column; jsonl: path
    std::optional<std::string> word_column{};   ///< the same of words
    std::vector<std::string> skip_columns{};    ///< csv and tsv only: names or numbers of columns that are left out
    bool skip_text = false;  ///< csv and tsv only: columns of text that no option names are left out; notes tell which
    /// csv and tsv with a header only: the coordinates that are wanted, in their order (io/column_names.hpp).
    ColumnNames columns{};
    /// For describe_file() of text, whose rows have to be counted: LimitExceeded where words or a line take more bytes.
    std::optional<std::uint64_t> memory_limit{};
};

/// Reads points. Throws InputError naming file, line or byte, and why, for anything that is not a whole, valid file of
/// its format: missing, empty, truncated, gzip-corrupted, wrong magic, shapes that overflow or promise more than the
/// file holds, object or complex dtypes, ragged rows, text in place of numbers. NaN and infinity are read; methods
/// refuse them. Integers and float64 are converted to float32 (values out of its range are an InputError).
/// InvalidArgument: a column that does not exist. One pass over the file; float32 .npy in C order and native byte order
/// is mapped without a pass.
///
/// Tables, where options do not say otherwise: a first line of numbers only is data, one of text only a header; one of
/// both is data if the second line is like it, else refused. Columns called `label` and `word` are labels and words. A
/// column of text is labels if each value occurs twice on average (or it is called class or target), else words; more
/// text than that is refused. Whole numbers under the name id, index or none are words if nothing else is, and no
/// coordinate (`notes` says so). Numbers that count from 0 or 1 in the first line are names (`notes` says so). Missing
/// values (empty, NA, null ...) among coordinates are an InputError, and so are numbers as "0.1%" or "1,234.5"; among
/// labels they are unknown ones. Coordinates come in the order of options.columns, by name; other names are an
/// InputError.
///
/// In .npz, as numpy.savez writes it, the points are the array of two axes, if there is one alone; in .jsonl (JSON
/// Lines) the list of numbers in each line, its words "word", "id" or "text", its labels "label".
[[nodiscard]] Dataset read_points(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads one label a point: IDX of rank 1, .npy of whole numbers (n) or (n, 1), .ivecs of dimension 1, or text with one
/// a line (csv/tsv/txt), whole numbers or names. Unknown are whole numbers below 0, NaN, nothing, NA, <NA>, N/A, NaT,
/// None, null and ?, in any case. Throws InputError.
[[nodiscard]] Labels read_named_labels(const std::filesystem::path& path);

/// The same of one text a point.
[[nodiscard]] Labels numbered_labels(std::span<const std::string> texts);

/// The same as read_named_labels() for whole numbers alone.
[[nodiscard]] std::vector<std::int64_t> read_labels(const std::filesystem::path& path);

/// The description of a file, without reading its data where the format allows.
struct FileInfo {
    Format format = Format::Npy;
    bool gzip = false;
    std::uint64_t file_bytes = 0;
    std::string scalar;                ///< "float32", "uint8", "text", ...
    std::vector<std::uint64_t> shape;  ///< shape in the file: images keep their rows and columns
    bool fortran_order = false;
    bool has_words = false;
    bool has_labels = false;  ///< only tables have some
    bool has_header = false;
    std::vector<Text> notes{};  ///< notes as in Dataset::notes
};

/// Text and compressed rows are read to their end, of which nothing but words is held meanwhile.
[[nodiscard]] FileInfo describe_file(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace isogon
