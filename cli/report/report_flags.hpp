#pragma once
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/report/report.hpp"
#include "program/cli11_types.hpp"

namespace isogon::cli {

/// Flags of a report, as the command line spells them.
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

/// Labels and words of points.
struct PointNames {
    Classes labels{};
    std::vector<std::string> words{};
};

/// Labels and words of selected rows: those of the files in the flags, which must have one for each row of all inputs
/// (`rows_in_files`), else those of the points. Throws InputError.
[[nodiscard]] PointNames read_point_names(const ReportFlags& flags, const InputFlags& reading,
                                          std::uint64_t rows_in_files, const std::vector<std::int64_t>& own_labels,
                                          const std::vector<std::string>& own_words);

/// The shape of images: that of --image-shape, else that of the file, else none. Throws InvalidArgument for a shape
/// that does not match `dimension`.
[[nodiscard]] std::optional<ImageShape> image_shape(const ReportFlags& flags, const std::vector<std::string>& inputs,
                                                    const InputFlags& reading, Index dimension);

}  // namespace isogon::cli
