#include "methods/forces/layout_edges.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/affinities.hpp"
#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

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

namespace {

constexpr double neighbors_a_perplexity = 3.0;

}  // namespace

int neighbors_of_perplexity(double perplexity, Index points) {
    const double others = static_cast<double>(points) - 1.0;
    return static_cast<int>(std::clamp(std::floor(neighbors_a_perplexity * perplexity), 1.0, others));
}

std::optional<double> fitting_perplexity(const std::optional<double>& given, Index points, const NeighborLists* lists) {
    if (given) {
        if (!(*given > 1.0 && *given < static_cast<double>(points))) {
            throw InvalidArgument("perplexity", to_text(OptionValue{*given}),
                                  "must be above 1 and below " + std::to_string(points) + ", the number of points");
        }
        return given;
    }
    const double others = static_cast<double>(points) - 1.0;
    const double known = lists == nullptr ? others : std::min(others, static_cast<double>(lists->size));
    const double third = known / neighbors_a_perplexity;
    constexpr double usual = 30.0;  // van der Maaten and Hinton 2008: 5 to 50
    return third > 1.0 ? std::optional(std::min(usual, third)) : std::nullopt;
}

CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                     const std::optional<double>& perplexity, Summary& summary,
                                     const RunContext& context) {
    NeighborLists lists = neighbors_of(points, wanted, summary, context);
    const PhaseTimer timer(summary, "affinities");
    const bool all_listed = std::uint64_t{lists.size} + 1 == lists.count();
    const bool all_weigh = all_listed && perplexity && *perplexity >= static_cast<double>(lists.size);
    return joint_probabilities(std::move(lists), all_weigh ? std::nullopt : perplexity, context);
}

}  // namespace isogon
