#pragma once
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/report/report.hpp"
#include "program/cli11_types.hpp"

namespace isogon::cli {

/// What a report shows besides points, as the command line spells it.
struct ReportFlags {
    std::string file;  ///< where the report goes; empty: none is wanted
    std::vector<std::string> labels;
    std::vector<std::string> words;
    std::string image_shape;
    bool no_images = false;
    std::string title;
};

/// Adds --labels, --words, --image-shape, --no-images and --title, which need `file` if there is one.
void add_report_flags(CLI::App& app, ReportFlags& flags, CLI::Option* file);

/// What is known of each point besides its numbers.
struct PointNames {
    Classes labels{};
    std::vector<std::string> words{};
};

/// Labels and words of picked rows: those of the files that the flags name, which must have one a row of all inputs
/// together (`rows_in_files`), else those that came with the points. Throws InputError.
[[nodiscard]] PointNames read_point_names(const ReportFlags& flags, const InputFlags& reading,
                                          std::uint64_t rows_in_files, const std::vector<std::int64_t>& own_labels,
                                          const std::vector<std::string>& own_words);

/// How the inputs are images: as --image-shape says, else as a file that has images has them, else not. Throws
/// InvalidArgument for a shape that points of `dimension` numbers have not.
[[nodiscard]] std::optional<ImageShape> image_shape(const ReportFlags& flags, const std::vector<std::string>& inputs,
                                                    const InputFlags& reading, Index dimension);

}  // namespace isogon::cli
