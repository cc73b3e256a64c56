#pragma once
#include <array>
#include <charconv>
#include <string>

namespace isogon {

/// In as few digits as tell it from every other float32: what messages name a distance by.
[[nodiscard]] inline std::string shortest_text(float value) {
    std::array<char, 24> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace isogon
