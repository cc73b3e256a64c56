#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Synthetic data with its labels and true coordinates.
struct Generated {
    Points points;
    std::vector<std::int64_t> labels;  ///< class of each point, or empty
    Points truth;                      ///< coordinates on the manifold the points were drawn from, or empty
    Index image_height = 0;            ///< images only
    Index image_width = 0;
};

/// An infinite sequence of synthetic points, each of which can be computed by itself: point i depends on the seed and i
/// only.
struct PointMaker {
    Index dimension = 0;
    Index truth_dimension = 0;  ///< 0: no truth
    bool labelled = false;
    Index image_height = 0;  ///< images only
    Index image_width = 0;
    std::uint64_t bytes = 0;  ///< its memory besides the points
    /// Writes point i and, where there is one, its truth (both zero before); returns its label. Called from several
    /// threads at a time.
    std::function<std::int64_t(Index i, std::span<float> point, std::span<float> truth)> make{};
};

/// Throws InvalidArgument for a count of 0, and LimitExceeded when `count` points, with their truth, their labels and
/// the maker's memory, exceed the memory limit.
void require_memory_for(const PointMaker& maker, Index count, const RunContext& context);

/// Points first, first + 1, ... up to `count` of them, on the context's threads. Checks as require_memory_for does. An
/// interrupted run (stop token, deadline) returns the first points, as far as they were computed: possibly none.
[[nodiscard]] Generated make_points(const PointMaker& maker, Index first, Index count, const RunContext& context);

/// Makes points 0 to count - 1 and calls `consume` with blocks of at most some 32 MB, so that memory does not grow with
/// the count. Returns the number of points consumed: fewer than `count` if the context ends the run. Exceptions of
/// `consume` are passed on. Throws InvalidArgument and LimitExceeded (for one block and the maker) before the first
/// block.
Index stream_points(const PointMaker& maker, Index count, const RunContext& context,
                    const std::function<void(const Generated&)>& consume);

/// Images from which others are made: each point is one, of height x width values row by row. Views only.
struct SourceImages {
    PointsView images{};
    Index height = 0;
    Index width = 0;
    std::span<const std::int64_t> labels{};  ///< empty, or one an image

    [[nodiscard]] bool empty() const { return images.empty(); }
};

/// Throws InvalidArgument for no images, a height times width that is not their dimension, or labels of another
/// number; InputError for NaN or infinity by row and column. O(images).
void require_images(const SourceImages& source);

/// A named synthetic data set. Point i depends on (seed, i) only: the first 100 points of 5,000 equal those of 100.
struct Generator {
    std::string name;
    std::string title;
    std::vector<OptionSpec> options;  ///< besides count and seed
    bool from_images = false;         ///< computes its points from images that must be given
    /// Throws InvalidArgument for a bad option and for images that are missing, not accepted or invalid; LimitExceeded
    /// when the memory limit is too small for the memory besides points. The images must outlive the maker.
    std::function<PointMaker(std::uint64_t seed, const OptionValues&, const SourceImages&, const RunContext&)> prepare;

    /// The first `count` points. Throws as prepare and require_memory_for do, before work starts. An interrupted run
    /// returns the first points that were computed: possibly none.
    [[nodiscard]] Generated generate(Index count, std::uint64_t seed, const OptionValues& values,
                                     const RunContext& context, const SourceImages& images = {}) const;
};

[[nodiscard]] const std::vector<Generator>& generators();
/// Throws InvalidArgument, which lists all names.
[[nodiscard]] const Generator& find_generator(std::string_view name);

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
