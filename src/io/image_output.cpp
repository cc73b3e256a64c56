#include <algorithm>
#include <cmath>

#include "io/idx.hpp"
#include "io/output_stream.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

namespace {

char pixel(float value, Index i, Index j) {
    if (std::isnan(value)) {
        throw InvalidArgument("images", "NaN in row " + std::to_string(i) + ", column " + std::to_string(j),
                              "an IDX image holds whole numbers from 0 to 255");
    }
    return static_cast<char>(std::lround(std::clamp(value, 0.0F, 255.0F)));
}

}  // namespace

void write_idx_images(const std::filesystem::path& path, const PointsView& images, Index height, Index width,
                      const WriteOptions& options) {
    if (images.empty() || std::uint64_t{height} * width != images.dimension) {
        throw InvalidArgument("height x width", std::to_string(height) + " x " + std::to_string(width),
                              "must be the dimension of the images, " + std::to_string(images.dimension));
    }
    OutputStream out(path, options.overwrite);
    out.write(idx_header(ScalarType::UInt8, {images.count, height, width}));
    std::string row(images.dimension, '\0');
    for (Index i = 0; i < images.count; ++i) {
        for (Index j = 0; j < images.dimension; ++j) {
            row[j] = pixel(images[i][j], i, j);
        }
        out.write(row);
    }
    out.commit();
}

}  // namespace isogon
