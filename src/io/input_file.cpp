#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Owns a descriptor until the constructor that opened it is through.
struct Closer {
    int descriptor;
    bool armed = true;
    ~Closer() {
        if (armed) {
            ::close(descriptor);
        }
    }
};

const char* kind_trouble(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) {
        return "is a folder; give the name of a file";
    }
    if (!S_ISREG(status.st_mode)) {
        return "is not a regular file; save what it yields to a file first";
    }
    return status.st_size == 0 ? "is empty" : nullptr;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
    do {
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) {
        fail(errno);
    }
    Closer closer{descriptor_};
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) {
        fail(errno);
    }
    if (const char* trouble = kind_trouble(status)) {
        throw InputError(name_, "", trouble);
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    closer.armed = false;
}

InputFile::~InputFile() {
    ::close(descriptor_);
}

std::string InputFile::first_bytes(std::size_t count) const {
    std::string bytes(std::min<std::uint64_t>(count, size_), '\0');
    read_at(0, bytes);
    return bytes;
}

std::size_t InputFile::read(std::span<char> buffer) {
    while (true) {
        const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            fail(errno);
        }
    }
}

void InputFile::read_at(std::uint64_t offset, std::span<char> out) const {
    while (!out.empty()) {
        const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
        if (got < 0 && errno != EINTR) {
            fail(errno);
        }
        if (got == 0) {
            throw InputError(name_, "byte " + std::to_string(offset), "the file ends: it was shortened while in use");
        }
        const auto step = static_cast<std::size_t>(got > 0 ? got : 0);
        out = out.subspan(step);
        offset += step;
    }
}

std::shared_ptr<const char> InputFile::map() const {
    void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (memory == MAP_FAILED) {
        fail(errno);
    }
    const std::size_t size = size_;
    return {static_cast<const char*>(memory), [memory, size](const char*) { ::munmap(memory, size); }};
}

void InputFile::fail(int error) const {
    switch (error) {
        case ENOENT: throw InputError(name_, "", "does not exist");
        case EACCES: throw InputError(name_, "", "no permission to read it");
        case ENOMEM: throw std::bad_alloc();
        default: throw InputError(name_, "", "cannot be read: " + std::generic_category().message(error));
    }
}

}  // namespace isogon
