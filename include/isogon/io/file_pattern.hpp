#pragma once
#include <string>
#include <vector>

namespace isogon {

/// The files that a pattern of the shell means: "in/part-*.npy", with * (any text), ? (any character) and [a-z] in any
/// part of the path; a leading dot is matched by a dot only. Sorted by their bytes, whatever the language of the
/// machine, so that every machine has the same order. A name without such characters, and one that is a file as it
/// stands, is given back as it is, whether it exists or not. Throws InputError for a pattern that no file matches, and
/// for a folder on the way that cannot be read.
[[nodiscard]] std::vector<std::string> expand_pattern(const std::string& pattern);

}  // namespace isogon
