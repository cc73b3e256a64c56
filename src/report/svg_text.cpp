#include "report/svg_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace isogon {

namespace {

constexpr std::string_view unknown = "\xef\xbf\xbd";

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
}

/// Bytes that a character takes by its first one; 0: none begins so.
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

/// Neither longer than need be, nor a surrogate, nor beyond the last, nor one of the two that XML leaves out.
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

}  // namespace isogon
