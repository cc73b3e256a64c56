#include "isogon/core/printable.hpp"

#include <cstdint>

namespace isogon {

namespace {

/// A character of UTF-8 at the beginning of a text: its number and its bytes; no bytes where there is none.
struct Character {
    std::uint32_t number = 0;
    std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t head = byte(0);
    if (head < 0x80) {
        return {head, 1};
    }
    const std::size_t bytes = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
    if (head < 0xC2 || head > 0xF4 || text.size() < bytes) {
        return {};
    }
    std::uint32_t number = head & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {};
        }
        number = (number << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::uint32_t longer_than_needed[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
    return number < longer_than_needed[bytes] || number > 0x10FFFF || surrogate ? Character{}
                                                                                : Character{number, bytes};
}

/// Control characters of ASCII (C0, delete) and of Latin-1 (C1), ends of lines of Unicode, and marks that turn the
/// direction of writing, by which a name may be made to read as another.
bool controls(std::uint32_t number) {
    return number < 0x20 || (number >= 0x7F && number < 0xA0) || (number >= 0x2028 && number <= 0x202E) ||
           (number >= 0x2066 && number <= 0x2069);
}

void append_escaped(std::string& shown, std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n' || c == '\t' || c == '\r') {
            shown += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        } else {
            shown += "\\x";
            shown += digits[byte / 16U];
            shown += digits[byte % 16U];
        }
    }
}

std::string escaped(std::string_view text, bool line_ends_stay) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Character first = first_character(text);
        const std::string_view bytes = text.substr(0, first.bytes == 0 ? 1 : first.bytes);
        if ((first.bytes != 0 && !controls(first.number)) || (line_ends_stay && bytes == "\n")) {
            shown += bytes;
        } else {
            append_escaped(shown, bytes);
        }
        text.remove_prefix(bytes.size());
    }
    return shown;
}

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, false);
}

std::string printable_lines(std::string_view text) {
    return escaped(text, true);
}

}  // namespace isogon
