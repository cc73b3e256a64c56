#include "io/scalar_type.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace isogon {

namespace {

// The order is that of ScalarType.
constexpr std::array<std::string_view, 12> names{"bool",   "int8",  "uint8",  "int16",   "uint16",  "int32",
                                                 "uint32", "int64", "uint64", "float16", "float32", "float64"};
constexpr std::array<std::size_t, 12> sizes{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};

struct Half {
    std::uint16_t bits;
};
struct Boolean {
    std::uint8_t bits;
};

template <class Number>
float as_float(Number value) {
    return static_cast<float>(value);
}
float as_float(Half value) {
    return half_to_float(value.bits);
}
float as_float(Boolean value) {
    return value.bits != 0 ? 1.0F : 0.0F;
}

bool fits_float(double value) {
    return !(std::abs(value) > std::numeric_limits<float>::max()) || std::isinf(value);
}

template <class Number>
std::size_t floats_of(std::endian order, const char* bytes, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto value = load<Number>(bytes + i * sizeof(Number), order);
        if constexpr (std::is_same_v<Number, double>) {
            if (!fits_float(value)) {
                return i;
            }
        }
        out[i] = as_float(value);
    }
    return out.size();
}

template <class Number>
void doubles_of(std::endian order, const char* bytes, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto value = load<Number>(bytes + i * sizeof(Number), order);
        if constexpr (std::is_arithmetic_v<Number>) {
            out[i] = static_cast<double>(value);
        } else {
            out[i] = as_float(value);
        }
    }
}

template <class Number>
std::size_t integers_of(std::endian order, const char* bytes, std::span<std::int64_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto value = load<Number>(bytes + i * sizeof(Number), order);
        if (!std::in_range<std::int64_t>(value)) {
            return i;
        }
        out[i] = static_cast<std::int64_t>(value);  // NOLINT(bugprone-signed-char-misuse): int8 is a number here
    }
    return out.size();
}

}  // namespace

std::string_view name(ScalarType type) {
    return names.at(static_cast<std::size_t>(type));
}
std::size_t size_of(ScalarType type) {
    return sizes.at(static_cast<std::size_t>(type));
}
bool is_integer(ScalarType type) {
    return type < ScalarType::Float16;
}

float half_to_float(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    float magnitude = 0.0F;
    if (exponent == 31) {
        magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    } else if (exponent == 0) {
        magnitude = std::ldexp(static_cast<float>(fraction), -24);  // subnormal: no leading one
    } else {
        magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

namespace {

/// action(a number of the type).
template <class Action>
auto with_number(ScalarType type, Action action) {
    switch (type) {
        case ScalarType::Bool: return action(Boolean());
        // The arguments differ in type. NOLINTNEXTLINE(bugprone-branch-clone)
        case ScalarType::Int8: return action(std::int8_t());
        case ScalarType::UInt8: return action(std::uint8_t());
        case ScalarType::Int16: return action(std::int16_t());
        case ScalarType::UInt16: return action(std::uint16_t());
        case ScalarType::Int32: return action(std::int32_t());
        case ScalarType::UInt32: return action(std::uint32_t());
        case ScalarType::Int64: return action(std::int64_t());
        case ScalarType::UInt64: return action(std::uint64_t());
        case ScalarType::Float16: return action(Half());
        case ScalarType::Float32: return action(float());
        case ScalarType::Float64: break;
    }
    return action(double());
}

}  // namespace

std::size_t to_floats(ScalarType type, std::endian order, const char* bytes, std::span<float> out) {
    return with_number(type, [&](auto number) { return floats_of<decltype(number)>(order, bytes, out); });
}

void to_doubles(ScalarType type, std::endian order, const char* bytes, std::span<double> out) {
    with_number(type, [&](auto number) { doubles_of<decltype(number)>(order, bytes, out); });
}

std::size_t to_integers(ScalarType type, std::endian order, const char* bytes, std::span<std::int64_t> out) {
    return with_number(type, [&](auto number) -> std::size_t {
        if constexpr (std::is_same_v<decltype(number), Boolean>) {
            return integers_of<std::uint8_t>(order, bytes, out);
        } else if constexpr (std::is_integral_v<decltype(number)>) {
            return integers_of<decltype(number)>(order, bytes, out);
        } else {
            return 0;
        }
    });
}

}  // namespace isogon
