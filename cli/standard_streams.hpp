#pragma once
#include <string>
#include <string_view>

namespace isogon::cli {

/// Makes file numbers 0 to 2 exist and turns SIGPIPE and SIGXFSZ off. With stdout closed, the next file to be opened
/// would become stdout, and text would be printed into it. Call it first.
void prepare_standard_streams();

/// Prints on stdout and flushes. A reader that has gone away (isogon methods | head -1) is no failure; throws
/// OutputError for any other reason.
void print_result(const std::string& text);

/// Prints at once on stdout or on stderr, and allocates nothing. Where it cannot, nobody is left to be told.
void print_on_stdout(std::string_view text) noexcept;
void print_on_stderr(std::string_view text) noexcept;

}  // namespace isogon::cli
