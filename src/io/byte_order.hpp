#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

namespace isogon {

/// Reads a number from bytes of the given order. No alignment is asked for.
template <class Number>
[[nodiscard]] Number load(const char* bytes, std::endian order) {
    static_assert(std::is_trivially_copyable_v<Number>);
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), bytes, raw.size());
    if (order != std::endian::native) {
        std::reverse(raw.begin(), raw.end());
    }
    return std::bit_cast<Number>(raw);
}

/// Appends the bytes of a number in the given order.
template <class Number>
void store(std::string& bytes, Number value, std::endian order) {
    auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(value);
    if (order != std::endian::native) {
        std::reverse(raw.begin(), raw.end());
    }
    bytes.append(raw.data(), raw.size());
}

}  // namespace isogon
