#include <algorithm>

#include "io/byte_stream.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::size_t utf16_buffer_bytes = std::size_t{128} * 1024;
constexpr std::size_t unit_bytes = 2;

void append_utf8(std::string& text, char32_t character) {
    const auto add = [&](char32_t lead, char32_t bits) { text += static_cast<char>(lead | bits); };
    if (character < 0x80) {
        add(0, character);
    } else if (character < 0x800) {
        add(0xC0, character >> 6);
        add(0x80, character & 0x3F);
    } else if (character < 0x10000) {
        add(0xE0, character >> 12);
        add(0x80, character >> 6 & 0x3F);
        add(0x80, character & 0x3F);
    } else {
        add(0xF0, character >> 18);
        add(0x80, character >> 12 & 0x3F);
        add(0x80, character >> 6 & 0x3F);
        add(0x80, character & 0x3F);
    }
}

}  // namespace

bool is_utf16(std::string_view first_bytes) {
    using namespace std::string_view_literals;
    // FF FE 00 00 begins UTF-32, and .fvecs of 65,279 numbers.
    return first_bytes.starts_with("\xFE\xFF") ||
           (first_bytes.starts_with("\xFF\xFE") && !first_bytes.starts_with("\xFF\xFE\0\0"sv));
}

Utf16Source::Utf16Source(InputFile& file) : file_(file), input_(utf16_buffer_bytes) {
    high_ = file.first_bytes(1) == "\xFE" ? 0 : 1;
    if (refill()) {
        begin_ += unit_bytes;
    }
}

std::size_t Utf16Source::read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size() && (!ready_.empty() || begin_ < end_ || refill())) {
        if (ready_.empty()) {
            append_utf8(ready_, next_character());
        }
        const std::size_t some = std::min(ready_.size(), buffer.size() - filled);
        ready_.copy(buffer.data() + filled, some);
        ready_.erase(0, some);
        filled += some;
    }
    return filled;
}

/// Reads whole units; false at the end.
bool Utf16Source::refill() {
    taken_ += end_;
    begin_ = end_ = 0;
    do {
        const std::size_t got = file_.read(std::span(input_).subspan(end_));
        if (got == 0 && end_ % unit_bytes != 0) {
            throw InputError(file_.name(), "byte " + std::to_string(taken_ + end_),
                             "the UTF-16 text ends within a character: the file is truncated");
        }
        end_ += got;
    } while (end_ % unit_bytes != 0);
    return end_ > 0;
}

char16_t Utf16Source::next_unit() {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(input_[begin_ + at]); };
    const auto unit = static_cast<char16_t>(byte(high_) << 8 | byte(1 - high_));
    begin_ += unit_bytes;
    return unit;
}

char32_t Utf16Source::next_character() {
    const std::uint64_t place = taken_ + begin_;
    const char16_t first = next_unit();
    if (first < 0xD800 || first > 0xDFFF) {
        return first;
    }
    const bool is_pair = first < 0xDC00 && (begin_ < end_ || refill());
    const char16_t second = is_pair ? next_unit() : char16_t{0};
    if (second < 0xDC00 || second > 0xDFFF) {
        throw InputError(file_.name(), "byte " + std::to_string(place),
                         "half a surrogate pair: this is no UTF-16 text");
    }
    return 0x10000 + ((char32_t{first} & 0x3FF) << 10 | (char32_t{second} & 0x3FF));
}

}  // namespace isogon
