#pragma once
#include <string>
#include <vector>

#include "isogon/methods/fit_extras.hpp"

namespace isogon {

/// An option that says how edges are found or weighed, and whether it was asked for.
struct EdgeOption {
    std::string name{};
    std::string value{};
    bool asked_for = false;
};

/// For methods whose edges may come from outside. If `extras` has affinities: throws InvalidArgument if it has
/// neighbours too, or if one of `options` was asked for, which would change nothing; InputError as
/// require_affinities() does (graph/affinities.hpp). O(entries).
void require_given_edges(const FitExtras& extras, Index points, const std::vector<EdgeOption>& options);

}  // namespace isogon
