#include "io/output_stream.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace isogon {

namespace {
constexpr std::size_t packed_bytes = std::size_t{128} * 1024;
constexpr int gzip_window = 15 + 16;  // the largest window, with gzip's wrapping (zlib.h, deflateInit2)
constexpr int memory_level = 8;       // zlib's default
}  // namespace

OutputStream::OutputStream(const std::filesystem::path& path, bool overwrite, std::uint64_t expected_bytes)
    : file_(path, overwrite, path.extension() == ".gz" ? 0 : expected_bytes), gzip_(path.extension() == ".gz") {
    if (gzip_) {
        packed_.resize(packed_bytes);
        if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) !=
            Z_OK) {
            throw std::bad_alloc();
        }
    }
}

OutputStream::~OutputStream() {
    if (gzip_) {
        deflateEnd(&stream_);
    }
}

void OutputStream::write(std::string_view bytes) {
    if (!gzip_) {
        file_.write(bytes);
        return;
    }
    while (!bytes.empty()) {
        const std::size_t step = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
        // zlib takes its input as not const, and leaves it alone (zlib.h, ZLIB_CONST).
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(step);
        deflate_pending(Z_NO_FLUSH);
        bytes.remove_prefix(step);
    }
}

void OutputStream::deflate_pending(int flush) {
    do {
        stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
        stream_.avail_out = static_cast<uInt>(packed_.size());
        deflate(&stream_, flush);
        file_.write(std::string_view(packed_).substr(0, packed_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
}

void OutputStream::commit(const BeforePlacing& before) {
    if (gzip_) {
        deflate_pending(Z_FINISH);
    }
    file_.commit(before);
}

}  // namespace isogon
