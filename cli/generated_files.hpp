#pragma once
#include <string>

#include "isogon/synthetic/generator.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Where the parts of a generated set go; empty for those not asked for.
struct GeneratedFiles {
    std::string points;
    std::string labels;
    std::string truth;
    std::string sheet;  ///< PNG: a picture of the first 400 images
};

/// Throws UsageError, before work starts, for a name that cannot be written or tells no format, and for a part that
/// the generator does not make (`one` is a single point of it).
void require_files(const GeneratedFiles& files, const Session& session);
void require_parts(const GeneratedFiles& files, const std::string& generator, const Generated& one);

/// Throws OutputError.
void write_files(const GeneratedFiles& files, const Generated& made, Session& session);

}  // namespace isogon::cli
