#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace isogon {

/// What is wrong with the content of a safetensors file, and where ("byte 12", "array weights").
class SafetensorsFault : public std::runtime_error {
public:
    SafetensorsFault(std::string place, const std::string& why) : std::runtime_error(why), place_(std::move(place)) {}
    [[nodiscard]] const std::string& place() const { return place_; }

private:
    std::string place_;
};

/// Parses JSON that a stranger may have written. Throws SafetensorsFault, at "byte " + position in the text + `offset`,
/// for what is not JSON in UTF-8, for a key that comes twice in an object (parsers disagree on which of them counts),
/// and for more than `most_levels` of nesting (so that nothing recurses deep).
[[nodiscard]] nlohmann::json parse_strict_json(std::string_view text, int most_levels, std::size_t offset = 0);

/// A stranger's text within a message: in quotes, at most 40 bytes of it, what is not printable ASCII as '?'.
[[nodiscard]] std::string shown_text(std::string_view text);

}  // namespace isogon
