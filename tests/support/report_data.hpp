#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Reads back what a report holds, as its page does.
namespace isogon::support {

using Json = nlohmann::ordered_json;

/// The bytes of base64 text. Throws std::invalid_argument for what is none.
std::string from_base64(std::string_view text);

/// The bytes of gzip. Throws std::invalid_argument for what is none.
std::string unpacked(std::string_view gzip);

/// The stored numbers of an array of a report's document, as they are.
std::vector<double> stored_numbers(const Json& array);

/// The numbers that they stand for: offset + scale * stored, by column where those are lists.
std::vector<double> numbers(const Json& array);

}  // namespace isogon::support
