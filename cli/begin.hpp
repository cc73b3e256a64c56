#pragma once

namespace isogon::cli {

/// All of the program: runs the verb that the words after the first name, and returns the exit code. Once a process.
[[nodiscard]] int begin(int argc, char** argv);

}  // namespace isogon::cli
