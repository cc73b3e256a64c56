#include "isogon/synthetic/swiss_roll.hpp"

#include <cmath>
#include <numbers>

#include "isogon/core/random.hpp"
#include "synthetic/point_loop.hpp"

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

Generated swiss_roll(Index count, std::uint64_t seed, const SwissRollOptions& options, const RunContext& context) {
    swiss_roll_option_table().validate(options);
    const double begin = arc_length(first_angle);
    const double end = arc_length(first_angle + 2.0 * std::numbers::pi * options.turns);
    return generate_points({count, 3, 2, false}, context, [&](Generated& made, Index i) {
        Random random(seed, Purpose::SwissRoll, i);
        const double along = random.uniform() * (end - begin);
        const double up = random.uniform() * options.height;
        const double angle = angle_at(begin + along);
        const auto point = made.points[i];
        point[0] = static_cast<float>(angle * std::cos(angle) + options.noise * random.normal());
        point[1] = static_cast<float>(up + options.noise * random.normal());
        point[2] = static_cast<float>(angle * std::sin(angle) + options.noise * random.normal());
        made.truth[i][0] = static_cast<float>(along);
        made.truth[i][1] = static_cast<float>(up);
    });
}

}  // namespace isogon
