#pragma once
// The roles of the columns of a csv or tsv file: by the options, by the names in its header, else by the first
// record of data.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/text_file.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

enum class FieldKind { Number, Text, Missing };

/// Missing: empty, or NA, <NA>, N/A, null, none, ? in any case. "nan" is a number, as numpy writes it.
[[nodiscard]] FieldKind kind_of(std::string_view field);

/// Whether a column of this name may be taken for labels, words or row numbers: label, class, target, word, id,
/// index...
[[nodiscard]] bool has_a_role(std::string_view name);

enum class ColumnRole {
    Coordinate,
    Label,
    Word,
    Text,   ///< labels if its values repeat, else words: decided when all are read
    RowId,  ///< whole numbers that number the rows: words, if nothing else is
    Skipped,
};

struct TableColumns {
    bool header = false;                   ///< the first record names the columns
    std::vector<ColumnRole> roles;         ///< one a column
    std::vector<std::string> names;        ///< names of all columns; empty without a header
    std::optional<std::size_t> suspect{};  ///< a coordinate whose name says that it holds classes
    std::vector<Text> notes{};             ///< notes as in Dataset::notes

    [[nodiscard]] std::size_t count() const { return roles.size(); }
    [[nodiscard]] std::size_t dimension() const;
    [[nodiscard]] std::optional<std::size_t> find(ColumnRole role) const;
    /// Names of the coordinates.
    [[nodiscard]] std::vector<std::string> coordinate_names() const;
    /// How options name a column: by its name in the header, else by its number from 0.
    [[nodiscard]] std::string option_value(std::size_t column) const;
    /// For messages: `column 3 ("species")`.
    [[nodiscard]] std::string described(std::size_t column) const;
};

/// The first two records of a table, and where they begin.
struct TableHead {
    ByteStream& stream;
    char delimiter = ',';
    std::vector<std::string> first{};
    std::uint64_t first_line = 1;
    std::vector<std::string> second{};  ///< empty if there is no second record
    std::uint64_t second_line = 2;
};

/// Throws InputError for a field of a line; messages count columns from 1.
[[noreturn]] void fail_at(const ByteStream& stream, std::uint64_t line, std::size_t column, const Text& why);

/// The options that say how to read a column of text: "label-column 4, word-column 4 or skip-column 4".
[[nodiscard]] Text column_options(const TableColumns& columns, std::size_t column);

/// Why a field is no number though it looks like one, and what to do, for a message: notation_trouble() and
/// separator_trouble(), of which the first counts where there are several columns, else the second. "" if it does not.
[[nodiscard]] Text misread_trouble(std::string_view field, char delimiter, std::size_t columns);

/// A message on such a field in a column that is a coordinate: its name, the field, the trouble, and the remedy.
[[nodiscard]] Text coordinate_trouble(const TableColumns& columns, std::size_t column, std::string_view field,
                                      const Text& trouble);

/// Determines the columns. Options are obeyed. With Header::Detect the first record is a header if none of its fields
/// is a number, and data if all are; one of both is data if the second record has numbers and text in the same places,
/// else an InputError, since an error in the data must not be read as a header. Numbers that count from 0 or 1, as
/// programs name columns without names, are a header, of which `notes` tell, unless they may as well be data: fewer
/// than three, or before another record of evenly spaced numbers. Other evenly spaced numbers above unlike ones, as
/// years or wavelengths, are an InputError that asks. Of the columns that no option names,
/// `label` and `word` are what they say, one that begins with text is ColumnRole::Text, and whole numbers under the
/// name id, index or none are ColumnRole::RowId. Throws InvalidArgument for a column that does not exist or is named
/// twice, and InputError if there is more text than labels and words can be, or no coordinates remain.
[[nodiscard]] TableColumns find_columns(const TableHead& head, const ReadOptions& options);

/// The records of data of a csv (Format::Csv) or tsv (Format::Tsv) file, and what their columns are. Between semicolons
/// (csv_delimiter) numbers may have decimal commas. A header with one name fewer than the records have fields lacks
/// that of the first column, as R writes row names.
class TableRecords {
public:
    /// Throws as find_columns() does, and InputError for a file without records of data.
    TableRecords(ByteStream& stream, Format format, const ReadOptions& options);

    [[nodiscard]] const TableColumns& columns() const { return columns_; }
    /// The next record's fields, with decimal points, valid until the next call; false at the end. Throws InputError
    /// for one that has not as many as the first.
    bool next(std::vector<std::string_view>& fields);
    /// A field of that record as it stands, where blanks are part of it: not where a blank follows each delimiter of
    /// the first record, as people write.
    [[nodiscard]] std::string_view as_written(std::size_t column, std::string_view field) const;
    /// Number of the line, from 1, on which that record began.
    [[nodiscard]] std::uint64_t line() const { return line_; }
    [[nodiscard]] char delimiter() const { return head_.delimiter; }
    /// A comma between semicolons, unless a number of the first two records has a point.
    [[nodiscard]] char decimal_point() const { return decimal_point_; }
    [[nodiscard]] const ByteStream& stream() const { return head_.stream; }
    /// Throws InputError for a field of that record.
    [[noreturn]] void fail(std::size_t column, const Text& why) const { fail_at(head_.stream, line_, column, why); }

private:
    void read_head(const ReadOptions& options);
    void point_decimals(std::vector<std::string_view>& fields);

    RecordReader reader_;
    TableHead head_;
    TableColumns columns_;
    std::uint64_t line_ = 0;
    std::vector<std::string> first_as_written_;
    std::vector<std::string> second_as_written_;
    std::vector<std::string_view> as_read_;  ///< fields of the record, where numbers have decimal commas
    std::vector<std::string> pointed_;       ///< those of them that had
    char decimal_point_ = '.';
    bool blanks_are_style_ = false;
    int next_ = 0;  ///< 0: the first record of the head, 1: the second, 2: the reader's
};

}  // namespace isogon
