#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// What the dictionary in an .npy header says.
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
/// and False, a tuple of whole numbers (with an L, as Python 2 wrote them). The fields of a structured type are stepped
/// over, unread. Throws NpySyntaxError.
[[nodiscard]] NpyDictionary parse_npy_dictionary(std::string_view text);

}  // namespace isogon
