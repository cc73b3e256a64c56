#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// "; did you mean threshold?" for the word among `known` that differs least from `word`: by at most a third of its
/// letters changed, left out, added or swapped with the next, or as the only one that begins with it. Small and capital
/// letters count alike. "" where none is near. Cost: the product of the lengths, for each known word.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Text that anybody may have written, as a terminal may show it: control characters (of ASCII and of Unicode, those
/// that turn the direction of writing too) and bytes that are no UTF-8 become \n, \t or \x1b, all else stays. Messages
/// are shown by this, as they may quote the bytes of a file.
[[nodiscard]] std::string printable(std::string_view text);

/// The same of several lines: their ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace isogon
