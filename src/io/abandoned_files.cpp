#include "isogon/io/abandoned_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "isogon/io/atomic_file.hpp"

namespace isogon {

namespace {

namespace fs = std::filesystem;

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// One that a program has just made and is about to lock may be taken from it: AtomicFile looks, and makes another.
bool remove_if_abandoned(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        return false;
    }
    struct stat status {};
    struct stat named {};
    // The name again, once it is locked: its owner may have placed the file meanwhile, and begun another.
    const bool folder = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
    const bool abandoned = (folder || S_ISREG(status.st_mode)) &&
                           ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                           is_same(status, named);
    std::error_code error;
    const bool removed = abandoned && (folder ? fs::remove_all(path, error) > 0 && !error : ::unlink(path.c_str()) == 0);
    ::close(descriptor);
    return removed;
}

}  // namespace

std::size_t remove_abandoned(const fs::path& folder) {
    std::size_t removed = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        removed += is_temporary_name(entry->path()) && remove_if_abandoned(entry->path()) ? 1 : 0;
    }
    return removed;
}

}  // namespace isogon
