#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Called before a long run: throws OutputError if such a file could not be written, as require_writable() does, and
/// unless its name ends in .npz.
void require_writable_npz(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes arrays by name as numpy.savez does, for numpy.load: a zip archive of uncompressed .npy files in the order
/// given. The same content gives the same bytes: the time of every member is the earliest of the zip format, 1980. All
/// or nothing. Throws OutputError, also for an array or a file of 4 GB or more; InvalidArgument as check_array() does,
/// and for a name that occurs twice. Two passes over the numbers, no copy of them.
void write_npz(const std::filesystem::path& path, const std::vector<std::pair<std::string, Array>>& arrays,
               const WriteOptions& options = {});

}  // namespace isogon
