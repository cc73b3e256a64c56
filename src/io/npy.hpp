#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_reader.hpp"

namespace isogon {

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

/// numpy's .npy, versions 1 to 3 (NEP 1 and numpy.lib.format): "\x93NUMPY", version, length of the header, a Python
/// dictionary with 'descr', 'fortran_order' and 'shape', then the numbers.

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

}  // namespace isogon
