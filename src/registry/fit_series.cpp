#include "registry/fit_series.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/shared_steps.hpp"

namespace isogon {

namespace {

/// The size of the lists is known in advance only where the number of neighbours is an option.
bool shares_neighbors(const Method& method) {
    return method.uses_neighbors && !method.searches_alone && find_option(method.options, "neighbors") != nullptr;
}

/// The lists that the fits will request.
struct Lists {
    Index most = 0;  ///< neighbours
    std::uint64_t bytes = 0;
};

Lists lists_of(const std::vector<FitRequest>& wanted, Index n) {
    std::set<std::tuple<OptionValue, OptionValue, std::uint64_t>> searches;
    Lists lists;
    for (const auto& fit : wanted) {
        const Method& method = find_method(fit.method);
        const auto option = [&](const char* name) { return option_of(method.options, fit.options, name); };
        const std::uint64_t size = positive_number(option("neighbors"));
        if (!shares_neighbors(method) || size == 0 || size >= n) {
            continue;  // the method will refuse n and more
        }
        lists.most = std::max(lists.most, static_cast<Index>(size));
        if (searches.emplace(option("metric"), option("seed"), size).second) {
            lists.bytes += neighbor_bytes(n, size);
        }
    }
    return lists;
}

}  // namespace

struct FitSeries::Kept {
    PointsView x;
    RunContext context;
    SharedSteps steps;
};

FitSeries::FitSeries(const PointsView& x, const std::vector<FitRequest>& wanted, const RunContext& context) {
    require_points(x, 1);
    const Lists lists = lists_of(wanted, x.count);
    const std::uint64_t held = require_memory(context, {{"neighbours that fits share", lists.bytes}},
                                              "raise the limit, or leave out methods or neighbours");
    kept_ = std::make_unique<Kept>(Kept{x, beside(context, held), SharedSteps(lists.most)});
}

FitSeries::~FitSeries() = default;

FitSeries::Fit FitSeries::fit(const FitRequest& wanted) {
    const Method& method = find_method(wanted.method);
    FitExtras extras;
    extras.shared = shares_neighbors(method) ? &kept_->steps : nullptr;
    Fit fit;
    fit.seconds = kept_->steps.seconds_beside(
        [&] { fit.fitted = method.embed(kept_->x, wanted.options, kept_->context, extras); });
    return fit;
}

const Summary& FitSeries::shared() const {
    return kept_->steps.spent();
}

}  // namespace isogon
