#include "methods/given_edges.hpp"

#include "isogon/core/error.hpp"
#include "isogon/graph/affinities.hpp"

namespace isogon {

void require_given_edges(const FitExtras& extras, Index points, const std::vector<EdgeOption>& options) {
    if (extras.affinities == nullptr) {
        return;
    }
    if (extras.neighbors != nullptr) {
        throw InvalidArgument("neighbor graph", "given beside affinities",
                              "would not be looked at, as affinities are made of it: give one of the two");
    }
    for (const EdgeOption& option : options) {
        if (option.asked_for) {
            throw InvalidArgument(option.name, option.value,
                                  "has no effect where affinities are given: leave it out, or these");
        }
    }
    require_affinities(*extras.affinities, points, "affinities");
}

}  // namespace isogon
