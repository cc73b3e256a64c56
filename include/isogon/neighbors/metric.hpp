#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// What makes two points near. As a distance, so that less is always nearer:
///   Cosine        1 - cos(x, y), between 0 and 2; a zero vector has no direction and counts as at right angles to all
///   (1) InnerProduct  -x.y, of any sign; not a metric, and a point need not be its own nearest Euclidean     |x - y|
enum class Metric { Cosine, InnerProduct, Euclidean };

/// "cosine", "inner-product", "euclidean"
[[nodiscard]] std::string_view name(Metric metric);
/// The metric of that name; throws InvalidArgument listing the names there are.
[[nodiscard]] Metric find_metric(std::string_view name);
/// All names, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& metric_names();

}  // namespace isogon
