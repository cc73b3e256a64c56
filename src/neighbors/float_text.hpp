#pragma once
#include <array>
#include <charconv>
#include <string>

namespace isogon {

/// The number in as few digits as tell it from every other float32, for distances in messages.
[[nodiscard]] inline std::string shortest_text(float value) {
    std::array<char, 24> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace isogon
