#include "faithful/dimension_search.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"

namespace isogon {

namespace {

/// The state of the search.
struct Search {
    double recall;
    const FitInDimensions& fit;
    Summary spent;                  ///< its seconds are those of all fits
    std::map<Index, double> curve;  ///< share of the neighbours kept, by dimension

    /// Without coordinates where the fit was interrupted before there were any; throws Interruption for the first one.
    Embedding fit_in(Index d, const Embedding* wider) {
        Embedding fitted;
        try {
            fitted = fit(d, wider, spent);
        } catch (const Interruption& interruption) {
            if (curve.empty()) {
                throw;
            }
            fitted.summary.termination = interruption.reason;
            return fitted;
        }
        spent.seconds = fitted.summary.seconds;
        if (fitted.summary.usable() && !was_interrupted(fitted.summary.termination)) {
            curve[d] = fitted.summary.value("kept_neighbors");
        }
        return fitted;
    }
    [[nodiscard]] bool keeps_enough(Index d) const {
        const auto found = curve.find(d);
        return found != curve.end() && found->second >= recall;
    }
};

std::string dimensions_keep(Index d, double kept) {
    return std::to_string(d) + (d == 1 ? " dimension keeps " : " dimensions keep ") + rounded(kept);
}

/// The measures and the sentence that say what was found.
void record(const Search& search, Index found, bool complete, Embedding& result) {
    Summary& summary = result.summary;
    summary.seconds = search.spent.seconds;
    for (const auto& [d, kept] : search.curve) {
        summary.measure("kept_neighbors_in_" + std::to_string(d), kept);
    }
    if (!search.curve.contains(found)) {
        return;  // the first fits themselves were interrupted
    }
    std::string text = dimensions_keep(found, search.curve.at(found)) + " of all neighbours";
    if (complete && !search.keeps_enough(found)) {
        summary.warn(text + ", less than recall = " + rounded(search.recall) + ": raise iterations, or lower recall");
    }
    if (const auto fewer = search.curve.find(found - 1); fewer != search.curve.end()) {
        text += ", " + std::to_string(found - 1) + (found == 2 ? " keeps " : " keep ") + rounded(fewer->second);
    }
    summary.message = text + (complete ? "" : "; the search was interrupted") + "; " + summary.message;
}

}  // namespace

Embedding fit_in_fewest_dimensions(double recall, Index most, const FitInDimensions& fit, const Summary& before) {
    constexpr Index first_dimension = 8;
    Search search{.recall = recall, .fit = fit, .spent = before, .curve = {}};
    Index too_few = 0;
    Index enough = std::min(first_dimension, most);
    Embedding best = search.fit_in(enough, nullptr);
    while (search.curve.contains(enough) && !search.keeps_enough(enough) && enough < most) {
        too_few = enough;
        enough = std::min(2 * enough, most);
        Embedding wider = search.fit_in(enough, nullptr);
        if (!search.curve.contains(enough)) {
            best.summary.termination = wider.summary.termination;
            record(search, too_few, false, best);
            return best;
        }
        best = std::move(wider);
    }
    while (search.keeps_enough(enough) && enough - too_few > 1) {
        const Index middle = too_few + (enough - too_few) / 2;
        Embedding narrower = search.fit_in(middle, &best);
        if (!search.curve.contains(middle)) {
            best.summary.termination = narrower.summary.termination;
            record(search, enough, false, best);
            return best;
        }
        if (search.keeps_enough(middle)) {
            enough = middle;
            best = std::move(narrower);
        } else {
            too_few = middle;
        }
    }
    record(search, enough, true, best);
    return best;
}

Points in_fewer_dimensions(const Points& coordinates, Index d, const RunContext& context) {
    return project(coordinates.view(), truncated_svd(coordinates.view(), d, context), context);
}

}  // namespace isogon
