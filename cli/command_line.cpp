#include "command_line.hpp"

#include <algorithm>
#include <string_view>

namespace isogon::cli {

namespace {

bool is_plain(char c) {
    constexpr std::string_view others = "_./=,:+-@%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

std::string quoted(std::string_view word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
        return std::string(word);
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
    std::string line = "isogon";
    for (int i = 1; i < argc; ++i) {
        line += ' ' + quoted(argv[i]);
    }
    return line;
}

}  // namespace isogon::cli
