#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "io/scalar_type.hpp"

namespace isogon::test {

/// The bytes of numbers, in the given order.
template <class Number>
std::string packed(const std::vector<Number>& numbers, std::endian order = std::endian::little) {
    std::string bytes;
    for (const Number number : numbers) {
        store(bytes, number, order);
    }
    return bytes;
}

/// An .npy header built by hand: `version` 1, 2 or 3, numbers at a multiple of 64 unless `padding` says otherwise.
inline std::string npy_start(const std::string& dictionary, int version = 1, bool padding = true) {
    std::string text = dictionary;
    const std::size_t fixed = version == 1 ? 10 : 12;
    while (padding && (fixed + text.size() + 1) % 64 != 0) {
        text += ' ';
    }
    text += '\n';
    std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
    const auto length = static_cast<std::uint32_t>(text.size());
    bytes +=
        version == 1 ? packed<std::uint16_t>({static_cast<std::uint16_t>(length)}) : packed<std::uint32_t>({length});
    return bytes + text;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& numbers,
                       bool fortran_order = false) {
    return npy_start("{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                     ", 'shape': " + shape + ", }") +
           numbers;
}

}  // namespace isogon::test
