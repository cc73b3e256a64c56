#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace isogon {

/// Reads a number from bytes of the given order, at any alignment.
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

/// The kinds of number that files hold.
enum class ScalarType { Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float16, Float32, Float64 };

/// "bool", "int8", ..., "float64".
[[nodiscard]] std::string_view name(ScalarType type);
/// Bytes of one number.
[[nodiscard]] std::size_t size_of(ScalarType type);
[[nodiscard]] bool is_integer(ScalarType type);  ///< true also for Bool

/// The value of an IEEE 754 half-precision number. Exact.
[[nodiscard]] float half_to_float(std::uint16_t bits);

/// Reads out.size() numbers of a type and byte order from `bytes` (size_of(type) each, any alignment) as float32,
/// rounded to nearest. Returns the position of the first finite number beyond float32's range, or out.size().
[[nodiscard]] std::size_t to_floats(ScalarType type, std::endian order, const char* bytes, std::span<float> out);

/// The same as float64; int64 and uint64 beyond 2^53 are rounded.
void to_doubles(ScalarType type, std::endian order, const char* bytes, std::span<double> out);

/// The same as whole numbers; the type must be an integer. Returns the position of the first beyond int64's range.
[[nodiscard]] std::size_t to_integers(ScalarType type, std::endian order, const char* bytes,
                                      std::span<std::int64_t> out);

}  // namespace isogon
