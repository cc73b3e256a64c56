#include "report/base64.hpp"

#include <algorithm>
#include <cstddef>

namespace isogon {

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}  // namespace

void Base64::append_group(std::size_t bytes) {
    const unsigned bits = unsigned{group_[0]} << 16U | unsigned{group_[1]} << 8U | unsigned{group_[2]};
    text_ += alphabet[bits >> 18U];
    text_ += alphabet[bits >> 12U & 63U];
    text_ += bytes > 1 ? alphabet[bits >> 6U & 63U] : '=';
    text_ += bytes > 2 ? alphabet[bits & 63U] : '=';
}

void Base64::write(std::string_view bytes) {
    for (const char byte : bytes) {
        group_.at(used_) = static_cast<unsigned char>(byte);
        if (++used_ == group_.size()) {
            append_group(used_);
            used_ = 0;
        }
    }
}

void Base64::finish() {
    if (used_ > 0) {
        std::fill(group_.begin() + static_cast<std::ptrdiff_t>(used_), group_.end(), static_cast<unsigned char>(0));
        append_group(used_);
    }
    used_ = 0;
}

}  // namespace isogon
