#pragma once
#include <optional>
#include <string>

#include "io/integer_table.hpp"
#include "isogon/io/output.hpp"
#include "isogon/synthetic/generator.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Output files of a generated set; empty if not requested.
struct GeneratedFiles {
    std::string points;
    std::string labels;
    std::string truth;
    std::string sheet;  ///< PNG: a picture of the first 400 images
};

/// Throw UsageError, before work starts, for a path that cannot be written or has no known format, and for a part that
/// the generator does not make.
void require_files(const GeneratedFiles& files, const std::vector<std::string>& inputs, Session& session);
void require_parts(const GeneratedFiles& files, const std::string& generator, const PointMaker& maker);

/// Writes these files block by block, in constant memory.
class GeneratedWriter {
public:
    /// Opens all files. Throws OutputError, also if there is not enough free space.
    GeneratedWriter(const GeneratedFiles& files, const PointMaker& maker, Index count, bool overwrite);

    void write(const Generated& block);
    /// Renames the files into place. Throws OutputError.
    void commit();
    /// False if the rows written so far cannot be a file: a compressed one, whose header counts more rows.
    [[nodiscard]] bool can_end_early() const;

private:
    void keep_for_sheet(const Generated& block);
    void write_sheet() const;

    GeneratedFiles files_;
    bool overwrite_;
    PointWriter points_;
    bool labels_in_points_ = false;  ///< the format of the points has a place for labels
    std::optional<LabelWriter> labels_;
    std::optional<PointWriter> truth_;
    Points sheet_;
    Index sheet_images_ = 0;
    Index image_height_;
    Index image_width_;
};

}  // namespace isogon::cli
