#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// "; did you mean threshold?", with the word in `known` that is nearest to `word` by edit distance (a letter changed,
/// removed, added, or exchanged with the next one): at most a third of the length of `word`, or else the only word that
/// begins with it. Case is ignored. "" if there is no such word. Cost: the product of the lengths, for each known word.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Escapes untrusted text for a terminal: control characters (of ASCII and of Unicode, also those that change the
/// direction of writing) and bytes that are not valid UTF-8 are escaped as \n, \t or \x1b; all others are kept. Used
/// for all messages, as they may quote the bytes of a file.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for several lines: line ends are kept.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Three significant digits, for the numbers of messages.
[[nodiscard]] std::string rounded(double value);

}  // namespace isogon
