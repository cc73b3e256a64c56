#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// Text as it may stand in SVG, between tags and in quotes: & < > " ' escaped; what XML cannot hold (control
/// characters, bytes that are not UTF-8, U+FFFE and U+FFFF) becomes U+FFFD. Tabs and line ends become blanks.
[[nodiscard]] std::string svg_escaped(std::string_view text);

/// A number as a label: up to four digits, "0.95", "1e+05". Never "-0".
[[nodiscard]] std::string short_number(double value);

/// A place on the drawing, to a tenth: "12.5".
[[nodiscard]] std::string place(double value);

}  // namespace isogon
