#include "report/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>

#include "isogon/core/elementary.hpp"

namespace isogon {

namespace {

constexpr std::string_view unknown = "\xef\xbf\xbd";

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
}

/// The bytes of a character by its first one; 0: no character begins with it.
std::size_t length_of(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0) {
        return 2;
    }
    if (first >= 0xe0 && first < 0xf0) {
        return 3;
    }
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Not overlong, not a surrogate, not beyond U+10FFFF, and not one of the two code points that XML excludes.
bool is_allowed(std::uint32_t code, std::size_t length) {
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code >= least.at(length) && code <= 0x10ffff && !surrogate && code != 0xfffe && code != 0xffff;
}

/// The length of the character that `text` begins with, or 0 if it begins with none.
std::size_t whole_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = length_of(first);
    if (length <= 1 || length > text.size()) {
        return length == 1 ? 1 : 0;
    }
    std::uint32_t code = first & (0xffU >> (length + 1));
    for (const char c : text.substr(1, length - 1)) {
        if (!is_continuation(c)) {
            return 0;
        }
        code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
    }
    return is_allowed(code, length) ? length : 0;
}

std::string_view one_byte(const char& c) {
    switch (c) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        case '\t':
        case '\n':
        case '\r': return " ";
        default: return static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? unknown : std::string_view(&c, 1);
    }
}

std::string printed(const char* form, double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), form, value + 0.0);
    return text.data() == std::string_view("-0") || text.data() == std::string_view("-0.0") ? text.data() + 1
                                                                                            : text.data();
}

}  // namespace

std::string svg_escaped(std::string_view text) {
    std::string escaped;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = whole_character(text.substr(i));
        if (length <= 1) {
            escaped += length == 1 ? one_byte(text[i]) : unknown;
            ++i;
        } else {
            escaped += text.substr(i, length);
            i += length;
        }
    }
    return escaped;
}

std::string short_number(double value) {
    return printed("%.4g", value);
}

std::string place(double value) {
    return printed("%.1f", value);
}

namespace {

bool can_show(AxisScale kind, double value) {
    // Within what float64 can subtract and take logarithms of without an overflow.
    constexpr double farthest = 1e300;
    constexpr double nearest = 1e-300;
    return std::isfinite(value) && std::abs(value) < farthest && (kind == AxisScale::Linear || value > nearest);
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below `rough`.
double round_step(double rough) {
    const double power = elementary::integer_power(10.0, static_cast<int>(std::floor(elementary::log10(rough))));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= rough * (1.0 - 1e-9)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

std::vector<double> shown(AxisScale kind, const std::vector<double>& values) {
    std::vector<double> list;
    std::copy_if(values.begin(), values.end(), std::back_inserter(list),
                 [&](double value) { return can_show(kind, value); });
    return list;
}

}  // namespace

ChartScale::ChartScale(AxisScale kind, const std::vector<double>& values) : kind_(kind) {
    const std::vector<double> list = shown(kind, values);
    const auto [least, most] = std::minmax_element(list.begin(), list.end());
    if (kind == AxisScale::Log) {
        lay_out_log(list.empty() ? 1.0 : *least, list.empty() ? 10.0 : *most, list);
    } else {
        lay_out_linear(list.empty() ? 0.0 : *least, list.empty() ? 1.0 : *most);
    }
}

void ChartScale::lay_out_linear(double low, double high) {
    constexpr double near_zero =
        0.4;  // of the largest value: beyond it, including zero would waste too much of the axis
    constexpr double steps = 5.0;
    if (low > 0.0 && low < near_zero * high) {
        low = 0.0;
    }
    if (high < 0.0 && high > near_zero * low) {
        high = 0.0;
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {  // one value: a range about it
        const double about = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
        low -= about;
        high += about;
    }
    const double step = round_step((high - low) / steps);
    const double first = std::floor(low / step + 1e-9);
    const auto count = static_cast<int>(std::ceil(high / step - 1e-9) - first);
    for (int i = 0; i <= count; ++i) {
        ticks_.push_back((first + i) * step);
    }
    low_ = ticks_.front();
    high_ = ticks_.back();
}

void ChartScale::lay_out_log(double low, double high, const std::vector<double>& values) {
    constexpr std::size_t few = 9;
    constexpr double margin = 1.15;
    if (high < 1.02 * low) {
        low /= 2.0;
        high *= 2.0;
    }
    low_ = elementary::log(low / margin);
    high_ = elementary::log(high * margin);
    const std::set<double> different(values.begin(), values.end());
    const auto crowded = [&] {
        return std::adjacent_find(different.begin(), different.end(), [&](double one, double next) {
                   return elementary::log(next / one) < 0.04 * (high_ - low_);
               }) != different.end();
    };
    if (different.size() >= 2 && different.size() <= few && !crowded()) {
        ticks_.assign(different.begin(), different.end());
        return;
    }
    const double decades = elementary::log10(high / low);
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / 7.0)));
    const auto add = [&](double tick) {
        if (elementary::log(tick) >= low_ && elementary::log(tick) <= high_) {
            ticks_.push_back(tick);
        }
    };
    const auto last = static_cast<int>(std::ceil(elementary::log10(high)));
    for (auto power = static_cast<int>(std::floor(elementary::log10(low))) - 1; power <= last; power += stride) {
        add(elementary::integer_power(10.0, power));
        if (decades < 3.0) {
            add(2.0 * elementary::integer_power(10.0, power));
            add(5.0 * elementary::integer_power(10.0, power));
        }
    }
    if (ticks_.size() < 2) {
        ticks_ = {low, high};
    }
}

std::optional<double> ChartScale::share(double value) const {
    if (!can_show(kind_, value)) {
        return std::nullopt;
    }
    const double at = kind_ == AxisScale::Log ? elementary::log(value) : value;
    return (at - low_) / (high_ - low_);
}

}  // namespace isogon
