#include "generate/generated_files.hpp"

#include <algorithm>

#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "synthetic/png.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

constexpr Index sheet_images = 400;
constexpr Index sheet_columns = 20;

PointsShape shape_of_points(const std::string& path, const PointMaker& maker, Index count) {
    const Format format = output_format(path);
    PointsShape shape{.count = count, .dimension = maker.dimension};
    shape.labels = maker.labelled && (format == Format::Csv || format == Format::Tsv);
    if (format == Format::Idx) {
        shape.image_height = maker.image_height;
        shape.image_width = maker.image_width;
    }
    return shape;
}

}  // namespace

void require_files(const GeneratedFiles& files, const std::vector<std::string>& inputs, Session& session) {
    if (files.points.empty()) {
        throw UsageError("no output named; add -o FILE.npy");
    }
    require_words(files.points, false);
    if (!files.truth.empty()) {
        require_words(files.truth, false);
    }
    if (!files.sheet.empty() && !files.sheet.ends_with(".png")) {
        throw UsageError("--sheet " + files.sheet + ": a picture is written as .png; end its name so");
    }
    require_outputs({files.points, files.labels, files.truth, files.sheet}, inputs, session);
    require_label_output(files.labels, session);
}

void require_parts(const GeneratedFiles& files, const std::string& generator, const PointMaker& maker) {
    if (!files.labels.empty() && !maker.labelled) {
        throw UsageError("--labels " + files.labels + ": " + generator + " has no labels" +
                         (maker.image_height > 0 ? " for want of --from-labels" : "") + "; leave it out");
    }
    if (!files.truth.empty() && maker.truth_dimension == 0) {
        throw UsageError("--truth " + files.truth + ": " + generator + " has no true coordinates; leave it out");
    }
    if (!files.sheet.empty() && maker.image_height == 0) {
        throw UsageError("--sheet " + files.sheet + ": " + generator + " makes no images; leave it out");
    }
}

GeneratedWriter::GeneratedWriter(const GeneratedFiles& files, const PointMaker& maker, Index count, bool overwrite)
    : files_(files),
      overwrite_(overwrite),
      points_(files.points, shape_of_points(files.points, maker, count), {.format = {}, .overwrite = overwrite}),
      labels_in_points_(shape_of_points(files.points, maker, count).labels),
      image_height_(maker.image_height),
      image_width_(maker.image_width) {
    const WriteOptions how{.format = {}, .overwrite = overwrite};
    if (!files.labels.empty()) {
        labels_.emplace(files.labels, count, how);
    }
    if (!files.truth.empty()) {
        truth_.emplace(files.truth, PointsShape{.count = count, .dimension = maker.truth_dimension}, how);
    }
    if (!files.sheet.empty()) {
        sheet_ = Points(std::min(count, sheet_images), maker.dimension);
    }
}

void GeneratedWriter::write(const Generated& block) {
    points_.write(block.points.view(), {.labels = labels_in_points_ ? std::span<const std::int64_t>(block.labels)
                                                                    : std::span<const std::int64_t>(),
                                        .words = {}});
    if (labels_) {
        labels_->write(block.labels);
    }
    if (truth_) {
        truth_->write(block.truth.view());
    }
    keep_for_sheet(block);
}

/// Only the first images are shown.
void GeneratedWriter::keep_for_sheet(const Generated& block) {
    for (Index i = 0; i < block.points.count() && sheet_images_ < sheet_.count(); ++i) {
        const auto image = block.points[i];
        std::copy(image.begin(), image.end(), sheet_[sheet_images_++].begin());
    }
}

void GeneratedWriter::write_sheet() const {
    const PointsView images(sheet_.values().data(), sheet_images_, sheet_.dimension());
    const Sheet sheet = contact_sheet(images, image_height_, image_width_, sheet_columns);
    const auto bytes = encode_png(sheet.pixels, sheet.height, sheet.width);
    AtomicFile file(files_.sheet, overwrite_);
    file.write(std::string(bytes.begin(), bytes.end()));
    file.commit();
}

bool GeneratedWriter::can_end_early() const {
    return points_.can_end_early() && (!labels_ || labels_->can_end_early()) && (!truth_ || truth_->can_end_early());
}

void GeneratedWriter::commit() {
    points_.commit();
    if (labels_) {
        labels_->commit();
    }
    if (truth_) {
        truth_->commit();
    }
    if (!files_.sheet.empty()) {
        write_sheet();
    }
}

}  // namespace isogon::cli
