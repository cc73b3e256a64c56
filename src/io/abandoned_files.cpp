#include "isogon/io/abandoned_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
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
    const bool abandoned = (folder || S_ISREG(status.st_mode)) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                           ::lstat(path.c_str(), &named) == 0 && is_same(status, named);
    std::error_code error;
    const bool removed =
        abandoned && (folder ? fs::remove_all(path, error) > 0 && !error : ::unlink(path.c_str()) == 0);
    ::close(descriptor);
    return removed;
}

}  // namespace

std::size_t remove_abandoned(const fs::path& folder) {
    // Not by std::filesystem's iterator: libstdc++'s ends the program where it finds no memory for a name.
    const std::unique_ptr<DIR, int (*)(DIR*)> listed(::opendir(folder.c_str()), &::closedir);
    std::size_t removed = 0;
    while (const dirent* entry = listed ? ::readdir(listed.get()) : nullptr) {
        const fs::path path = folder / entry->d_name;
        removed += is_temporary_name(path) && remove_if_abandoned(path) ? 1 : 0;
    }
    return removed;
}

}  // namespace isogon
