#include "io/gzip_source.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "isogon/core/error.hpp"

namespace isogon {

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
    const std::size_t room = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out == room) {
        if (stream_.avail_in == 0 && !refill()) {
            if (between_members_) {
                return 0;
            }
            fail("the gzip data ends early: the file is truncated");
        }
        inflate_some();
    }
    return room - stream_.avail_out;
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

}  // namespace isogon
