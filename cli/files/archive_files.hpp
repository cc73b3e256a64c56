#pragma once
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Reads a model or an index. Its memory is stated from the file's head before it is taken: InputError, LimitExceeded.
[[nodiscard]] Archive read_archive_within(const std::string& path, Session& session);

/// The user's own neighbour lists: what isogon neighbors writes (.safetensors, with distances), or a table of whole
/// numbers, one row a point, nearest first (.npy, .ivecs, .csv, .tsv). Throws InputError unless there is one list for
/// each of `points` points, with everything that require_neighbor_lists() asks.
[[nodiscard]] NeighborLists read_neighbor_graph(const std::string& path, Index points);

}  // namespace isogon::cli
