#include "isogon/core/sha256.hpp"

#include <algorithm>

#include "core/sha256_blocks.hpp"

namespace isogon {

void Sha256::add(std::span<const std::byte> bytes) {
    std::size_t held = bytes_ % block_bytes;
    bytes_ += bytes.size();
    while (!bytes.empty()) {
        if (held == 0 && bytes.size() >= block_bytes) {
            const std::size_t blocks = bytes.size() / block_bytes;
            mix_sha256_blocks(state_, bytes.data(), blocks);
            bytes = bytes.subspan(blocks * block_bytes);
            continue;
        }
        const std::size_t taken = std::min(block_bytes - held, bytes.size());
        std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        held = (held + taken) % block_bytes;
        if (held == 0) {
            mix_sha256_blocks(state_, rest_.data(), 1);
        }
    }
}

void Sha256::add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
}

void Sha256::add(std::uint64_t number) {
    std::array<std::byte, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(number >> (8 * i) & 0xffU);
    }
    add(bytes);
}

std::string Sha256::hex() const {
    Sha256 last = *this;
    const std::uint64_t bits = bytes_ * 8;
    last.add(std::array{std::byte{0x80}});
    while (last.bytes_ % block_bytes != block_bytes - 8) {
        last.add(std::array{std::byte{0}});
    }
    std::array<std::byte, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] = static_cast<std::byte>(bits >> (56 - 8 * i) & 0xffU);
    }
    last.add(length);
    std::string text;
    for (const std::uint32_t word : last.state_) {
        for (unsigned shift = 32; shift != 0; shift -= 4) {
            text += "0123456789abcdef"[word >> (shift - 4) & 0xfU];
        }
    }
    return text;
}

}  // namespace isogon
