#pragma once
#include <string>

namespace isogon::cli {

/// The command as it could be typed into a shell again: "isogon embed 'my points.npy' -o small.npy".
[[nodiscard]] std::string command_line(int argc, const char* const* argv);

}  // namespace isogon::cli
