#include "isogon/core/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>

namespace isogon {

Text::Text(std::initializer_list<Text> parts) {
    for (const Text& part : parts) {
        for (const auto& [begin, end] : part.options_) {
            options_.emplace_back(size() + begin, size() + end);
        }
        append(part);
    }
}

Text Text::option(const std::string& name) {
    Text text(name);
    text.options_.emplace_back(0, name.size());
    return text;
}

std::string Text::in(const std::function<std::string(const std::string& option)>& name_of) const {
    std::string sentence;
    std::size_t done = 0;
    for (const auto& [begin, end] : options_) {
        sentence += substr(done, begin - done) + name_of(substr(begin, end - begin));
        done = end;
    }
    return sentence + substr(done);
}

namespace {

/// Longer than any name; bounds the cost for long words from a file or a command line.
constexpr std::size_t longest_word = 64;

std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& letter : lower) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return lower;
}

/// Optimal string alignment: the Damerau-Levenshtein distance in which no substring is edited twice. Keeps three
/// rows of the table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last = std::move(last);
        last = std::move(row);
    }
    return last[b.size()];
}

/// The only one that begins with `word`, or "".
std::string only_completion(const std::string& word, const std::vector<std::string>& known) {
    std::string found;
    for (const std::string& other : known) {
        if (lower_case(other).starts_with(word)) {
            if (!found.empty()) {
                return "";
            }
            found = other;
        }
    }
    return found;
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string found;
    for (const std::string& other : known) {
        const std::size_t distance = edit_distance(word, lower_case(other));
        // Otherwise every word of one letter would be near to every other.
        if (distance < least && distance < std::min(word.size(), other.size())) {
            least = distance;
            found = other;
        }
    }
    return found;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    if (word.empty() || word.size() > longest_word) {
        return "";
    }
    const std::string lower = lower_case(word);
    std::string found = nearest(lower, known);
    if (found.empty() && word.size() > 1) {
        found = only_completion(lower, known);
    }
    return found.empty() ? "" : "; did you mean " + found + "?";
}

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

/// Control characters of ASCII (C0, delete) and of Latin-1 (C1), ends of lines of Unicode, and marks that change the
/// direction of writing, with which a name can be displayed as another one.
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

std::string rounded(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

}  // namespace isogon
