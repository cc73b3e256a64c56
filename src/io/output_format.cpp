#include "io/output_format.hpp"

#include "isogon/core/error.hpp"

namespace isogon {

Format format_to_write(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (!format) {
        throw OutputError(path.string(),
                          "its name tells no format; end it in .npy, .csv, .tsv, .fvecs, .bvecs, .ivecs, "
                          ".vec, .bin or .idx, or say which format it is");
    }
    return *format;
}

}  // namespace isogon
