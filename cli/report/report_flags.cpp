#include "report/report_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <limits>
#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/io/word_lists.hpp"
#include "program/failure.hpp"
#include "program/quantity.hpp"

namespace isogon::cli {

namespace {

/// Files of numbers hold class numbers; all others are text with one label a line.
bool holds_numbers(const std::string& path) {
    const auto format = format_from_name(path);
    return format && *format != Format::Csv && *format != Format::Tsv;
}

std::vector<std::string> read_label_file(const std::string& path) {
    if (!holds_numbers(path)) {
        return read_names(path);
    }
    std::vector<std::string> labels;
    for (const std::int64_t label : read_labels(path)) {
        labels.push_back(std::to_string(label));
    }
    return labels;
}

/// One name a row, those of the picked rows.
template <class Read>
std::vector<std::string> read_all(const std::string& flag, const std::vector<std::string>& paths,
                                  const InputFlags& reading, std::uint64_t rows_in_files, Read read) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        const auto more = read(path);
        names.insert(names.end(), more.begin(), more.end());
    }
    if (names.size() != rows_in_files) {
        throw InputError(paths.front(), "",
                         fmt::format("{} {} for {} points; give one a line for each row of the input files, in their "
                                     "order",
                                     names.size(), flag, rows_in_files));
    }
    std::vector<std::string> picked;
    for (const Index row : row_picker(reading).rows(0, names.size())) {
        picked.push_back(std::move(names[row]));
    }
    return picked;
}

ImageShape parse_shape(const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos) {
        throw InvalidArgument("--image-shape", text, "must be width x height in pixels, as in 28x28");
    }
    constexpr std::int64_t most = std::numeric_limits<Index>::max();
    return {static_cast<Index>(parse_whole("--image-shape", text.substr(0, cross), 1, most)),
            static_cast<Index>(parse_whole("--image-shape", text.substr(cross + 1), 1, most))};
}

}  // namespace

void add_report_flags(CLI::App& app, ReportFlags& flags, CLI::Option* file) {
    const std::string group = "Report";
    std::vector<CLI::Option*> added;
    added.push_back(
        app.add_option("--labels", flags.labels,
                       "Labels of the inputs: numbers (.npy, IDX), or text with one a line. Give it once for each "
                       "file, in their order")
            ->type_name("FILE")
            ->allow_extra_args(false));
    added.push_back(app.add_option("--words", flags.words,
                                   "Names of the points, text with one a line, likewise; those of word vectors are "
                                   "known without it")
                        ->type_name("FILE")
                        ->allow_extra_args(false));
    added.push_back(app.add_option("--image-shape", flags.image_shape,
                                   "The inputs are images of this width and height; known of IDX and of .npy of rank 3")
                        ->type_name("WxH"));
    added.push_back(app.add_flag("--no-images", flags.no_images, "Show no pictures, so that the file stays small"));
    added.push_back(app.add_option("--title", flags.title, "What stands on top of the page")->type_name("TEXT"));
    for (CLI::Option* option : added) {
        option->group(group);
        if (file != nullptr) {
            option->needs(file);
        }
    }
}

PointNames read_point_names(const ReportFlags& flags, const InputFlags& reading, std::uint64_t rows_in_files,
                            const std::vector<std::int64_t>& own_labels, const std::vector<std::string>& own_words) {
    PointNames names;
    if (!flags.labels.empty()) {
        names.labels = classes_of(read_all("labels", flags.labels, reading, rows_in_files, read_label_file));
    } else if (!own_labels.empty()) {
        names.labels = classes_of(own_labels);
    }
    names.words = flags.words.empty() ? own_words
                                      : read_all("words", flags.words, reading, rows_in_files,
                                                 [](const std::string& path) { return read_names(path); });
    return names;
}

std::optional<ImageShape> image_shape(const ReportFlags& flags, const std::vector<std::string>& inputs,
                                      const InputFlags& reading, Index dimension) {
    if (flags.no_images) {
        if (!flags.image_shape.empty()) {
            throw UsageError("--image-shape with --no-images: there is nothing to show; leave out one of the two");
        }
        return std::nullopt;
    }
    if (!flags.image_shape.empty()) {
        const ImageShape shape = parse_shape(flags.image_shape);
        if (std::uint64_t{shape.width} * shape.height != dimension) {
            throw InvalidArgument("--image-shape", flags.image_shape,
                                  fmt::format("must have as many pixels as the inputs have numbers, {}", dimension));
        }
        return shape;
    }
    const auto sides = describe_file(inputs.front(), read_options(reading, inputs.front())).shape;
    return sides.size() == 3 ? std::optional(ImageShape{static_cast<Index>(sides[2]), static_cast<Index>(sides[1])})
                             : std::nullopt;
}

}  // namespace isogon::cli
