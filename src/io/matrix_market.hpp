#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"
#include "io/line_reader.hpp"
#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// The Matrix Market exchange formats (Boisvert, Pozo, Remington, NISTIR 5935): a line "%%MatrixMarket matrix ...",
/// comments, a line of sizes, and one entry a line, counted from 1.

/// The content of the first line and the line of sizes.
struct MatrixMarketHead {
    bool coordinate = true;  ///< "row column value" a line; else "array": all numbers, column by column
    bool pattern = false;    ///< no values: all are 1
    bool symmetric = false;
    std::string field{};  ///< "real", "integer", "pattern", as the file says
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;  ///< lines that follow
};

[[nodiscard]] bool is_matrix_market(std::string_view first_bytes);

/// Reads the header; the lines of entries follow. Throws InputError for what is not Matrix Market, for vectors, complex
/// numbers, skew-symmetric and Hermitian matrices (by name), impossible sizes, and more entries than the stream has
/// bytes for.
[[nodiscard]] MatrixMarketHead read_matrix_market_head(LineReader& lines);

/// The next line that is neither blank nor a comment; false at the end.
bool next_matrix_market_line(LineReader& lines, std::string_view& line);

/// The first words of a line; `count` is one more than fit if there are more.
template <std::size_t most>
struct LineWords {
    std::array<std::string_view, most> word{};
    std::size_t count = 0;

    explicit LineWords(std::string_view line) {
        constexpr std::string_view blanks = " \t";
        std::size_t begin = line.find_first_not_of(blanks);
        while (begin != std::string_view::npos && count < most) {
            const std::size_t end = line.find_first_of(blanks, begin);
            word[count++] = line.substr(begin, end == std::string_view::npos ? end : end - begin);
            begin = line.find_first_not_of(blanks, end);
        }
        count += begin != std::string_view::npos ? 1 : 0;
    }
};

/// Reads a Matrix Market file, zeros dropped, the other half of a symmetric matrix filled in. Throws InputError naming
/// the line: as read_matrix_market_head() does; for a row or column that does not exist, text in place of a number, NaN
/// and infinity, an entry that occurs twice, more or fewer entries than the header states.
[[nodiscard]] CsrMatrix<double> read_matrix_market(ByteStream& stream);

}  // namespace isogon
