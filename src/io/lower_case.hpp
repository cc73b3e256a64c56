#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// ASCII letters alone, whatever the locale: words and endings of file formats.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

}  // namespace isogon
