#pragma once
#include <functional>
#include <memory>
#include <string_view>

namespace isogon {

/// A streaming gzip compressor. The same bytes give the same compressed bytes, whatever the pieces in which they are
/// written: the gzip header contains no name and no time. Holds some 400 KB.
class GzipPacker {
public:
    using Sink = std::function<void(std::string_view)>;

    /// `sink` is called with the compressed bytes, in pieces. Throws std::bad_alloc.
    explicit GzipPacker(Sink sink);
    ~GzipPacker();
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    void write(std::string_view bytes);
    /// Writes the pending bytes and the gzip trailer (CRC-32 and length). Call it once, last; the output is incomplete
    /// without it.
    void finish();

private:
    struct Stream;
    void deflate_pending(int flush);

    std::unique_ptr<Stream> stream_;
    Sink sink_;
};

}  // namespace isogon
