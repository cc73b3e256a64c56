#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/random.hpp"

namespace isogon::support {

/// How far `value` is from an exact result, in the distance of adjacent float64 numbers there. Half of one is rounding.
/// The result in long double, if that is no longer than float64, is rounded as well: half of one is subtracted.
inline double ulps(double value, long double exact) {
    const auto rounded = static_cast<double>(exact);
    if (!std::isfinite(value) || !std::isfinite(rounded) || value == rounded) {
        return value == rounded ? 0.0 : std::numeric_limits<double>::infinity();
    }
    constexpr int digits = std::numeric_limits<double>::digits;
    constexpr double doubt = std::numeric_limits<long double>::digits > digits ? 0.0 : 0.5;
    const int exponent = exact == 0.0L ? std::numeric_limits<double>::min_exponent - 1
                                       : std::max(std::ilogb(exact), std::numeric_limits<double>::min_exponent - 1);
    const long double unit = std::ldexp(1.0L, exponent - (digits - 1));
    return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / unit) - doubt;
}

/// 100,000 numbers from low to high, always the same.
inline std::vector<double> numbers_between(double low, double high) {
    Random random(7, RandomStream::Test, 0);
    std::vector<double> values(100000);
    for (double& value : values) {
        value = low + (high - low) * random.uniform();
    }
    return values;
}

/// A hash of the bits of function(x) at 10000 arguments between low and high: the FNV-1a hash of Fowler, Noll and Vo,
/// by words. The arguments are computed by operations that all machines round alike.
template <class Function>
std::uint64_t hash_of_bits(const Function& function, double low, double high) {
    constexpr int count = 10000;
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (int i = 0; i < count; ++i) {
        hash ^= std::bit_cast<std::uint64_t>(function(low + i * ((high - low) / count)));
        hash *= 0x100000001B3U;
    }
    return hash;
}

}  // namespace isogon::support
