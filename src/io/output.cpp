#include "isogon/io/output.hpp"

#include "io/output_format.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/point_writer.hpp"

namespace isogon {

void require_writable(const std::filesystem::path& path, const WriteOptions& options) {
    static_cast<void>(format_to_write(path, options));
    require_writable_target(path, options.overwrite);
}

void write_points(const std::filesystem::path& path, const PointsView& points, const Companions& companions,
                  const WriteOptions& options) {
    PointWriter writer(path,
                       {.count = points.count,
                        .dimension = points.dimension,
                        .labels = !companions.labels.empty(),
                        .words = !companions.words.empty()},
                       options);
    writer.write(points, companions);
    writer.commit();
}

}  // namespace isogon
