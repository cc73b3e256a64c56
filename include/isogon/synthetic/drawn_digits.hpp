#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

struct DrawnDigitsOptions {
    double variation = 1.0;    ///< variation of the handwriting: 0 repeats the templates, 1 is like real handwriting
    double brightness = 0.15;  ///< standard deviation of the logarithm of the ink: which spreads the images' norms
};

[[nodiscard]] const OptionTable<DrawnDigitsOptions>& drawn_digits_option_table();

/// The built-in data set: grey images of the digits 0 to 9, drawn stroke by stroke as people write them. Each point is
/// an image of 28 x 28 pixels row by row, whole numbers from 0 (paper) to 255 (full ink); its label is the digit,
/// drawn at random with equal chances. Style, slant, width, rotation, bends, pen and ink differ from image to image;
/// like the digits of LeCun, Bottou, Bengio and Haffner (1998) they are fitted to a box of 20 pixels and centred by
/// mass. Image i depends on (seed, i) only, so the set is infinite. Throws InvalidArgument and LimitExceeded as
/// every generator. About 20 microseconds an image and thread, 3,144 bytes an image.
[[nodiscard]] Generated drawn_digits(Index count, std::uint64_t seed = 0, const DrawnDigitsOptions& options = {},
                                     const RunContext& context = {});
/// The same set as an infinite sequence.
[[nodiscard]] PointMaker drawn_digits_maker(std::uint64_t seed, const DrawnDigitsOptions& options,
                                            const RunContext& context);

}  // namespace isogon
