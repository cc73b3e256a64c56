#pragma once
#include <cstddef>
#include <filesystem>

namespace isogon {

/// Removes the temporary files of AtomicFile, and folders with such a name, that killed programs have left in a folder,
/// and says how many: those that
/// no process holds locked. Where the file system cannot tell (over the net a lock needs a file
/// opened for writing, and ours is not), and what is not ours to remove, stays.
std::size_t remove_abandoned(const std::filesystem::path& folder);

}  // namespace isogon
