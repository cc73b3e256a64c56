#include "core/gzip_packer.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace isogon {

struct GzipPacker::Stream {
    z_stream zlib{};
    std::string packed = std::string(std::size_t{128} * 1024, '\0');
};

GzipPacker::GzipPacker(Sink sink) : stream_(std::make_unique<Stream>()), sink_(std::move(sink)) {
    constexpr int gzip_window = 15 + 16;  // the largest window, with gzip's wrapping (zlib.h, deflateInit2)
    constexpr int memory_level = 8;       // zlib's default
    if (deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
}

GzipPacker::~GzipPacker() {
    deflateEnd(&stream_->zlib);
}

void GzipPacker::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t step = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
        // zlib declares its input without const, and does not change it (zlib.h, ZLIB_CONST).
        stream_->zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_->zlib.avail_in = static_cast<uInt>(step);
        deflate_pending(Z_NO_FLUSH);
        bytes.remove_prefix(step);
    }
}

void GzipPacker::finish() {
    deflate_pending(Z_FINISH);
}

void GzipPacker::deflate_pending(int flush) {
    z_stream& zlib = stream_->zlib;
    std::string& packed = stream_->packed;
    do {
        zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
        zlib.avail_out = static_cast<uInt>(packed.size());
        deflate(&zlib, flush);
        sink_(std::string_view(packed).substr(0, packed.size() - zlib.avail_out));
    } while (zlib.avail_out == 0);
}

}  // namespace isogon
