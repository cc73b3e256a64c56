#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/io/output.hpp"

// Models and checkpoints on disk: one safetensors file in the layout of docs/model_file.md. It is compressed if its
// name ends in .gz.
namespace isogon {

/// Called before a long run: throws OutputError if `path` could not be written when the run is over, as
/// require_writable() does, and unless its name ends in .safetensors.
void require_writable_archive(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes an archive, all or nothing, by way of AtomicFile; the same content gives the same bytes. Of the options,
/// `format` is ignored: there is only one. Throws OutputError; InvalidArgument for an array that check_array() refuses,
/// names and texts that the file cannot hold (see Archive), options that are not finite, and more than some 5,000
/// arrays. Two passes over the numbers, no copy of them.
void write_archive(const std::filesystem::path& path, const Archive& archive, const WriteOptions& options = {});

/// Reads an archive and sets `source`, `version` and `writer`. Throws InputError, which names the file, the array or
/// byte, and the reason, for anything but a complete archive of a version up to Archive::newest_version. A checksum
/// over the whole file detects damage, and sizes in the header are checked against the file before memory is allocated.
/// All arrays pass check_array(). One pass over the file; memory of the size of its numbers, which describe_archive()
/// returns beforehand.
/// Arrays named in `mapped` are checked as the others are, but stay in the file, mapped into memory, if they are
/// float32, the file is not compressed, and its layout and the machine's byte order allow it. If another process
/// shortens the file meanwhile, this one is terminated (SIGBUS).
[[nodiscard]] Archive read_archive(const std::filesystem::path& path, const std::vector<std::string>& mapped = {});

struct ArrayInfo {
    std::string name{};
    std::string scalar{};  ///< "float32", ...
    std::vector<std::uint64_t> shape{};
    bool can_be_mapped = false;  ///< by read_archive()
};

/// The content of an archive file.
struct ArchiveInfo {
    Archive archive{};                ///< without arrays, except for single numbers
    std::vector<ArrayInfo> arrays{};  ///< all of them, in the order of the file
    bool gzip = false;
    std::uint64_t file_bytes = 0;
};

/// Reads and checks a whole file as read_archive() does, but keeps no array. One pass, memory for a block of it.
[[nodiscard]] ArchiveInfo describe_archive(const std::filesystem::path& path);

/// Whether a file is a safetensors file, isogon's or not: by its name, else by its first bytes. False for a file that
/// cannot be read.
[[nodiscard]] bool is_archive_file(const std::filesystem::path& path);

}  // namespace isogon
