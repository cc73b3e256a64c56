#pragma once
#include <zlib.h>

#include <string>
#include <string_view>

#include "report/base64.hpp"

namespace isogon {

/// Bytes, packed as gzip and then as base64, appended to a string as they come: how a page holds what is large (the
/// browser unpacks it by itself, DecompressionStream). The same bytes give the same text: gzip's head has no name and
/// no time.
class PackedText {
public:
    explicit PackedText(std::string& text);
    ~PackedText();
    PackedText(const PackedText&) = delete;
    PackedText& operator=(const PackedText&) = delete;

    void write(std::string_view bytes);
    /// Call it once, last.
    void finish();

private:
    void deflate_pending(int flush);

    Base64 base64_;
    z_stream stream_{};
    std::string packed_;
};

}  // namespace isogon
