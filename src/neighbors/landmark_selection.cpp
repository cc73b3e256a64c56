#include "isogon/neighbors/landmark_selection.hpp"

#include <algorithm>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "neighbors/distance_sampling.hpp"
#include "neighbors/farthest_points.hpp"

namespace isogon {

namespace {

constexpr Index most_pending = 1008;  // 21 panels: what a pass over the rows is worth reading them for

/// A uniform sample of the rows that are not chosen yet.
void add_any(std::vector<Index>& chosen, Index rows, Index count, std::uint64_t seed) {
    std::sort(chosen.begin(), chosen.end());
    std::vector<Index> others;
    for (Index row = 0; row < rows; ++row) {
        if (!std::binary_search(chosen.begin(), chosen.end(), row)) {
            others.push_back(row);
        }
    }
    const auto missing = static_cast<Index>(count - chosen.size());
    for (const Index i : sample_rows(static_cast<Index>(others.size()), missing, seed, RandomStream::Landmarks)) {
        chosen.push_back(others[i]);
    }
}

std::vector<Index> choose_by_distance(const RowSource& source, Index count, std::uint64_t seed,
                                      const RunContext& context) {
    const DistanceSampling::Batch batch{.least = 1, .most = std::min(count, most_pending)};
    require_memory(context, {{"distances and blocks of rows", DistanceSampling::bytes(source, batch)}},
                   "raise the limit, or choose landmarks at random");
    DistanceSampling sampling(source, seed, batch, context);
    bool more = true;
    while (more && sampling.chosen().size() < count) {
        more = sampling.choose(count);
        context.report({"landmarks", sampling.chosen().size(), count, 0.0});
    }
    std::vector<Index> chosen(sampling.chosen().begin(), sampling.chosen().end());
    if (chosen.size() < count) {
        add_any(chosen, source.count(), count, seed);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace

std::vector<Index> choose_landmarks(const RowSource& source, Index count, LandmarkSelection selection,
                                    std::uint64_t seed, const RunContext& context) {
    if (count < 1 || count > source.count()) {
        throw InvalidArgument(
            "landmarks", std::to_string(count),
            "must be at least 1 and at most " + std::to_string(source.count()) + ", the number of points");
    }
    if (selection == LandmarkSelection::Random) {
        return sample_rows(source.count(), count, seed, RandomStream::Landmarks);
    }
    if (selection == LandmarkSelection::Farthest) {
        require_memory(context, {{"distances and blocks of rows", farthest_points_bytes(source)}},
                       "raise the limit, or choose landmarks at random");
        std::vector<Index> chosen = farthest_points(source, count, seed, context);
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    }
    return choose_by_distance(source, count, seed, context);
}

}  // namespace isogon
