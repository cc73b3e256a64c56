#pragma once
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Reads a model or an index; its memory is stated from the header first. Throws InputError, LimitExceeded.
[[nodiscard]] Archive read_archive_within(const std::string& path, Session& session);

/// Neighbour lists given by the user: a file of isogon neighbors (.safetensors, with distances), or a table of
/// integers, one row for each point, nearest first (.npy, .ivecs, .csv, .tsv). Throws InputError unless there are
/// `points` lists that fulfil require_neighbor_lists().
[[nodiscard]] NeighborLists read_neighbor_graph(const std::string& path, Index points);

}  // namespace isogon::cli
