#include "isogon/synthetic/drawn_digits.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/random.hpp"
#include "synthetic/handwriting.hpp"
#include "synthetic/point_loop.hpp"

namespace isogon {

namespace {

constexpr int side = 28;
constexpr std::uint32_t digits = 10;

/// Draws one image and returns its digit.
std::int64_t draw_digit(std::span<float> image, const DrawnDigitsOptions& options, Random& random) {
    const std::uint32_t digit = random.below(digits);
    const Glyph& glyph = choose_glyph(glyphs_of(static_cast<int>(digit)), random.uniform());
    const Hand hand = random_hand(random, options.variation, options.brightness);
    for (const PenLine& line : write_glyph(glyph, hand, side, random)) {
        draw_line(image, side, side, line, hand.softness);
    }
    for (float& pixel : image) {
        pixel = std::round(255.0F * std::min(1.0F, pixel));
    }
    return digit;
}

}  // namespace

const OptionTable<DrawnDigitsOptions>& drawn_digits_option_table() {
    static const auto table =
        OptionTable<DrawnDigitsOptions>()
            .number("variation", &DrawnDigitsOptions::variation, {0.0, 2.0},
                    "how differently people write: 0 repeats the templates, 1 is like real handwriting, more is wilder")
            .number("brightness", &DrawnDigitsOptions::brightness, {0.0, 1.0},
                    "standard deviation of the logarithm of the ink; more spreads the norms of the images");
    return table;
}

Generated drawn_digits(Index count, std::uint64_t seed, const DrawnDigitsOptions& options, const RunContext& context) {
    drawn_digits_option_table().validate(options);
    Generated result = generate_points({count, side * side, 0, true}, context, [&](Generated& made, Index i) {
        Random random(seed, Purpose::DrawnDigits, i);
        made.labels[i] = draw_digit(made.points[i], options, random);
    });
    result.image_height = side;
    result.image_width = side;
    return result;
}

}  // namespace isogon
