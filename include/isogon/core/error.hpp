#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Errors, and text for their messages and for other messages.
namespace isogon {

/// A sentence that may name options. As a string it has the library's names of them; in() has those of a front end, as
/// --neighbors or n_neighbors. The places of the names are kept apart from the characters: whatever a user's value or
/// file name looks like, it stays as it is. Joined to a string by + it is a string; joined by braces it stays a Text.
class Text : public std::string {
public:
    Text() = default;
    Text(const char* words) : std::string(words) {}
    Text(std::string words) : std::string(std::move(words)) {}
    Text(std::initializer_list<Text> parts);
    friend Text operator+(const Text& a, const Text& b) { return {a, b}; }
    friend Text operator+(const Text& a, std::string b) { return {a, std::move(b)}; }
    friend Text operator+(std::string a, const Text& b) { return {std::move(a), b}; }
    friend Text operator+(const Text& a, const char* b) { return {a, b}; }
    friend Text operator+(const char* a, const Text& b) { return {a, b}; }

    /// An option by its name in the library, or of another verb of the program, as "convert standardize".
    [[nodiscard]] static Text option(const std::string& name);

    /// The sentence with name_of(option) for each option.
    [[nodiscard]] std::string in(const std::function<std::string(const std::string& option)>& name_of) const;

private:
    std::vector<std::pair<std::size_t, std::size_t>> options_;  ///< begin and end of each name, ascending
};

/// Base of everything the library throws. How a run ends is not an error: see Summary.
class Error : public std::runtime_error {
public:
    explicit Error(Text text) : std::runtime_error(text), text_(std::move(text)) {}
    /// What what() says, for a front end with names of its own.
    [[nodiscard]] const Text& text() const { return text_; }

private:
    Text text_;
};

/// A caller's mistake, found before work starts: the field, its value and the requirement it breaks, for instance
/// dimension = 900: must be at most 784, the dimension of the input.
class InvalidArgument : public Error {
public:
    InvalidArgument(std::string field, std::string value, Text requirement)
        : Error({field + " = " + value + ": ", requirement}),
          field_(std::move(field)),
          value_(std::move(value)),
          requirement_(std::move(requirement)) {}
    [[nodiscard]] const std::string& field() const { return field_; }
    [[nodiscard]] const std::string& value() const { return value_; }
    [[nodiscard]] const Text& requirement() const { return requirement_; }

private:
    std::string field_;
    std::string value_;
    Text requirement_;
};

/// Bad input data: the source (a file's name, or an argument's), the place (line, byte, row and column; may be empty),
/// and the reason.
class InputError : public Error {
public:
    InputError(std::string source, std::string place, Text reason)
        : Error({source + (place.empty() ? "" : ", " + place) + ": ", reason}),
          source_(std::move(source)),
          place_(std::move(place)),
          reason_(std::move(reason)) {}
    [[nodiscard]] const std::string& source() const { return source_; }
    [[nodiscard]] const std::string& place() const { return place_; }
    [[nodiscard]] const Text& reason() const { return reason_; }

private:
    std::string source_;
    std::string place_;
    Text reason_;
};

/// An output that cannot be written: the file and the reason.
class OutputError : public Error {
public:
    OutputError(const std::string& file, const std::string& why) : Error(file + ": " + why) {}
};

/// A run that needs more memory than allowed. Thrown before the memory is allocated.
class LimitExceeded : public Error {
public:
    LimitExceeded(Text message, std::uint64_t needed_bytes, std::uint64_t limit_bytes)
        : Error(std::move(message)), needed_(needed_bytes), limit_(limit_bytes) {}
    [[nodiscard]] std::uint64_t needed_bytes() const { return needed_; }
    [[nodiscard]] std::uint64_t limit_bytes() const { return limit_; }

private:
    std::uint64_t needed_;
    std::uint64_t limit_;
};

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
