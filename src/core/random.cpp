#include "core/random.hpp"

#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "core/trigonometry.hpp"

namespace isogon {

std::array<std::uint32_t, 4> Random::philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
    constexpr std::uint64_t multiplier0 = 0xD2511F53U;
    constexpr std::uint64_t multiplier1 = 0xCD9E8D57U;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = multiplier0 * c[0];
        const std::uint64_t p1 = multiplier1 * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32U) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32U) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
        k[0] += 0x9E3779B9U;
        k[1] += 0xBB67AE85U;
    }
    return c;
}

Random::Random(std::uint64_t seed, RandomStream purpose, std::uint64_t index)
    : counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index),
               static_cast<std::uint32_t>(index >> 32U)},
      key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)} {}

std::uint32_t Random::bits() {
    if (used_ == block_.size()) {
        block_ = philox(counter_, key_);
        ++counter_[0];
        used_ = 0;
    }
    return block_.at(used_++);
}

double Random::uniform() {
    const std::uint64_t high = bits() >> 5U;  // 27 bits
    const std::uint64_t low = bits() >> 6U;   // 26 bits
    return static_cast<double>((high << 26U) | low) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
    return low + (high - low) * uniform();
}

std::uint32_t Random::below(std::uint32_t bound) {
    // Lemire's multiply-and-reject: the low word determines whether this draw belongs to the biased remainder.
    const std::uint32_t remainder = (0U - bound) % bound;
    while (true) {
        const std::uint64_t product = std::uint64_t{bits()} * bound;
        if (static_cast<std::uint32_t>(product) >= remainder) {
            return static_cast<std::uint32_t>(product >> 32U);
        }
    }
}

double Random::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_normal_;
    }
    const double radius = std::sqrt(-2.0 * elementary::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_normal_ = radius * elementary::sin(angle);
    has_spare_ = true;
    return radius * elementary::cos(angle);
}

}  // namespace isogon
