#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace isogon {

/// Standard input where a file is read, and standard output where one is written.
inline constexpr const char* standard_stream = "-";

/// Throws OutputError if `target` could not be written now, saying which it is: its folder is missing, is no folder or
/// is not writable; the target is a folder or no regular file (a device would be replaced by the rename), exists while
/// `overwrite` is false, or exists without permission to write it. Creates nothing.
void require_writable_target(const std::filesystem::path& target, bool overwrite = false);

/// The file that a write to `target` makes or replaces: symbolic links are followed, also to a file that does not exist
/// yet. Throws OutputError where the way to it cannot be looked at.
[[nodiscard]] std::filesystem::path final_target(const std::filesystem::path& target);

/// A callback for a file that is complete, but not yet renamed; its argument is the temporary name.
using BeforePlacing = std::function<void(const std::filesystem::path&)>;

/// A file that appears complete or not at all: bytes are written to a temporary file in the same folder (so that the
/// rename cannot cross file systems), and commit() flushes it to the disk and renames it. The destructor without a
/// commit, after an error for instance, removes the temporary file; an existing target is then unchanged. While it is
/// written the temporary file is locked (flock), so that remove_abandoned() can distinguish it from the file of a
/// killed program. An existing target keeps its permissions. A symbolic link is followed, also to a file that does not
/// exist yet, and is kept. Standard output gets the whole file in commit(). One thread at a time.
class AtomicFile {
public:
    /// Opens the temporary file. Throws OutputError as require_writable_target() does, and when the file system has not
    /// `expected_bytes` free, if that many are known to come: a long run should fail at its start. An old file remains
    /// until the new one is complete, so its bytes do not count as free.
    explicit AtomicFile(const std::filesystem::path& target, bool overwrite = false, std::uint64_t expected_bytes = 0);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends bytes, through a buffer of 256 KiB. Throws OutputError naming the target and the reason (disk full, over
    /// a size limit, ...), at the latest in commit(); the temporary file is then removed, and later calls of write()
    /// and commit() throw as well.
    void write(std::string_view bytes);

    /// Replaces the first bytes of what was written by as many others, for a header whose counts are known only at the
    /// end. Throws OutputError as write() does, InvalidArgument if fewer bytes were written.
    void replace_first(std::string_view bytes);

    /// Flushes the file and renames it to the target. Throws OutputError; without `overwrite` also if the target has
    /// been created since the constructor. Call it once, last. `before`, if given, is called after the flush and before
    /// the rename; if it throws, the file is abandoned.
    void commit(const BeforePlacing& before = {});

    /// The temporary name, for messages and tests.
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

private:
    void flush();
    void close();
    void place();
    void copy_to_stream();
    void discard();
    [[noreturn]] void fail(int error);

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::string buffer_;
    bool overwrite_;
    std::uint64_t expected_bytes_ = 0;
    std::uint64_t written_bytes_ = 0;
    int descriptor_ = -1;
    bool is_stream_;
};

/// Whether an AtomicFile may have given this name to a temporary file.
[[nodiscard]] bool is_temporary_name(const std::filesystem::path& path);

/// Removes the temporary files of AtomicFile, and folders with such a name, of killed programs from a folder: those
/// that no process has locked. Returns their number. Keeps files on file systems where locks cannot be tested (a lock
/// over the network needs a file opened for writing, which this one is not), and files that may not be removed.
std::size_t remove_abandoned(const std::filesystem::path& folder);

}  // namespace isogon
