#pragma once
#include <string>
#include <vector>

#include "input_files.hpp"
#include "isogon/synthetic/generator.hpp"

namespace isogon::cli {

/// Images of which others are to be made, with what keeps them in memory.
struct SourceImageFiles {
    Input input;
    std::vector<std::int64_t> labels;
    Index height = 0;
    Index width = 0;

    [[nodiscard]] SourceImages view() const { return {input.points, height, width, labels}; }
};

/// Reads images, several files stacked, and their labels if files of those are named. Height and width are those that
/// the files tell (IDX and .npy of rank 3); rows of numbers are taken as square images. Empty for no files. Throws
/// InputError, for sizes that differ or are no square too; UsageError for labels without images; LimitExceeded.
[[nodiscard]] SourceImageFiles read_source_images(const std::vector<std::string>& images,
                                                  const std::vector<std::string>& labels, Session& session);

}  // namespace isogon::cli
