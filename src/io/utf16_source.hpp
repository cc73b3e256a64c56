#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"

namespace isogon {

/// Whether a file begins with the byte order mark of UTF-16, as Excel's "Unicode text" and PowerShell's output do.
[[nodiscard]] bool is_utf16(std::string_view first_bytes);

/// The text of such a file as UTF-8, without the mark. read() throws InputError for half a surrogate pair or character.
class Utf16Source final : public ByteSource {
public:
    /// `file` must outlive this, be at its beginning, and not be read elsewhere.
    explicit Utf16Source(InputFile& file);
    std::size_t read(std::span<char> buffer) override;

private:
    bool refill();
    char32_t next_character();
    [[nodiscard]] char16_t next_unit();

    InputFile& file_;
    std::vector<char> input_;
    std::size_t begin_ = 0;  ///< of the bytes of input_ that are still to come
    std::size_t end_ = 0;
    std::uint64_t taken_ = 0;  ///< bytes of the file before those
    std::size_t high_ = 1;     ///< place of the high byte in a unit
    std::string ready_;        ///< UTF-8 of the last character that did not fit
};

}  // namespace isogon
