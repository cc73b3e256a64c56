#pragma once
#include <string>
#include <vector>

#include "session.hpp"

namespace isogon::cli {

/// A file of a comparison: its name, empty if it is not wanted, and what is to be in it.
struct ComparisonFile {
    std::string path;
    std::string text;
};

/// Writes those that are wanted: all of them, or none, for the first may name the others. Throws OutputError.
void write_all_or_none(const std::vector<ComparisonFile>& files, Session& session);

}  // namespace isogon::cli
