#include "isogon/synthetic/swiss_roll.hpp"

#include <cmath>
#include <numbers>

#include "isogon/core/random.hpp"

namespace isogon {

namespace {

constexpr double first_angle = 1.5 * std::numbers::pi;  // begins where the layers no longer crowd about the axis

/// Length of the spiral r = angle from its centre.
double arc_length(double angle) {
    return 0.5 * (angle * std::sqrt(1.0 + angle * angle) + std::asinh(angle));
}

/// The angle at which the spiral has that length, by Newton's method from where r is large: length = angle^2 / 2. The
/// function is convex and the start lies above the root, so the steps come down to it without overshooting.
double angle_at(double length) {
    double angle = std::sqrt(2.0 * length);
    for (int step = 0; step < 6; ++step) {
        angle -= (arc_length(angle) - length) / std::sqrt(1.0 + angle * angle);
    }
    return angle;
}

}  // namespace

const OptionTable<SwissRollOptions>& swiss_roll_option_table() {
    static const auto table =
        OptionTable<SwissRollOptions>()
            .number("noise", &SwissRollOptions::noise, {0.0, 1e6},
                    "standard deviation of Gaussian noise in each of the three coordinates; more blurs the sheet")
            .number("height", &SwissRollOptions::height, {0.0, 1e6}, "height of the sheet, along the axis of the roll")
            .number("turns", &SwissRollOptions::turns, {0.0, 1000.0, true},
                    "turns of the sheet about the axis; more bring more layers");
    return table;
}

PointMaker swiss_roll_maker(std::uint64_t seed, const SwissRollOptions& options, const RunContext& /*context*/) {
    swiss_roll_option_table().validate(options);
    const double begin = arc_length(first_angle);
    const double end = arc_length(first_angle + 2.0 * std::numbers::pi * options.turns);
    PointMaker maker{.dimension = 3, .truth_dimension = 2};
    maker.make = [seed, options, begin, end](Index i, std::span<float> point, std::span<float> truth) {
        Random random(seed, RandomStream::SwissRoll, i);
        const double along = random.uniform() * (end - begin);
        const double up = random.uniform() * options.height;
        const double angle = angle_at(begin + along);
        point[0] = static_cast<float>(angle * std::cos(angle) + options.noise * random.normal());
        point[1] = static_cast<float>(up + options.noise * random.normal());
        point[2] = static_cast<float>(angle * std::sin(angle) + options.noise * random.normal());
        truth[0] = static_cast<float>(along);
        truth[1] = static_cast<float>(up);
        return std::int64_t{0};
    };
    return maker;
}

Generated swiss_roll(Index count, std::uint64_t seed, const SwissRollOptions& options, const RunContext& context) {
    return make_points(swiss_roll_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
