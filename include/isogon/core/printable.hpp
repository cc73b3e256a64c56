#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// Text that anybody may have written, as a terminal may show it: control characters (of ASCII and of Unicode, those
/// that turn the direction of writing too) and bytes that are no UTF-8 become \n, \t or \x1b, all else stays. Messages
/// are shown by this, as they may quote the bytes of a file.
[[nodiscard]] std::string printable(std::string_view text);

/// The same of several lines: their ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace isogon
