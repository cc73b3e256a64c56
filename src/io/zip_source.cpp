#include "io/zip_source.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {
constexpr std::size_t input_bytes = std::size_t{128} * 1024;
constexpr int raw_window = -15;  // the largest window, without any wrapping (zlib.h, inflateInit2)
}  // namespace

ZipSource::ZipSource(const std::filesystem::path& path, std::string name, const ZipExtent& extent)
    : file_(path), name_(std::move(name)), extent_(extent) {
    if (extent_.deflated) {
        input_.resize(input_bytes);
        if (inflateInit2(&stream_, raw_window) != Z_OK) {
            throw std::bad_alloc();
        }
    }
}

ZipSource::~ZipSource() {
    if (extent_.deflated) {
        inflateEnd(&stream_);
    }
}

std::size_t ZipSource::read(std::span<char> buffer) {
    const std::size_t got = extent_.deflated ? inflate_into(buffer) : copy(buffer);
    if (got == 0) {
        check_end();
        return 0;
    }
    checksum_ = static_cast<std::uint32_t>(::crc32_z(checksum_, reinterpret_cast<const Bytef*>(buffer.data()), got));
    given_ += got;
    if (given_ > extent_.bytes) {
        fail("the data is longer than the archive's directory says: the file is damaged");
    }
    return got;
}

std::size_t ZipSource::copy(std::span<char> buffer) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), extent_.packed - taken_);
    file_.read_at(extent_.begin + taken_, buffer.first(count));
    taken_ += count;
    return count;
}

std::size_t ZipSource::inflate_into(std::span<char> buffer) {
    const std::size_t room = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out == room && !ended_) {
        if (stream_.avail_in == 0) {
            refill();
        }
        const int result = ::inflate(&stream_, Z_NO_FLUSH);
        ended_ = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        }
        if (result == Z_BUF_ERROR) {
            fail("the packed data ends early: the file is damaged");
        }
        if (result != Z_OK && !ended_) {
            fail("the packed data is corrupt (" + std::string(stream_.msg != nullptr ? stream_.msg : "no detail") +
                 ")");
        }
    }
    return room - stream_.avail_out;
}

void ZipSource::refill() {
    // When none is left, the last bits may still be within zlib.
    const std::size_t count = std::min<std::uint64_t>(input_.size(), extent_.packed - taken_);
    file_.read_at(extent_.begin + taken_, std::span(input_).first(count));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    taken_ += count;
}

void ZipSource::check_end() const {
    if (given_ != extent_.bytes || taken_ != extent_.packed || stream_.avail_in != 0) {
        fail("the data is of another length than the archive's directory says: the file is damaged");
    }
    if (checksum_ != extent_.checksum) {
        fail("its checksum (CRC-32) is wrong: the file is damaged");
    }
}

void ZipSource::fail(const std::string& why) const {
    throw InputError(name_, "byte " + std::to_string(given_), why);
}

}  // namespace isogon
