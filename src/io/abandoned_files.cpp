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

/// An empty one may belong to a program that is about to lock it, and takes no room.
bool remove_if_abandoned(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        return false;
    }
    struct stat status {};
    const bool abandoned = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                           ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool removed = abandoned && ::unlink(path.c_str()) == 0;
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
