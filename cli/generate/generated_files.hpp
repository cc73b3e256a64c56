#pragma once
#include <optional>
#include <string>

#include "isogon/io/integer_table.hpp"
#include "isogon/io/output.hpp"
#include "isogon/synthetic/generator.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Where the parts of a generated set go; empty for those not asked for.
struct GeneratedFiles {
    std::string points;
    std::string labels;
    std::string truth;
    std::string sheet;  ///< PNG: a picture of the first 400 images
};

/// Throws UsageError, before work starts, for a name that cannot be written or tells no format, and for a part that
/// the generator does not make.
void require_files(const GeneratedFiles& files, const std::vector<std::string>& inputs, Session& session);
void require_parts(const GeneratedFiles& files, const std::string& generator, const PointMaker& maker);

/// Those files as they grow, block by block: what a set takes in memory does not grow with it.
class GeneratedWriter {
public:
    /// Opens them all. Throws OutputError, also when the bytes that they will take are not free.
    GeneratedWriter(const GeneratedFiles& files, const PointMaker& maker, Index count, bool overwrite);

    void write(const Generated& block);
    /// Puts them in their places. Throws OutputError.
    void commit();
    /// False if the points that came cannot be a file: a packed one, whose head counts more.
    [[nodiscard]] bool can_end_early() const;

private:
    void keep_for_sheet(const Generated& block);
    void write_sheet() const;

    GeneratedFiles files_;
    bool overwrite_;
    PointWriter points_;
    bool labels_beside_ = false;  ///< the format of the points has a place for labels
    std::optional<LabelWriter> labels_;
    std::optional<PointWriter> truth_;
    Points sheet_;
    Index sheet_images_ = 0;
    Index image_height_;
    Index image_width_;
};

}  // namespace isogon::cli
