#include "io/byte_stream.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

namespace {

constexpr std::size_t step_bytes = std::size_t{16} * 1024 * 1024;

const char* kind_trouble(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) {
        return "is a folder; give the name of a file";
    }
    if (!S_ISREG(status.st_mode)) {
        return "is not a regular file; save what it yields to a file first";
    }
    return status.st_size == 0 ? "is empty" : nullptr;
}

[[noreturn]] void fail_to_copy(int error) {
    throw InputError(standard_stream, "",
                     "cannot be copied to a temporary file: " + std::generic_category().message(error));
}

/// Copies standard input into a file without a name.
int copied_input() {
    if (::isatty(STDIN_FILENO) != 0) {
        throw InputError(standard_stream, "", "is standard input, which is a terminal: pipe a file into it");
    }
    std::string name = (std::filesystem::temp_directory_path() / "isogon-XXXXXX").string();
    const int copy = ::mkostemp(name.data(), O_CLOEXEC);
    if (copy < 0) {
        fail_to_copy(errno);
    }
    ::unlink(name.c_str());
    std::vector<char> block(step_bytes);
    for (ssize_t got = -1; got != 0;) {
        got = ::read(STDIN_FILENO, block.data(), block.size());
        for (ssize_t done = 0; done < got;) {
            const ssize_t some = ::write(copy, block.data() + done, static_cast<std::size_t>(got - done));
            if (some < 0 && errno != EINTR) {
                fail_to_copy(errno);
            }
            done += some > 0 ? some : 0;
        }
        if (got < 0 && errno != EINTR) {
            fail_to_copy(errno);
        }
    }
    return copy;
}

/// The name under which the file is opened, each time at its beginning.
std::string name_to_open(const std::filesystem::path& path) {
    if (path != standard_stream) {
        return path.string();
    }
    static const int copy = copied_input();
    return "/proc/self/fd/" + std::to_string(copy);
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : InputFile(path.string(), 0) {
    const std::string name = name_to_open(path);
    // O_NONBLOCK: opening a pipe without a writer would block for ever.
    do {
        descriptor_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) {
        fail(errno);
    }
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) {
        fail(errno);
    }
    if (const char* trouble = kind_trouble(status)) {
        throw InputError(name_, "", trouble);
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
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

namespace {
constexpr std::size_t input_bytes = std::size_t{128} * 1024;
constexpr int gzip_window = 15 + 16;  // the largest window, and gzip's wrapping only (zlib.h, inflateInit2)
}  // namespace

bool is_gzip(std::string_view first_bytes) {
    return first_bytes.substr(0, 3) == "\x1f\x8b\x08";
}

GzipSource::GzipSource(InputFile& file) : file_(file), input_(input_bytes) {
    if (inflateInit2(&stream_, gzip_window) != Z_OK) {
        throw std::bad_alloc();
    }
}

GzipSource::~GzipSource() {
    inflateEnd(&stream_);
}

std::size_t GzipSource::read(std::span<char> buffer) {
    const std::size_t capacity = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity) {
        if (stream_.avail_in == 0 && !refill()) {
            if (between_members_) {
                return 0;
            }
            fail("the gzip data ends early: the file is truncated");
        }
        inflate_some();
    }
    return capacity - stream_.avail_out;
}

bool GzipSource::refill() {
    const std::size_t got = file_.read(input_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    taken_ += got;
    return got > 0;
}

void GzipSource::inflate_some() {
    if (between_members_) {
        inflateReset(&stream_);
        between_members_ = false;
    }
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
        between_members_ = true;
        ++members_;
    } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
    } else if (result != Z_OK) {
        const bool nothing_out = stream_.total_out == 0;
        fail(members_ > 0 && nothing_out
                 ? "the gzip data is followed by something else: the file is damaged or two files were joined"
                 : "the gzip data is corrupt (" + std::string(stream_.msg != nullptr ? stream_.msg : "no detail") +
                       ")");
    }
}

void GzipSource::fail(const std::string& why) const {
    throw InputError(file_.name(), "byte " + std::to_string(taken_ - stream_.avail_in), why);
}

namespace {
constexpr std::size_t read_buffer_bytes = std::size_t{256} * 1024;
// Deflate cannot shrink by more than 1032:1 (zlib's technical notes).
constexpr std::uint64_t deflate_ratio = 1032;
}  // namespace

std::uint64_t most_inflated_bytes(std::uint64_t packed) {
    constexpr auto limit = std::numeric_limits<std::uint64_t>::max();
    return packed > limit / deflate_ratio ? limit : packed * deflate_ratio;
}

ByteStream::ByteStream(const std::filesystem::path& path)
    : file_(path), name_(file_.name()), bytes_(&file_), most_bytes_(file_.size()), buffer_(read_buffer_bytes) {
    if (is_gzip(file_.first_bytes(3))) {
        gzip_ = true;
        unpacked_ = std::make_unique<GzipSource>(file_);
        bytes_ = unpacked_.get();
        most_bytes_ = most_inflated_bytes(file_.size());
        if (at_end()) {
            fail("", "is empty once unpacked");
        }
    } else if (is_utf16(file_.first_bytes(4))) {
        unpacked_ = std::make_unique<Utf16Source>(file_);
        bytes_ = unpacked_.get();
        most_bytes_ = file_.size() / 2 * 3;
    } else if (path.extension() == ".gz") {
        fail("", "is named .gz but is not in gzip format; remove the ending or compress it");
    }
}

ByteStream::ByteStream(const std::filesystem::path& path, std::string name, std::unique_ptr<ByteSource> part,
                       std::uint64_t most_bytes)
    : file_(path),
      name_(std::move(name)),
      unpacked_(std::move(part)),
      bytes_(unpacked_.get()),
      most_bytes_(most_bytes),
      buffer_(std::clamp<std::uint64_t>(most_bytes, 1, read_buffer_bytes)) {}

void ByteStream::compact(std::size_t wanted) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < wanted) {
        const std::size_t larger = std::max(wanted, 2 * buffer_.size());
        require_memory(buffer_.size() + larger);
        buffer_.resize(larger);
    }
}

std::string_view ByteStream::peek(std::size_t wanted) {
    if (end_ - begin_ < wanted && !ended_) {
        compact(wanted);
        while (end_ < wanted && !ended_) {
            const std::size_t got = bytes_->read(std::span(buffer_).subspan(end_));
            ended_ = got == 0;
            end_ += got;
        }
    }
    return {buffer_.data() + begin_, end_ - begin_};
}

void ByteStream::skip(std::size_t count) {
    begin_ += count;
    position_ += count;
}

void ByteStream::read(std::span<char> out, std::string_view what) {
    const std::size_t buffered = std::min(out.size(), end_ - begin_);
    std::copy_n(buffer_.data() + begin_, buffered, out.data());  // none of either may be there: not for memcpy
    skip(buffered);
    out = out.subspan(buffered);
    while (!out.empty()) {
        const std::size_t got = bytes_->read(out);
        if (got == 0) {
            ended_ = true;
            fail("byte " + std::to_string(position_),
                 "the file ends within " + std::string(what) + ": it is truncated");
        }
        position_ += got;
        out = out.subspan(got);
    }
}

void ByteStream::read(std::vector<char>& out, std::uint64_t count, std::string_view what) {
    out.resize(std::min<std::uint64_t>(count, step_bytes));
    read(std::span(out), what);
    while (out.size() < count) {
        const std::size_t before = out.size();
        out.resize(std::min<std::uint64_t>(count, 2 * before));
        read(std::span(out).subspan(before), what);
    }
}

void ByteStream::require_end() {
    if (!at_end()) {
        fail("byte " + std::to_string(position_),
             "more bytes follow where the data should end: the file is damaged, "
             "or holds more than one set");
    }
}

std::uint64_t ByteStream::most_bytes_left() const {
    return most_bytes_ > position_ ? most_bytes_ - position_ : 0;
}

void ByteStream::require_memory(std::uint64_t held) const {
    if (most_held_ && held > *most_held_) {
        throw LimitExceeded(source() + ": reading it needs more than " + human_bytes(*most_held_) +
                                " of memory, which is the limit; raise the limit, or convert the file to .npy, which "
                                "is read from the disk as it is needed",
                            held, *most_held_);
    }
}

void ByteStream::require_bytes(std::uint64_t needed, const std::string& what) const {
    const std::uint64_t left = most_bytes_left();
    if (needed > left) {
        fail("byte " + std::to_string(position_), what + " needs " + std::to_string(needed) +
                                                      " bytes more, but the file " +
                                                      (gzip() ? "cannot unpack to more than " : "has only ") +
                                                      std::to_string(left) + ": it is truncated or damaged");
    }
}

void ByteStream::fail(const std::string& place, const Text& why) const {
    throw InputError(source(), place, why);
}

OutputStream::OutputStream(const std::filesystem::path& path, bool overwrite, std::uint64_t expected_bytes)
    : file_(path, overwrite, path.extension() == ".gz" ? 0 : expected_bytes) {
    if (path.extension() == ".gz") {
        packer_.emplace([this](std::string_view packed) { file_.write(packed); });
    }
}

void OutputStream::write(std::string_view bytes) {
    if (packer_) {
        packer_->write(bytes);
    } else {
        file_.write(bytes);
    }
}

void OutputStream::commit() {
    if (packer_) {
        packer_->finish();
    }
    file_.commit();
}

}  // namespace isogon
