#pragma once
#include <memory>
#include <string_view>

#include "isogon/core/archive.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// Adds to a model what the map of new points of such a fit needs, and the note that names the kind of map.
void write_map(std::string_view method, const PointsView& x, const Embedding& fitted, Archive& model);

/// The map that write_map() has written; borrows the model's arrays. Throws InputError for an archive that is no model
/// of a method with a transform, LimitExceeded.
[[nodiscard]] std::unique_ptr<NewPointMap> read_map(const Archive& model, const RunContext& context);

}  // namespace isogon
