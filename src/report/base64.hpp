#pragma once
#include <array>
#include <string>
#include <string_view>

namespace isogon {

/// Bytes as text (RFC 4648, section 4), appended to a string as they come.
class Base64 {
public:
    explicit Base64(std::string& text) : text_(text) {}

    void write(std::string_view bytes);
    /// Appends what is left, filled up with '='. Call it once, last.
    void finish();

private:
    void append_group(std::size_t bytes);

    std::string& text_;
    std::array<unsigned char, 3> group_{};
    std::size_t used_ = 0;
};

}  // namespace isogon
