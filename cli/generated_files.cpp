#include "generated_files.hpp"

#include <algorithm>

#include "failure.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/synthetic/contact_sheet.hpp"
#include "isogon/synthetic/png.hpp"
#include "output_files.hpp"

namespace isogon::cli {

namespace {

constexpr Index sheet_images = 400;
constexpr Index sheet_columns = 20;

void write_points_or_images(const std::string& path, const Generated& made, const WriteOptions& how) {
    if (output_format(path) == Format::Idx && made.image_height > 0) {
        write_idx_images(path, made.points.view(), made.image_height, made.image_width, how);
    } else {
        write_points(path, made.points.view(), {made.labels, {}}, how);
    }
}

/// The first images only: more than that nobody looks at.
void write_sheet(const std::string& path, const Generated& made, bool overwrite) {
    const PointsView images(made.points.values().data(), std::min(made.points.count(), sheet_images),
                            made.points.dimension());
    const Sheet sheet = contact_sheet(images, made.image_height, made.image_width, sheet_columns);
    const auto bytes = encode_png(sheet.pixels, sheet.height, sheet.width);
    AtomicFile file(path, overwrite);
    file.write(std::string(bytes.begin(), bytes.end()));
    file.commit();
}

}  // namespace

void require_files(const GeneratedFiles& files, const Session& session) {
    if (files.points.empty()) {
        throw UsageError("no output named; add -o FILE.npy");
    }
    require_words(files.points, false);
    if (!files.truth.empty()) {
        require_words(files.truth, false);
    }
    require_outputs({files.points, files.labels, files.truth, files.sheet}, session);
}

void require_parts(const GeneratedFiles& files, const std::string& generator, const Generated& one) {
    if (one.points.empty()) {
        return;  // stopped already: what follows will say so
    }
    if (!files.labels.empty() && one.labels.empty()) {
        throw UsageError("--labels " + files.labels + ": " + generator + " has no labels; leave it out");
    }
    if (!files.truth.empty() && one.truth.empty()) {
        throw UsageError("--truth " + files.truth + ": " + generator + " has no true coordinates; leave it out");
    }
    if (!files.sheet.empty() && one.image_height == 0) {
        throw UsageError("--sheet " + files.sheet + ": " + generator + " makes no images; leave it out");
    }
}

void write_files(const GeneratedFiles& files, const Generated& made, Session& session) {
    write_output(session, [&](const WriteOptions& how) { write_points_or_images(files.points, made, how); });
    if (!files.labels.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_labels(files.labels, made.labels, how); });
    }
    if (!files.truth.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_points(files.truth, made.truth.view(), {}, how); });
    }
    if (!files.sheet.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_sheet(files.sheet, made, how.overwrite); });
    }
}

}  // namespace isogon::cli
