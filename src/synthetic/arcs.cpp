#include "isogon/synthetic/arcs.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "isogon/core/random.hpp"

namespace isogon {

namespace {

constexpr double radian = std::numbers::pi / 180.0;

/// A string of beads on the unit circle or sphere, by arc length.
class BeadString {
public:
    explicit BeadString(const ArcsOptions& options) : options_(options) {
        if (options.shape == ArcShape::Circle) {
            length_ = options.angle * radian;
            return;
        }
        // A loxodrome crosses all meridians at one angle, so its length is (change of latitude) / cos(angle) and its
        // longitude is tan(angle) * asinh(tan(latitude)), the latitude of Mercator's map.
        tangent_ = std::numbers::pi * options.turns / std::asinh(std::tan(last_latitude));
        length_ = 2.0 * last_latitude * std::sqrt(1.0 + tangent_ * tangent_);
    }

    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] Index dimension() const { return options_.shape == ArcShape::Circle ? 2 : 3; }

    /// The place at a share of the length, 0 to 1.
    [[nodiscard]] std::array<double, 3> at(double share) const {
        if (options_.shape == ArcShape::Circle) {
            const double angle = (share - 0.5) * length_;
            return {std::sin(angle), std::cos(angle), 0.0};
        }
        const double latitude = (2.0 * share - 1.0) * last_latitude;
        const double longitude = tangent_ * std::asinh(std::tan(latitude));
        return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
    }

private:
    // Nearer to the poles the coil would wind about them closer than it is long.
    static constexpr double last_latitude = 75.0 * radian;

    ArcsOptions options_;
    double length_ = 0.0;
    double tangent_ = 0.0;
};

/// The fractional part of start / 2^64 + i * (golden ratio), exact in 64-bit fixed point. By the three-gap theorem the
/// gaps between any number of these have at most three lengths.
double golden_share(std::uint64_t start, std::uint64_t i) {
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15U;
    return static_cast<double>((start + i * golden_ratio) >> 11U) * 0x1.0p-53;
}

std::uint64_t random_start(std::uint64_t seed) {
    Random random(seed, RandomStream::Arcs, 0);
    const std::uint64_t high = random.bits();
    return high << 32U | random.bits();
}

}  // namespace

const OptionTable<ArcsOptions>& arcs_option_table() {
    static const auto table =
        OptionTable<ArcsOptions>()
            .choice("shape", &ArcsOptions::shape, {{"circle", ArcShape::Circle}, {"sphere", ArcShape::Sphere}},
                    "an arc of the unit circle (2 dimensions) or a coil on the unit sphere (3 dimensions)")
            .number("angle", &ArcsOptions::angle, {0.0, 360.0, true},
                    "degrees that the arc of the circle spans; more brings its two ends together")
            .only_with("shape", {"circle"})
            .number("turns", &ArcsOptions::turns, {0.0, 1000.0},
                    "turns of the coil about the axis of the sphere; more bring them closer")
            .only_with("shape", {"sphere"});
    return table;
}

PointMaker arcs_maker(std::uint64_t seed, const ArcsOptions& options, const RunContext& /*context*/) {
    arcs_option_table().validate(options);
    const BeadString string(options);
    const std::uint64_t start = random_start(seed);
    PointMaker maker{.dimension = string.dimension(), .truth_dimension = 1};
    maker.make = [string, start](Index i, std::span<float> point, std::span<float> truth) {
        const double share = golden_share(start, i);
        const auto place = string.at(share);
        for (std::size_t k = 0; k < point.size(); ++k) {
            point[k] = static_cast<float>(place.at(k));
        }
        truth[0] = static_cast<float>(share * string.length());
        return std::int64_t{0};
    };
    return maker;
}

Generated arcs(Index count, std::uint64_t seed, const ArcsOptions& options, const RunContext& context) {
    return make_points(arcs_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
