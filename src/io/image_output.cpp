#include <algorithm>
#include <cmath>

#include "io/point_writers.hpp"
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

void write_image_rows(OutputStream& out, const PointsView& rows, Index first) {
    std::string bytes(rows.dimension, '\0');
    for (Index i = 0; i < rows.count; ++i) {
        const auto row = rows[i];
        for (Index j = 0; j < rows.dimension; ++j) {
            bytes[j] = pixel(row[j], first + i, j);
        }
        out.write(bytes);
    }
}

void write_idx_images(const std::filesystem::path& path, const PointsView& images, Index height, Index width,
                      const WriteOptions& options) {
    PointsShape shape{.count = images.count, .dimension = images.dimension};
    shape.image_height = height;
    shape.image_width = width;
    PointWriter writer(path, shape, {Format::Idx, options.overwrite});
    writer.write(images);
    writer.commit();
}

}  // namespace isogon
