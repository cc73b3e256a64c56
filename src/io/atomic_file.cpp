#include "io/atomic_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

namespace {

namespace fs = std::filesystem;

constexpr const char* temporary_begin = ".isogon-";
constexpr const char* temporary_end = ".tmp";
constexpr std::size_t write_buffer_bytes = std::size_t{256} * 1024;
// Names in use by files of killed processes are skipped; more than this many in one folder indicate another fault.
constexpr int most_names = 10000;

fs::path folder_of(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

std::string reason(int error) {
    switch (error) {
        case ENOSPC: return "the disk is full; free some space or write elsewhere";
        case EDQUOT: return "your disk quota is used up; free some space or write elsewhere";
        case EFBIG: return "the file grows over the size limit of this process or file system";
        case EROFS: return "the file system is read-only; write elsewhere";
        case EEXIST: return "already exists; allow overwriting or choose another name";
        default: return "cannot be written: " + std::generic_category().message(error);
    }
}

[[noreturn]] void refuse(const fs::path& target, const std::string& why) {
    throw OutputError(target.string(), why);
}

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
};

bool may(const fs::path& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

void require_folder(const fs::path& target) {
    const fs::path folder = folder_of(target);
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) {
        refuse(target, "its folder " + folder.string() + " does not exist; create it first");
    }
    if (status.type() != fs::file_type::none && status.type() != fs::file_type::directory) {
        refuse(target, folder.string() + " is not a folder");
    }
    if (!may(folder, W_OK | X_OK)) {
        refuse(target, errno == EROFS
                           ? reason(EROFS)
                           : "no permission to write in its folder " + folder.string() + "; write elsewhere");
    }
}

void require_free_name(const fs::path& target, bool overwrite) {
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (status.type() == fs::file_type::not_found) {
        return;
    }
    if (status.type() == fs::file_type::directory) {
        refuse(target, "is a folder; give the name of a file");
    }
    if (status.type() != fs::file_type::regular) {
        refuse(target, status.type() == fs::file_type::none ? reason(error.value())
                                                            : "is not a regular file; give the name of a file");
    }
    if (!overwrite) {
        refuse(target, reason(EEXIST));
    }
    if (!may(target, W_OK)) {
        refuse(target, "no permission to overwrite it; choose another name");
    }
}

/// True also if the file system does not report its free space.
void require_space(const fs::path& target, std::uint64_t bytes) {
    std::error_code error;
    const fs::space_info space = fs::space(folder_of(target), error);
    if (!error && space.available < bytes) {
        refuse(target, "needs " + human_bytes(bytes) + ", but only " + human_bytes(space.available) +
                           " are free there; free some space or write elsewhere");
    }
}

/// 0, or the error that ended it.
int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return 0;
}

/// Locks a file that was just created. False if remove_abandoned() has removed it in the meantime.
bool lock(int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return false;
    }
    struct stat status {};
    return ::fstat(descriptor, &status) != 0 ||
           status.st_nlink > 0;  // a file system without locks: no other process removes
}

void copy_permissions(const fs::path& from, int descriptor) {
    struct stat status {};
    if (::stat(from.c_str(), &status) == 0) {
        // An error here is ignored: the result matters more than its permissions.
        [[maybe_unused]] const int done = ::fchmod(descriptor, status.st_mode & 07777U);
    }
}

/// fsync() and close() may be interrupted. fsync() is then repeated; close() has closed the file all the same.
int sync(int descriptor) {
    int result = -1;
    do {
        result = ::fsync(descriptor);
    } while (result != 0 && errno == EINTR);
    return result;
}

/// Makes the rename durable (fsync of the folder). Errors are ignored: not every file system supports it, and the file
/// is complete either way.
void sync_folder(const fs::path& folder) {
    const Descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened.number >= 0) {
        sync(opened.number);
    }
}

}  // namespace

bool is_temporary_name(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with(temporary_begin) && name.ends_with(temporary_end);
}

// Links are resolved so that the rename does not replace them. Cycles are reported by the checks.
std::filesystem::path final_target(const std::filesystem::path& target) {
    constexpr int most_links = 40;  // Linux's own bound
    fs::path real = target;
    std::error_code error;
    const auto give_up = [&] {
        if (error == std::errc::not_enough_memory) {
            throw std::bad_alloc();
        }
        refuse(target, reason(error.value()));
    };
    for (int i = 0; i < most_links; ++i) {
        const fs::file_status status = fs::symlink_status(real, error);
        // Without this the rename would replace the link by the file.
        if (status.type() == fs::file_type::none && error == std::errc::permission_denied) {
            return target;  // the checks report the error with a better message
        }
        if (status.type() == fs::file_type::none) {
            give_up();
        }
        if (!fs::is_symlink(status)) {
            return real;
        }
        const fs::path next = fs::read_symlink(real, error);
        if (error) {
            give_up();
        }
        real = next.is_absolute() ? next : folder_of(real) / next;
    }
    return target;
}

void require_writable_target(const fs::path& target, bool overwrite) {
    if (target == standard_stream) {
        return;
    }
    if (target.empty() || !target.has_filename()) {
        refuse(target, "is not the name of a file");
    }
    require_folder(final_target(target));
    require_free_name(target, overwrite);
}

AtomicFile::AtomicFile(const fs::path& target, bool overwrite, std::uint64_t expected_bytes)
    : overwrite_(overwrite), expected_bytes_(expected_bytes), is_stream_(target == standard_stream) {
    require_writable_target(target, overwrite);
    target_ = is_stream_ ? fs::temp_directory_path() / standard_stream : final_target(target);
    require_space(target_, expected_bytes);
    buffer_.reserve(write_buffer_bytes);
    // Not the target's name with an ending: that could be longer than a name may be. Permissions follow the umask,
    // which mkstemp() would not do.
    const std::string stem = temporary_begin + std::to_string(::getpid()) + "-";
    for (int i = 0; descriptor_ < 0; ++i) {
        fs::path name = folder_of(target_) / (stem + std::to_string(i) + temporary_end);
        descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && (errno != EEXIST || i == most_names) && errno != EINTR) {
            fail(errno == EEXIST ? EBUSY : errno);
        }
        if (descriptor_ >= 0 && !lock(descriptor_)) {
            ::close(descriptor_);
            descriptor_ = -1;
        }
        temporary_ = std::move(name);
    }
    if (!is_stream_) {
        copy_permissions(target_, descriptor_);
    }
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::discard() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        descriptor_ = -1;
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
        temporary_.clear();
    }
}

void AtomicFile::write(std::string_view bytes) {
    written_bytes_ += bytes.size();
    if (buffer_.size() + bytes.size() > write_buffer_bytes) {
        flush();
    }
    if (bytes.size() < write_buffer_bytes) {
        buffer_.append(bytes);
        return;
    }
    if (const int error = write_all(descriptor_, bytes); error != 0) {
        fail(error);
    }
}

void AtomicFile::replace_first(std::string_view bytes) {
    if (bytes.size() > written_bytes_) {
        throw InvalidArgument("bytes", std::to_string(bytes.size()),
                              "only " + std::to_string(written_bytes_) + " were written that could be replaced");
    }
    flush();
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t step = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (step < 0 && errno != EINTR) {
            fail(errno);
        }
        done += step > 0 ? static_cast<std::size_t>(step) : 0;
    }
}

void AtomicFile::flush() {
    if (const int error = write_all(descriptor_, buffer_); error != 0) {
        fail(error);
    }
    buffer_.clear();
}

void AtomicFile::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    // Network file systems report a full disk only here.
    if (::close(descriptor) != 0 && errno != EINTR) {
        fail(errno);
    }
}

void AtomicFile::place() {
    if (overwrite_) {
        if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
            fail(errno);
        }
        return;
    }
    // rename() would replace a file that appeared meanwhile; link() cannot.
    if (::link(temporary_.c_str(), target_.c_str()) == 0) {
        ::unlink(temporary_.c_str());
        return;
    }
    if (errno == EEXIST) {
        fail(errno);
    }
    // A file system without hard links: no better check than the one just before exists.
    require_free_name(target_, false);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
        fail(errno);
    }
}

void AtomicFile::copy_to_stream() {
    std::string block(write_buffer_bytes, '\0');
    for (off_t at = 0;;) {
        const ssize_t got = ::pread(descriptor_, block.data(), block.size(), at);
        if (got == 0) {
            return discard();
        }
        if (got < 0 && errno != EINTR) {
            fail(errno);
        }
        const std::size_t some = got > 0 ? static_cast<std::size_t>(got) : 0;
        if (const int error = write_all(STDOUT_FILENO, std::string_view(block).substr(0, some)); error != 0) {
            fail(error);
        }
        at += static_cast<off_t>(some);
    }
}

void AtomicFile::commit(const BeforePlacing& before) {
    flush();
    if (is_stream_) {
        return copy_to_stream();
    }
    if (sync(descriptor_) != 0 && errno != EINVAL) {  // EINVAL: this file system has nothing to flush
        fail(errno);
    }
    if (before) {
        before(temporary_);
    }
    const fs::path folder = folder_of(target_);  // allocated here: nothing may throw after the rename
    // Keeps the lock between close and rename; the temporary file would look abandoned without it.
    const Descriptor lock_keeper{::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0)};
    close();
    place();
    temporary_.clear();
    sync_folder(folder);
}

void AtomicFile::fail(int error) {
    discard();
    const std::string need = expected_bytes_ > 0 ? " (" + human_bytes(expected_bytes_) + " are needed in all)" : "";
    throw OutputError(is_stream_ ? standard_stream : target_.string(), reason(error) + need);
}

namespace {

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// This may remove a file that another program has just created and not locked yet: AtomicFile detects that and creates
/// another one.
bool remove_if_abandoned(const fs::path& path) {
    const Descriptor opened{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (opened.number < 0) {
        return false;
    }
    struct stat status {};
    struct stat named {};
    // Checks the name again once it is locked: its owner may have renamed the file meanwhile, and created another.
    const bool folder = ::fstat(opened.number, &status) == 0 && S_ISDIR(status.st_mode);
    const bool abandoned = (folder || S_ISREG(status.st_mode)) && ::flock(opened.number, LOCK_EX | LOCK_NB) == 0 &&
                           ::lstat(path.c_str(), &named) == 0 && is_same(status, named);
    std::error_code error;
    return abandoned && (folder ? fs::remove_all(path, error) > 0 && !error : ::unlink(path.c_str()) == 0);
}

}  // namespace

std::size_t remove_abandoned(const fs::path& folder) {
    // Not std::filesystem's iterator: that of libstdc++ terminates the program if the memory for a name is missing.
    const std::unique_ptr<DIR, int (*)(DIR*)> listed(::opendir(folder.c_str()), &::closedir);
    std::size_t removed = 0;
    while (const dirent* entry = listed ? ::readdir(listed.get()) : nullptr) {
        const fs::path path = folder / entry->d_name;
        removed += is_temporary_name(path) && remove_if_abandoned(path) ? 1 : 0;
    }
    return removed;
}

}  // namespace isogon
