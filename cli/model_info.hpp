#pragma once
#include <string>

#include "outcome.hpp"

namespace isogon::cli {

/// What `info` tells of a model or checkpoint. Reads the whole file, so that damage is found. Throws InputError.
[[nodiscard]] Outcome describe_model(const std::string& file);

}  // namespace isogon::cli
