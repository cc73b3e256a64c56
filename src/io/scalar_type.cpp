#include "io/scalar_type.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace isogon {

namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 12> scalar_types = {{{"bool", 1},
                                                                                    {"int8", 1},
                                                                                    {"uint8", 1},
                                                                                    {"int16", 2},
                                                                                    {"uint16", 2},
                                                                                    {"int32", 4},
                                                                                    {"uint32", 4},
                                                                                    {"int64", 8},
                                                                                    {"uint64", 8},
                                                                                    {"float16", 2},
                                                                                    {"float32", 4},
                                                                                    {"float64", 8}}};

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
    return scalar_types[static_cast<std::size_t>(type)].first;
}
std::size_t size_of(ScalarType type) {
    return scalar_types[static_cast<std::size_t>(type)].second;
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

std::size_t to_floats(ScalarType type, std::endian order, const char* bytes, std::span<float> out) {
    switch (type) {
        case ScalarType::Bool: return floats_of<Boolean>(order, bytes, out);
        case ScalarType::Int8: return floats_of<std::int8_t>(order, bytes, out);
        case ScalarType::UInt8: return floats_of<std::uint8_t>(order, bytes, out);
        case ScalarType::Int16: return floats_of<std::int16_t>(order, bytes, out);
        case ScalarType::UInt16: return floats_of<std::uint16_t>(order, bytes, out);
        case ScalarType::Int32: return floats_of<std::int32_t>(order, bytes, out);
        case ScalarType::UInt32: return floats_of<std::uint32_t>(order, bytes, out);
        case ScalarType::Int64: return floats_of<std::int64_t>(order, bytes, out);
        case ScalarType::UInt64: return floats_of<std::uint64_t>(order, bytes, out);
        case ScalarType::Float16: return floats_of<Half>(order, bytes, out);
        case ScalarType::Float32: return floats_of<float>(order, bytes, out);
        case ScalarType::Float64: return floats_of<double>(order, bytes, out);
    }
    return 0;
}

void to_doubles(ScalarType type, std::endian order, const char* bytes, std::span<double> out) {
    switch (type) {
        case ScalarType::Bool: doubles_of<Boolean>(order, bytes, out); break;
        case ScalarType::Int8: doubles_of<std::int8_t>(order, bytes, out); break;
        case ScalarType::UInt8: doubles_of<std::uint8_t>(order, bytes, out); break;
        case ScalarType::Int16: doubles_of<std::int16_t>(order, bytes, out); break;
        case ScalarType::UInt16: doubles_of<std::uint16_t>(order, bytes, out); break;
        case ScalarType::Int32: doubles_of<std::int32_t>(order, bytes, out); break;
        case ScalarType::UInt32: doubles_of<std::uint32_t>(order, bytes, out); break;
        case ScalarType::Int64: doubles_of<std::int64_t>(order, bytes, out); break;
        case ScalarType::UInt64: doubles_of<std::uint64_t>(order, bytes, out); break;
        case ScalarType::Float16: doubles_of<Half>(order, bytes, out); break;
        case ScalarType::Float32: doubles_of<float>(order, bytes, out); break;
        case ScalarType::Float64: doubles_of<double>(order, bytes, out); break;
    }
}

std::size_t to_integers(ScalarType type, std::endian order, const char* bytes, std::span<std::int64_t> out) {
    switch (type) {
        case ScalarType::Bool:
        case ScalarType::UInt8: return integers_of<std::uint8_t>(order, bytes, out);
        case ScalarType::Int8: return integers_of<std::int8_t>(order, bytes, out);
        case ScalarType::Int16: return integers_of<std::int16_t>(order, bytes, out);
        case ScalarType::UInt16: return integers_of<std::uint16_t>(order, bytes, out);
        case ScalarType::Int32: return integers_of<std::int32_t>(order, bytes, out);
        case ScalarType::UInt32: return integers_of<std::uint32_t>(order, bytes, out);
        case ScalarType::Int64: return integers_of<std::int64_t>(order, bytes, out);
        case ScalarType::UInt64: return integers_of<std::uint64_t>(order, bytes, out);
        default: return 0;
    }
}

}  // namespace isogon
