#pragma once
// Declarations that the parts of isogon convert share.

#include <optional>
#include <string>
#include <vector>

#include "codes/vector_codes.hpp"
#include "files/input_files.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "program/json.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

struct Convert {
    std::vector<std::string> files;  ///< the inputs, then the output, as cp has its target last
    std::vector<std::string> labels;
    std::string save_labels;
    std::string metric;  ///< metric of an index of faiss
    std::string model;   ///< a linear model that such an index begins with
    bool standardize = false;
    std::string standardize_by;  ///< file whose columns' means and deviations are taken; empty: the inputs' own
    InputFlags reading;

    [[nodiscard]] std::vector<std::string> inputs() const { return {files.begin(), files.end() - 1}; }
    [[nodiscard]] const std::string& output() const { return files.back(); }
};

/// Vectors kept in an archive: codes, or the coordinates of a model.
struct ArchivedVectors {
    std::optional<VectorCodes> codes{};
    Archive model{};  ///< if there are no codes

    [[nodiscard]] PointsView coordinates() const;
    [[nodiscard]] Index count() const { return codes ? codes->count() : coordinates().count; }
    [[nodiscard]] Index dimension() const { return codes ? codes->dimension() : coordinates().dimension; }
    /// {"files": ..., "points": n, "dimension": d, "bytes": of a code, if they are codes}
    [[nodiscard]] Json json(const std::string& file) const;
};

/// Whether a file holds codes or a model.
[[nodiscard]] bool holds_vectors(const std::string& input);

/// Reads them. Throws UsageError for several inputs and for flags of files of points, InputError for a model that keeps
/// no coordinates.
[[nodiscard]] ArchivedVectors read_archived(const Convert& verb, Session& session);

/// Whether the name is of a file for a search engine: .faiss, or .copy for PostgreSQL.
[[nodiscard]] bool is_engine_name(const std::string& path);

/// Writes such a file, of points, codes or a model's coordinates.
[[nodiscard]] Outcome convert_for_engine(const Convert& verb, Session& session);

}  // namespace isogon::cli
