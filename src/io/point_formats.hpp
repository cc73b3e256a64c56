#pragma once
// The formats of files of points, one after the other: how each is recognised by its first bytes, described, read and
// written. A file of points is read through dataset.cpp, or row by row through row_file.cpp, and written through
// output.cpp.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_reader.hpp"
#include "io/byte_stream.hpp"
#include "io/integer_table.hpp"
#include "io/scalar_type.hpp"
#include "io/text_file.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The format of a file from its first bytes, if its name does not determine it. Empty if they are ambiguous.
[[nodiscard]] std::optional<Format> format_from_bytes(std::string_view first_bytes);

/// The format from the caller, else from the name, else from the first bytes. Throws InputError with the remedy if
/// none of them determines it.
[[nodiscard]] Format detect_format(ByteStream& stream, const std::filesystem::path& path,
                                   const std::optional<Format>& said);

/// The content of the dictionary in an .npy header.
struct NpyDictionary {
    std::string descr;        ///< "<f4"
    bool structured = false;  ///< descr is a list of fields
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
};

/// A header that cannot be understood: where in its text, and why.
class NpySyntaxError : public std::runtime_error {
public:
    NpySyntaxError(std::size_t position, const std::string& why) : std::runtime_error(why), position_(position) {}
    [[nodiscard]] std::size_t position() const { return position_; }

private:
    std::size_t position_;
};

/// Parses the subset of Python that numpy writes: a dictionary of exactly the three keys, strings in either quote, True
/// and False, a tuple of whole numbers (with an L, as Python 2 wrote them). The fields of a structured type are
/// skipped. Throws NpySyntaxError.
[[nodiscard]] NpyDictionary parse_npy_dictionary(std::string_view text);

// numpy's .npy, versions 1 to 3 (NEP 1 and numpy.lib.format): "\x93NUMPY", version, length of the header, a Python
// dictionary with 'descr', 'fortran_order' and 'shape', then the numbers.

[[nodiscard]] bool is_npy(std::string_view first_bytes);

/// Reads the header; the stream is then at the first number. Throws InputError for a wrong magic, version or header, an
/// array without an axis, and types that are no plain numbers (object, complex, structured, text, dates), by name.
[[nodiscard]] ArrayLayout read_npy_header(ByteStream& stream);

/// Reads a whole array without axes that holds one short text of plain ASCII, dtype 'S' or 'U', to the end of the
/// stream. Throws InputError for anything else.
[[nodiscard]] std::string read_npy_text(ByteStream& stream);

/// The header's bytes (version 1, C order, little-endian), padded so that the numbers begin at a multiple of 64.
[[nodiscard]] std::string npy_header(ScalarType scalar, const std::vector<std::uint64_t>& shape);

/// A whole array without axes that holds one text of plain ASCII, dtype 'S'.
[[nodiscard]] std::string npy_text(std::string_view text);

// IDX, the format of the MNIST files (Y. LeCun): two zero bytes, a type byte, the rank, and as many 32-bit sizes, then
// the numbers in C order; all big-endian. Types: 8 ubyte, 9 byte, 0xB short, 0xC int, 0xD float, 0xE double.

/// True if a file that begins so can be IDX.
[[nodiscard]] bool is_idx(std::string_view first_bytes);

/// Reads the header; the stream is then at the first number. Throws InputError for a wrong magic or type, or rank 0.
[[nodiscard]] ArrayLayout read_idx_header(ByteStream& stream);

/// The header's bytes. `scalar` must be one of IDX's types; sizes as many as the rank, at most 255.
[[nodiscard]] std::string idx_header(ScalarType scalar, const std::vector<std::uint32_t>& shape);

// .fvecs, .bvecs, .ivecs (the TEXMEX sets of H. Jegou and others): every point is its dimension as a little-endian
// int32, then that many float32, uint8 or int32. The dimension must be positive and the same for all points.

/// The numbers that `format` holds; Fvecs, Bvecs or Ivecs.
[[nodiscard]] ScalarType vecs_scalar(Format format);

/// Reads all points. Throws InputError naming row and byte.
[[nodiscard]] Dataset read_vecs(ByteStream& stream, Format format);

/// Reads all rows of a .bvecs or .ivecs file as whole numbers.
[[nodiscard]] IntegerTable read_vecs_integers(ByteStream& stream, Format format);

/// Reads one whole number a point from .bvecs or .ivecs of dimension 1.
[[nodiscard]] std::vector<std::int64_t> read_vecs_labels(ByteStream& stream, Format format);

/// Shape and type: from the first row and the size of the file, or, packed, by reading it.
[[nodiscard]] FileInfo describe_vecs(ByteStream& stream, Format format);

/// Reads a csv (Format::Csv) or tsv (Format::Tsv) file, one point a record. Throws InputError naming line and column
/// for a ragged record or text in place of a number. What columns are: table_columns.hpp.
[[nodiscard]] Dataset read_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Shape and header; reads the file to its end.
[[nodiscard]] FileInfo describe_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Reads one label a line, whole numbers or text; a first line of text before nothing but numbers is a header.
[[nodiscard]] Labels read_text_labels(ByteStream& stream);

// Word vectors. Text: a line "n dimension" (word2vec, fastText; GloVe has none), then a line a word: the word, which
// may be any bytes but space and line end, and its numbers, each after one space; one space may end a line.
// Binary (word2vec): the line "n dimension", then each word, a space, and its little-endian float32 numbers, with or
// without a line end between words.

/// The first line of a file of word vectors: "8000 300".
struct WordHeader {
    std::uint64_t words = 0;
    std::uint64_t dimension = 0;
};

/// Empty unless `line` is two whole numbers (one space between, one allowed after).
[[nodiscard]] std::optional<WordHeader> parse_word_header(std::string_view line);

/// Throws InputError unless both numbers are positive and countable, and words of at least `bytes_per_number` bytes a
/// number and `bytes_per_word` besides fit into what is left of the stream.
void check_word_header(const ByteStream& stream, const WordHeader& header, std::uint64_t bytes_per_number,
                       std::uint64_t bytes_per_word);

[[nodiscard]] Dataset read_word_text(ByteStream& stream);
[[nodiscard]] Dataset read_word_binary(ByteStream& stream);

/// Reads the header in the first line; a text without one is read to its end.
[[nodiscard]] FileInfo describe_word_text(ByteStream& stream);
[[nodiscard]] FileInfo describe_word_binary(ByteStream& stream);

// JSON Lines: an object a line, with a list of numbers in each (ReadOptions::vectors says which).

/// Throws InputError naming the line: no JSON, no such list, another length than in line 1, null or text in it.
[[nodiscard]] Dataset read_json_lines(ByteStream& stream, const ReadOptions& options);
/// Reads the file to its end.
[[nodiscard]] FileInfo describe_json_lines(ByteStream& stream, const ReadOptions& options);

// numpy.savez: a zip archive of .npy arrays, one of which holds the points. Sparse matrices: matrix_formats.hpp.

/// Throws InputError for archives without such an array, or with several, which it lists with their shapes.
[[nodiscard]] Dataset read_npz_points(const std::filesystem::path& path, const ReadOptions& options);
[[nodiscard]] FileInfo describe_npz_points(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace isogon
