#include "source_image_files.hpp"

#include <fmt/format.h>

#include <cmath>

#include "failure.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

/// Height and width of the images of a file.
std::pair<Index, Index> sides_of(const std::string& path) {
    const std::vector<std::uint64_t> shape = describe_file(path).shape;
    if (shape.size() == 3) {
        return {static_cast<Index>(shape[1]), static_cast<Index>(shape[2])};
    }
    std::uint64_t pixels = 1;
    for (std::size_t k = 1; k < shape.size(); ++k) {
        pixels *= shape[k];
    }
    const auto side = static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
    if (side * side != pixels) {
        throw InputError(path, "",
                         fmt::format("rows of {} numbers are no square images; give IDX or .npy of the shape "
                                     "(images, height, width)",
                                     pixels));
    }
    return {static_cast<Index>(side), static_cast<Index>(side)};
}

}  // namespace

SourceImageFiles read_source_images(const std::vector<std::string>& images, const std::vector<std::string>& labels,
                                    Session& session) {
    SourceImageFiles source;
    if (images.empty()) {
        if (!labels.empty()) {
            throw UsageError("--from-labels: labels of no images; name those with --from");
        }
        return source;
    }
    std::tie(source.height, source.width) = sides_of(images.front());
    for (const auto& path : images) {
        const auto [height, width] = sides_of(path);
        if (height != source.height || width != source.width) {
            throw InputError(path, "",
                             fmt::format("images of {} x {}, where {} has {} x {}", height, width, images.front(),
                                         source.height, source.width));
        }
    }
    const InputFlags all_rows;
    source.input = read_input(images, all_rows, Finite::Required, session);
    if (!labels.empty()) {
        source.labels = read_picked_labels(labels, all_rows, source.input);
    }
    return source;
}

}  // namespace isogon::cli
