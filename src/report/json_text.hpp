#pragma once
#include <string>
#include <string_view>

namespace isogon {

/// Appends a text to JSON, in quotes. What it appends is safe wherever the page may put it: '<' becomes \u003c, so that
/// no text can end the script element that holds the document, and U+2028 and U+2029, line ends to scripts, are escaped
/// too. Bytes that are not UTF-8 become U+FFFD, one for each longest beginning of a character that breaks off (Unicode,
/// chapter 3, "Substitution of Maximal Subparts").
void append_json_text(std::string& json, std::string_view text);

/// Appends a number, with as many digits as tell it from every other; null if it is not finite.
void append_json_number(std::string& json, double number);

/// The same document with every '<' (in JSON they stand within texts only), U+2028 and U+2029 escaped.
[[nodiscard]] std::string escaped_for_page(std::string_view json);

}  // namespace isogon
