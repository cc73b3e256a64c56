#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "io/integer_table.hpp"
#include "isogon/core/error.hpp"
#include "isogon/synthetic/generator.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "synthetic/png.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// Output files of a generated set; empty if not requested.
struct GeneratedFiles {
    std::string points;
    std::string labels;
    std::string truth;
    std::string sheet;  ///< PNG: a picture of the first 400 images
};

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

/// Writes these files block by block, in constant memory.
class GeneratedWriter {
public:
    /// Opens all files. Throws OutputError, also if there is not enough free space.
    GeneratedWriter(const GeneratedFiles& files, const PointMaker& maker, Index count, const WriteOptions& how);

    void write(const Generated& block);
    /// Renames the files into place. Throws OutputError.
    void commit();
    /// False if the rows written so far cannot be a file: a compressed one, whose header counts more rows.
    [[nodiscard]] bool can_end_early() const;

private:
    void keep_for_sheet(const Generated& block);
    void write_sheet() const;

    GeneratedFiles files_;
    WriteOptions how_;
    PointWriter points_;
    bool labels_in_points_ = false;  ///< the format of the points has a place for labels
    std::optional<LabelWriter> labels_;
    std::optional<PointWriter> truth_;
    Points sheet_;
    Index sheet_images_ = 0;
    Index image_height_;
    Index image_width_;
};

/// Throws UsageError, before work starts, for a path that cannot be written or has no known format.
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

/// Throws UsageError for a part that the generator does not make.
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

GeneratedWriter::GeneratedWriter(const GeneratedFiles& files, const PointMaker& maker, Index count,
                                 const WriteOptions& how)
    : files_(files),
      how_(how),
      points_(files.points, shape_of_points(files.points, maker, count), how),
      labels_in_points_(shape_of_points(files.points, maker, count).labels),
      image_height_(maker.image_height),
      image_width_(maker.image_width) {
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
    AtomicFile file(files_.sheet, how_.overwrite);
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

/// Source images, and the memory that holds them.
struct SourceImageFiles {
    Input input;
    std::vector<std::int64_t> labels;
    Index height = 0;
    Index width = 0;

    [[nodiscard]] SourceImages view() const { return {input.points, height, width, labels}; }
};

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

/// Reads images, several files stacked, and their labels if there are files of labels. Height and width come from the
/// files (IDX and .npy of rank 3); other rows are taken as square images. Empty without files. Throws InputError, also
/// for different sizes and rows that are not square; UsageError for labels without images; LimitExceeded.
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
        source.labels = read_picked_labels(labels, all_rows, source.input).values;
    }
    return source;
}

struct Generate {
    std::string name;
    bool list = false;
    GeneratedFiles files;
    std::vector<std::string> from;
    std::vector<std::string> from_labels;
    std::string count = "5000";
    std::string seed = "0";
    OptionFlags options;
};

Outcome list_generators() {
    Outcome outcome;
    Json list = Json::array();
    for (const auto& generator : generators()) {
        list.push_back({{"name", generator.name}, {"title", generator.title}, {"options", to_json(generator.options)}});
        outcome.text += fmt::format("{:<16} {}\n", generator.name, generator.title);
        outcome.text += options_text(generator.options);
    }
    outcome.json = {{"generators", list}};
    return outcome;
}

/// A stopped run has only the first points.
void describe_end(Outcome& outcome, Index made, Index count, bool written, const Session& session) {
    if (made == count) {
        return;
    }
    const bool out_of_time =
        session.context().interruption().value_or(Termination::Cancelled) == Termination::TimeLimit;
    outcome.code = out_of_time ? ExitCode::OverLimit : ExitCode::Interrupted;
    outcome.failure =
        fmt::format("{} after {} of {} points; {}", out_of_time ? "stopped by --time-limit" : "interrupted", made,
                    count, written ? "those were written" : "nothing was written: a packed file cannot be cut short");
}

/// Makes and writes the points block by block. Returns their number, and whether the files were written.
std::pair<Index, bool> make_files(const GeneratedFiles& files, const PointMaker& maker, Index count, Session& session) {
    // Held during the whole run: a first Ctrl-C ends it within a block, and a second one must not leave temporary
    // files.
    const auto held = session.while_writing();
    GeneratedWriter writer(files, maker, count, write_options(session));
    const Index made =
        stream_points(maker, count, session.context(), [&](const Generated& block) { writer.write(block); });
    session.end_progress();
    if (made == 0) {
        throw Interruption{session.context().interruption().value_or(Termination::Cancelled)};
    }
    const bool whole = made == count || writer.can_end_early();
    if (whole) {
        writer.commit();
    }
    return {made, whole};
}

bool is_table_name(const std::string& path) {
    const auto format = format_from_name(path);
    return format == Format::Csv || format == Format::Tsv;
}

/// Other flags have no effect with a list.
void require_nothing_else(const Generate& verb) {
    const Generate none;
    const bool files = !(verb.files.points.empty() && verb.files.labels.empty() && verb.files.truth.empty() &&
                         verb.files.sheet.empty() && verb.from.empty() && verb.from_labels.empty());
    if (files || verb.count != none.count || verb.seed != none.seed || verb.options.any()) {
        throw UsageError(verb.name.empty()
                             ? "NAME is missing: what to generate; isogon generate --list tells what there is"
                             : "--list goes without flags of what is generated; leave it out, or these");
    }
}

Outcome run(const Generate& verb, Session& session) {
    if (verb.list || verb.name.empty()) {
        require_nothing_else(verb);
        return list_generators();
    }
    const Generator& generator = find_generator(verb.name);
    const OptionValues options = verb.options.values(generator.name);
    const auto count = static_cast<Index>(parse_whole("--count", verb.count, 1, std::numeric_limits<Index>::max()));
    const auto seed =
        static_cast<std::uint64_t>(parse_whole("--seed", verb.seed, 0, std::numeric_limits<std::int64_t>::max()));
    if (verb.from.empty() && generator.from_images) {
        throw UsageError("--from IMAGES is missing: " + generator.name +
                         " makes images of others; name a file of them");
    }
    if (!generator.from_images && !(verb.from.empty() && verb.from_labels.empty())) {
        throw UsageError("--from and --from-labels have an effect only with images that are made of others, and " +
                         generator.name + " makes points of none; leave them out");
    }
    const bool table = is_table_name(verb.files.points);
    if (!verb.from_labels.empty() && verb.files.labels.empty() && !table) {
        throw UsageError(
            "--from-labels has an effect only with --labels FILE, or an output in .csv or .tsv, which hold "
            "labels: give one of these too, or leave it out");
    }
    require_files(verb.files, all_of({verb.from, verb.from_labels}), session);
    const SourceImageFiles source = read_source_images(verb.from, verb.from_labels, session);
    const PointMaker maker = generator.prepare(seed, options, source.view(), session.context());
    require_parts(verb.files, generator.name, maker);
    const auto [made, written] = make_files(verb.files, maker, count, session);

    Outcome outcome;
    if (written) {
        outcome.text = fmt::format("{}: {} points of {} numbers, {}, seed {}, {}\n", verb.files.points, made,
                                   maker.dimension, generator.name, seed, human_seconds(session.seconds()));
    }
    outcome.json = {{"verb", "generate"},
                    {"version", ISOGON_VERSION},
                    {"generator", generator.name},
                    {"options", to_json(options_as_used(generator.options, options))},
                    {"count", count},
                    {"seed", seed},
                    {"from", verb.from},
                    {"output", written ? Json(verb.files.points) : Json(nullptr)},
                    {"labels", json_or_null(verb.files.labels)},
                    {"truth", json_or_null(verb.files.truth)},
                    {"sheet", json_or_null(verb.files.sheet)},
                    {"shape", {{"points", made}, {"dimension", maker.dimension}}},
                    {"image_height", maker.image_height},
                    {"image_width", maker.image_width},
                    {"seconds", session.seconds()},
                    {"threads", session.context().thread_count()},
                    {"peak_memory_bytes", peak_memory_bytes()}};
    describe_end(outcome, made, count, written, session);
    return outcome;
}

}  // namespace

Command add_generate(CLI::App& app) {
    const auto verb = std::make_shared<Generate>();
    app.add_option("NAME", verb->name, "What to generate; without a name the list is printed")
        ->each([verb](const std::string& name) { verb->options.show_options_of(name); });
    app.add_flag("--list", verb->list, "List what can be generated, with options");
    add_value(app, "-o,--output FILE", verb->files.points,
              "Where the points go; images may go to IDX (.idx, -idx3-ubyte)");
    add_value(app, "--labels FILE", verb->files.labels, "Where the labels go");
    add_value(app, "--truth FILE", verb->files.truth, "Where the true coordinates go");
    add_value(app, "--sheet FILE.png", verb->files.sheet, "Where a picture of the first 400 images goes");
    add_value(app, "--from IMAGES", verb->from, "deformed: files of the images that others are made of");
    add_value(app, "--from-labels LABELS", verb->from_labels, "deformed: files of their labels, in the same order");
    add_value(app, "--count N", verb->count, "Number of points (default 5000)");
    add_value(app, "--seed N", verb->seed, "Seed; point i depends on the seed and i alone (default 0)");
    verb->options.add(app, "generator", owners_of(generators()));
    app.footer(
        "Examples:\n"
        "  isogon generate --list\n"
        "  isogon generate drawn-digits -o digits.npy --labels classes.npy --sheet digits.png\n"
        "  isogon generate drawn-digits -o digits-idx3-ubyte\n"
        "  isogon generate deformed --from train-images-idx3-ubyte.gz --count 1000000 -o million-idx3-ubyte\n"
        "\n"
        "Points are written as they are made: a million takes the memory of a thousand.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
