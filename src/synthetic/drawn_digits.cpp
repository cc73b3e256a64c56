#include "isogon/synthetic/generator.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "synthetic/handwriting.hpp"

namespace isogon {

namespace {

constexpr int drawn_side = 28;
constexpr std::uint32_t digits = 10;

/// Draws one image and returns its digit.
std::int64_t draw_digit(std::span<float> image, const DrawnDigitsOptions& options, Random& random) {
    const std::uint32_t digit = random.below(digits);
    const Glyph& glyph = choose_glyph(glyphs_of(static_cast<int>(digit)), random.uniform());
    const Hand hand = random_hand(random, options.variation, options.brightness);
    for (const PenLine& line : write_glyph(glyph, hand, drawn_side, random)) {
        draw_line({image, drawn_side, drawn_side}, line, hand.softness);
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

PointMaker drawn_digits_maker(std::uint64_t seed, const DrawnDigitsOptions& options, const RunContext& /*context*/) {
    drawn_digits_option_table().validate(options);
    PointMaker maker{
        .dimension = drawn_side * drawn_side, .labelled = true, .image_height = drawn_side, .image_width = drawn_side};
    maker.make = [seed, options](Index i, std::span<float> point, std::span<float>) {
        Random random(seed, RandomStream::DrawnDigits, i);
        return draw_digit(point, options, random);
    };
    return maker;
}

Generated drawn_digits(Index count, std::uint64_t seed, const DrawnDigitsOptions& options, const RunContext& context) {
    return make_points(drawn_digits_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
