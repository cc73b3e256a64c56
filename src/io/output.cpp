#include "isogon/io/output.hpp"

#include "io/output_stream.hpp"
#include "io/point_writers.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"

namespace isogon {

namespace {

Format output_format(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (!format) {
        throw OutputError(path.string(),
                          "its name tells no format; end it in .npy, .csv, .tsv, .fvecs, .bvecs, .ivecs, "
                          ".vec, .bin or .idx, or say which format it is");
    }
    return *format;
}

void require_one_each(const std::string& field, std::size_t given, Index count) {
    if (given != 0 && given != count) {
        throw InvalidArgument(field, std::to_string(given),
                              "must be none or one for each of the " + std::to_string(count) + " points");
    }
}

void check(const PointsView& points, const Companions& companions, Format format) {
    if (points.empty()) {
        throw InvalidArgument("points",
                              std::to_string(points.count) + " of dimension " + std::to_string(points.dimension),
                              "there must be at least one point of at least one number");
    }
    require_one_each("labels", companions.labels.size(), points.count);
    require_one_each("words", companions.words.size(), points.count);
    if ((format == Format::WordText || format == Format::WordBinary) && companions.words.empty()) {
        throw InvalidArgument(
            "words", "none",
            "the format " + std::string(name(format)) + " needs a word for each point; write .npy or .csv instead");
    }
}

void write_format(OutputStream& out, const PointsView& points, const Companions& companions, Format format) {
    switch (format) {
        case Format::Npy: write_npy(out, points); break;
        case Format::Idx: write_idx(out, points); break;
        case Format::Csv:
        case Format::Tsv: write_table(out, points, companions, format); break;
        case Format::Fvecs:
        case Format::Bvecs:
        case Format::Ivecs: write_vecs(out, points, format); break;
        case Format::WordText:
        case Format::WordBinary: write_words(out, points, companions.words, format); break;
    }
}

}  // namespace

void require_writable(const std::filesystem::path& path, const WriteOptions& options) {
    static_cast<void>(output_format(path, options));
    require_writable_target(path, options.overwrite);
}

void write_points(const std::filesystem::path& path, const PointsView& points, const Companions& companions,
                  const WriteOptions& options) {
    const Format format = output_format(path, options);
    check(points, companions, format);
    OutputStream out(path, options.overwrite);
    write_format(out, points, companions, format);
    out.commit();
}

}  // namespace isogon
