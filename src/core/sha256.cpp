#include "core/sha256.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

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

/// Section 6.2.2, steps 2 to 4.
void mix_block(Sha256State& state, const std::byte* block) {
    const auto w = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
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
    const Sha256State mixed{a, b, c, d, e, f, g, h};
    std::transform(state.begin(), state.end(), mixed.begin(), state.begin(),
                   [](std::uint32_t one, std::uint32_t other) { return one + other; });
}

#if defined(__x86_64__)

bool has_instructions() {
    constexpr unsigned sha = 1U << 29U;                      // leaf 7, ebx
    constexpr unsigned shuffles = (1U << 9U) | (1U << 19U);  // leaf 1, ecx: SSSE3 and SSE4.1
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & shuffles) != shuffles) {
        return false;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

/// Steps t to t + 3 of 6.2.2.3. The instruction computes two steps from the state in the form (a, b, e, f) and (c, d,
/// g, h), and returns the new (a, b, e, f); the old one is the new (c, d, g, h).
[[gnu::target("sha,sse4.1")]] inline void four_steps(__m128i& abef, __m128i& cdgh, __m128i w,
                                                     const std::uint32_t* constants) {
    const __m128i sum = _mm_add_epi32(w, _mm_loadu_si128(reinterpret_cast<const __m128i*>(constants)));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
}

/// W(t + 16) to W(t + 19) from the sixteen before (6.2.2.1), of which w0 begins with W(t).
[[gnu::target("sha,sse4.1")]] inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
    const __m128i without_second_sigma =
        _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, sizeof(std::uint32_t)));
    return _mm_sha256msg2_epu32(without_second_sigma, w3);
}

[[gnu::target("sha,sse4.1")]] inline __m128i words_at(const std::byte* bytes) {
    const __m128i highest_first = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)), highest_first);
}

[[gnu::target("sha,sse4.1")]] inline __m128i four_of(const Sha256State& state, int first, int second, int third,
                                                     int fourth) {
    const auto word = [&](int i) { return static_cast<int>(state[static_cast<std::size_t>(i)]); };
    return _mm_set_epi32(word(first), word(second), word(third), word(fourth));
}

[[gnu::target("sha,sse4.1")]] void mix_by_instructions(Sha256State& state, const std::byte* blocks, std::size_t count) {
    __m128i abef = four_of(state, 0, 1, 4, 5);
    __m128i cdgh = four_of(state, 2, 3, 6, 7);
    for (; count > 0; --count, blocks += sha256_block_bytes) {
        const __m128i abef_before = abef;
        const __m128i cdgh_before = cdgh;
        __m128i w0 = words_at(blocks);
        __m128i w1 = words_at(blocks + 16);
        __m128i w2 = words_at(blocks + 32);
        __m128i w3 = words_at(blocks + 48);
        // The words of the last sixteen steps are not used: computing them is simpler and hardly slower.
        for (const std::uint32_t* constants = round_constants.data(); constants != round_constants.data() + 64;
             constants += 16) {
            four_steps(abef, cdgh, w0, constants);
            w0 = next_words(w0, w1, w2, w3);
            four_steps(abef, cdgh, w1, constants + 4);
            w1 = next_words(w1, w2, w3, w0);
            four_steps(abef, cdgh, w2, constants + 8);
            w2 = next_words(w2, w3, w0, w1);
            four_steps(abef, cdgh, w3, constants + 12);
            w3 = next_words(w3, w0, w1, w2);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    std::array<std::uint32_t, 4> feba{};
    std::array<std::uint32_t, 4> hgdc{};
    _mm_storeu_si128(reinterpret_cast<__m128i*>(feba.data()), abef);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(hgdc.data()), cdgh);
    state = {feba[3], feba[2], hgdc[3], hgdc[2], feba[1], feba[0], hgdc[1], hgdc[0]};
}

#endif

}  // namespace

void mix_sha256_blocks_plainly(Sha256State& state, const std::byte* blocks, std::size_t count) {
    for (; count > 0; --count, blocks += sha256_block_bytes) {
        mix_block(state, blocks);
    }
}

void mix_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count) {
#if defined(__x86_64__)
    static const bool by_instructions = has_instructions();
    if (by_instructions) {
        mix_by_instructions(state, blocks, count);
        return;
    }
#endif
    mix_sha256_blocks_plainly(state, blocks, count);
}

void Sha256::add(std::span<const std::byte> bytes) {
    std::size_t held = bytes_ % sha256_block_bytes;
    bytes_ += bytes.size();
    while (!bytes.empty()) {
        if (held == 0 && bytes.size() >= sha256_block_bytes) {
            const std::size_t blocks = bytes.size() / sha256_block_bytes;
            mix_sha256_blocks(state_, bytes.data(), blocks);
            bytes = bytes.subspan(blocks * sha256_block_bytes);
            continue;
        }
        const std::size_t taken = std::min(sha256_block_bytes - held, bytes.size());
        std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        held = (held + taken) % sha256_block_bytes;
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
    while (last.bytes_ % sha256_block_bytes != sha256_block_bytes - 8) {
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
