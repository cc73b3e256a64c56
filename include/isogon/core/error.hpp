#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Errors, and text for their messages and for other messages.
namespace isogon {

/// Base of everything the library throws. How a run ends is not an error: see Summary.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A caller's mistake, found before work starts. The message names the field, its value and the bound it breaks,
/// for instance: dimension = 900: must be at most 784, the dimension of the input.
class InvalidArgument : public Error {
public:
    InvalidArgument(std::string field, const std::string& value, const std::string& bound)
        : Error(field + " = " + value + ": " + bound), field_(std::move(field)) {}
    [[nodiscard]] const std::string& field() const { return field_; }

private:
    std::string field_;
};

/// Bad input data: the source (a file's name), the position (line, byte, row and column), and the reason.
class InputError : public Error {
public:
    InputError(const std::string& source, const std::string& place, const std::string& why)
        : Error(place.empty() ? source + ": " + why : source + ", " + place + ": " + why) {}
};

/// An output that cannot be written: the file and the reason.
class OutputError : public Error {
public:
    OutputError(const std::string& file, const std::string& why) : Error(file + ": " + why) {}
};

/// A run that needs more memory than allowed. Thrown before the memory is allocated.
class LimitExceeded : public Error {
public:
    LimitExceeded(const std::string& message, std::uint64_t needed_bytes, std::uint64_t limit_bytes)
        : Error(message), needed_(needed_bytes), limit_(limit_bytes) {}
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
