#pragma once
#include <string>
#include <string_view>

#include "isogon/core/gzip_packer.hpp"
#include "report/base64.hpp"

namespace isogon {

/// Bytes, packed as gzip and then as base64, appended to a string as they come: how a page holds what is large (the
/// browser unpacks it by itself, DecompressionStream). The same bytes give the same text.
class PackedText {
public:
    explicit PackedText(std::string& text)
        : base64_(text), packer_([this](std::string_view packed) { base64_.write(packed); }) {}
    PackedText(const PackedText&) = delete;  // the packer knows where base64_ lies
    PackedText& operator=(const PackedText&) = delete;

    void write(std::string_view bytes) { packer_.write(bytes); }
    /// Call it once, last.
    void finish() {
        packer_.finish();
        base64_.finish();
    }

private:
    Base64 base64_;
    GzipPacker packer_;
};

}  // namespace isogon
