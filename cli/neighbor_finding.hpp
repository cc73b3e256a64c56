#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input_files.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "option_flags.hpp"
#include "session.hpp"

namespace isogon::cli {

/// What the verb neighbors was asked.
struct NeighborFlags {
    std::vector<std::string> inputs;
    std::vector<std::string> queries;
    std::string output;
    std::string distances;
    std::string save_index;
    std::optional<std::string> above;  ///< a cosine
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

/// Whether a name asks for an archive: an index, or a graph with its distances.
[[nodiscard]] bool is_archive(const std::string& path);

/// What a run found, whichever way.
struct FoundNeighbors {
    NeighborLists lists;  ///< or pairs: rows of two
    Summary summary;
    OptionValues options;
    Metric metric = Metric::Cosine;
};

/// Reads what the verb names and searches it: by all pairs, by an index built or read, or for pairs above a cosine.
/// `input` receives the points, unless an index brings them.
[[nodiscard]] FoundNeighbors find_neighbors(const NeighborFlags& verb, Input& input, Session& session);

}  // namespace isogon::cli
