// Stands in for calls about files and threads.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "plan.hpp"
#include "real.hpp"
#include "requests.hpp"

using faults::fails;
using faults::Kind;
using faults::limit;
using faults::plan;
using faults::real;

// Everything below stands in for a function of the C library, and says so by its name.
// NOLINTBEGIN: names and signatures are theirs
#pragma GCC visibility push(default)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static const auto to = real<decltype(&pthread_create)>("pthread_create");
    return fails(Kind::Thread, "pthread_create") ? plan.number : to(thread, attributes, run, argument);
}

ssize_t read(int file, void* buffer, std::size_t bytes) {
    static const auto to = real<decltype(&read)>("read");
    return limit("read", bytes) ? to(file, buffer, bytes) : -1;
}

ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
    static const auto to = real<decltype(&pread)>("pread");
    return limit("pread", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t pread64(int file, void* buffer, std::size_t bytes, off64_t offset) {
    static const auto to = real<decltype(&pread64)>("pread64");
    return limit("pread", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t write(int file, const void* buffer, std::size_t bytes) {
    static const auto to = real<decltype(&write)>("write");
    return limit(file == STDERR_FILENO ? "write stderr" : "write", bytes) ? to(file, buffer, bytes) : -1;
}

ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
    static const auto to = real<decltype(&pwrite)>("pwrite");
    return limit("pwrite", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t pwrite64(int file, const void* buffer, std::size_t bytes, off64_t offset) {
    static const auto to = real<decltype(&pwrite64)>("pwrite64");
    return limit("pwrite", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t writev(int file, const iovec* parts, int count) {
    static const auto to = real<decltype(&writev)>("writev");
    return fails(Kind::Io, file == STDERR_FILENO ? "writev stderr" : "writev") ? -1 : to(file, parts, count);
}

std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* file) {
    static const auto to = real<decltype(&fwrite)>("fwrite");
    return fails(Kind::Io, file == stderr ? "fwrite stderr" : "fwrite") ? 0 : to(buffer, size, count, file);
}

int fflush(FILE* file) {
    static const auto to = real<decltype(&fflush)>("fflush");
    return fails(Kind::Io, file == stderr ? "fflush stderr" : "fflush") ? EOF : to(file);
}

#define ISOGON_OPEN(name)                                                   \
    int name(const char* path, int flags, ...) {                            \
        static const auto to = real<int (*)(const char*, int, ...)>(#name); \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        const mode_t mode = va_arg(more, mode_t);                           \
        va_end(more);                                                       \
        return fails(Kind::Io, "open") ? -1 : to(path, flags, mode);        \
    }
ISOGON_OPEN(open)
ISOGON_OPEN(open64)

FILE* fopen(const char* path, const char* mode) {
    static const auto to = real<decltype(&fopen)>("fopen");
    return fails(Kind::Io, "fopen") ? nullptr : to(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    static const auto to = real<decltype(&fopen64)>("fopen64");
    return fails(Kind::Io, "fopen") ? nullptr : to(path, mode);
}

int close(int file) {
    static const auto to = real<decltype(&close)>("close");
    const bool failed = fails(Kind::Io, "close");
    const int error = errno;
    const int result = to(file);  // it is closed all the same, as Linux does
    errno = failed ? error : errno;
    return failed ? -1 : result;
}

// Functions that do nothing when they fail.
#define ISOGON_CALL(result, name, failure, parameters, arguments) \
    result name parameters {                                      \
        static const auto to = real<decltype(&name)>(#name);      \
        return fails(Kind::Io, #name) ? (failure) : to arguments; \
    }
ISOGON_CALL(int, fsync, -1, (int file), (file))
ISOGON_CALL(int, rename, -1, (const char* from, const char* to_name), (from, to_name))
ISOGON_CALL(int, link, -1, (const char* from, const char* to_name), (from, to_name))
ISOGON_CALL(int, unlink, -1, (const char* path), (path))
ISOGON_CALL(int, remove, -1, (const char* path), (path))
ISOGON_CALL(int, mkdir, -1, (const char* path, mode_t mode), (path, mode))
ISOGON_CALL(int, ftruncate, -1, (int file, off_t size), (file, size))
ISOGON_CALL(int, flock, -1, (int file, int operation), (file, operation))
ISOGON_CALL(int, fchmod, -1, (int file, mode_t mode), (file, mode))
ISOGON_CALL(int, stat, -1, (const char* path, struct stat* status), (path, status))
ISOGON_CALL(int, lstat, -1, (const char* path, struct stat* status), (path, status))
ISOGON_CALL(int, fstat, -1, (int file, struct stat* status), (file, status))
ISOGON_CALL(int, faccessat, -1, (int folder, const char* path, int mode, int flags), (folder, path, mode, flags))
ISOGON_CALL(int, statvfs, -1, (const char* path, struct statvfs* status), (path, status))
ISOGON_CALL(char*, realpath, nullptr, (const char* path, char* resolved), (path, resolved))
ISOGON_CALL(DIR*, opendir, nullptr, (const char* path), (path))
ISOGON_CALL(DIR*, fdopendir, nullptr, (int folder), (folder))
ISOGON_CALL(dirent*, readdir, nullptr, (DIR * folder), (folder))
ISOGON_CALL(void*, mmap, MAP_FAILED, (void* at, std::size_t bytes, int access, int flags, int file, off_t offset),
            (at, bytes, access, flags, file, offset))
ISOGON_CALL(void*, mmap64, MAP_FAILED, (void* at, std::size_t bytes, int access, int flags, int file, off64_t offset),
            (at, bytes, access, flags, file, offset))

}  // extern "C"

#pragma GCC visibility pop
// NOLINTEND
