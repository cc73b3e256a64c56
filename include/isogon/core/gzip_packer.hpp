#pragma once
#include <functional>
#include <memory>
#include <string_view>

namespace isogon {

/// Bytes packed as gzip, handed on as they come. The same bytes give the same packed bytes, whatever the pieces that
/// they came in: gzip's head has no name and no time. Holds some 400 KB.
class GzipPacker {
public:
    using Sink = std::function<void(std::string_view)>;

    /// `sink` gets what is packed, in pieces. Throws std::bad_alloc.
    explicit GzipPacker(Sink sink);
    ~GzipPacker();
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    void write(std::string_view bytes);
    /// The rest, with gzip's sum of checks. Call it once, last; without it the sink has no whole file.
    void finish();

private:
    struct Stream;
    void deflate_pending(int flush);

    std::unique_ptr<Stream> stream_;
    Sink sink_;
};

}  // namespace isogon
