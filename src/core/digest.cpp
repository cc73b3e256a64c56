#include "isogon/core/digest.hpp"

#include <algorithm>
#include <bit>

namespace isogon {

namespace {

// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(const std::byte* bytes) {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return word;
}

/// Section 6.2.2, step 1.
std::array<std::uint32_t, 64> schedule(const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
        w[t] = word_at(block + 4 * t);
    }
    for (std::size_t t = 16; t < w.size(); ++t) {
        const std::uint32_t before = w[t - 15];
        const std::uint32_t last = w[t - 2];
        const std::uint32_t first_sigma = std::rotr(before, 7) ^ std::rotr(before, 18) ^ before >> 3U;
        const std::uint32_t second_sigma = std::rotr(last, 17) ^ std::rotr(last, 19) ^ last >> 10U;
        w[t] = w[t - 16] + first_sigma + w[t - 7] + second_sigma;
    }
    return w;
}

}  // namespace

/// Section 6.2.2, steps 2 to 4.
void Digest::mix(const std::byte* block) {
    const auto w = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < w.size(); ++t) {
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t first =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + round_constants[t] + w[t];
        const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
    std::transform(state_.begin(), state_.end(), mixed.begin(), state_.begin(),
                   [](std::uint32_t one, std::uint32_t other) { return one + other; });
}

void Digest::add(std::span<const std::byte> bytes) {
    std::size_t held = bytes_ % block_bytes;
    bytes_ += bytes.size();
    while (!bytes.empty()) {
        if (held == 0 && bytes.size() >= block_bytes) {
            mix(bytes.data());
            bytes = bytes.subspan(block_bytes);
            continue;
        }
        const std::size_t taken = std::min(block_bytes - held, bytes.size());
        std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        held = (held + taken) % block_bytes;
        if (held == 0) {
            mix(rest_.data());
        }
    }
}

void Digest::add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
}

void Digest::add(std::uint64_t number) {
    std::array<std::byte, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(number >> (8 * i) & 0xffU);
    }
    add(bytes);
}

std::string Digest::hex() const {
    Digest last = *this;
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
