#include "isogon/synthetic/source_images.hpp"

#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

void require_images(const SourceImages& source) {
    if (source.empty()) {
        throw InvalidArgument("from", "none", "images are needed of which others are made; name a file of them");
    }
    if (std::uint64_t{source.height} * source.width != source.images.dimension) {
        throw InvalidArgument("height x width", std::to_string(source.height) + " x " + std::to_string(source.width),
                              "must be the dimension of the images, " + std::to_string(source.images.dimension));
    }
    if (!source.labels.empty() && source.labels.size() != source.images.count) {
        throw InvalidArgument("labels", std::to_string(source.labels.size()),
                              "must be none or one for each of the " + std::to_string(source.images.count) + " images");
    }
    require_finite(source.images, "source images");
}

}  // namespace isogon
