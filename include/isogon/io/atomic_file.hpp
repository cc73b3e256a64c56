#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace isogon {

/// Throws OutputError if `target` could not be written now, saying which it is: its folder is missing, is no folder or
/// is not writable; the target is a folder or no regular file (a device would be replaced by the rename), exists while
/// `overwrite` is false, or exists and is not ours to write. Creates nothing.
void require_writable_target(const std::filesystem::path& target, bool overwrite = false);

/// What is done with a file that is whole and has not its name yet: it is given the name that it has.
using BeforePlacing = std::function<void(const std::filesystem::path&)>;

/// A file that appears whole or not at all: what is written goes to a temporary name in the same folder (so that the
/// rename cannot cross file systems), and commit() flushes it to the disk and renames it. Destroyed without a commit,
/// after an error for instance, it removes the temporary, and a file that was there before stays as it was.
/// While it is written the temporary is locked (flock), by which remove_abandoned()
/// knows it from one that a killed program has left.
/// An existing target keeps its permissions. A symbolic link is followed, to a file that is not there yet as well, and
/// stays. One thread at a time.
class AtomicFile {
public:
    /// Opens the temporary file. Throws OutputError as require_writable_target() does, and when the file system has not
    /// `expected_bytes` free, if that many are known to come: a long run should fail before it, not after. An old file
    /// stays until the new one is whole, so its bytes are not counted as free.
    explicit AtomicFile(const std::filesystem::path& target, bool overwrite = false, std::uint64_t expected_bytes = 0);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends bytes, through a buffer of 256 KiB. Throws OutputError naming the target and the reason (disk full,
    /// over a size limit, ...), at the latest in commit(); the file is given up then: the temporary is gone, and any
    /// later write or commit throws too.
    void write(std::string_view bytes);

    /// Replaces the first bytes of what was written by as many others: a head that counts what follows. Throws
    /// OutputError as write() does, InvalidArgument if fewer bytes were written.
    void replace_first(std::string_view bytes);

    /// Puts the file in its place, for good. Throws OutputError; without `overwrite` also when the target has
    /// appeared since the opening. Call it once, last. `before`, if given, is called when all bytes are on the disk
    /// under the temporary name and before they get the target's; if it throws, the file is given up.
    void commit(const BeforePlacing& before = {});

    /// The temporary name, for messages and tests.
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

private:
    void flush();
    void close();
    void place();
    void discard();
    [[noreturn]] void fail(int error);

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::string buffer_;
    bool overwrite_;
    std::uint64_t expected_bytes_ = 0;
    std::uint64_t written_bytes_ = 0;
    int descriptor_ = -1;
};

/// Whether an AtomicFile may have given this name to a temporary file.
[[nodiscard]] bool is_temporary_name(const std::filesystem::path& path);

/// Removes the temporary files of AtomicFile, and folders with such a name, that killed programs have left in a folder,
/// and says how many: those that
/// no process holds locked. Where the file system cannot tell (over the net a lock needs a file
/// opened for writing, and ours is not), and what is not ours to remove, stays.
std::size_t remove_abandoned(const std::filesystem::path& folder);

}  // namespace isogon
