#include "pairs/matching_problem.hpp"

#include <algorithm>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "pairs/isolated_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/positive_pairs.hpp"
#include "pairs/threshold.hpp"

namespace isogon {

namespace {

// Above this share of isolated points a warning is given. The automatic threshold leaves at most a quarter, of a
// sample, so that only a threshold that someone chose has such a share.
constexpr double many_isolated = 1.0 / 3.0;

Index count_zero_vectors(const Similarities& s) {
    return static_cast<Index>(std::count(s.diagonal.begin(), s.diagonal.end(), 0.0F));
}

void refuse_if_mostly_isolated(const DistributedPoints& x, Index isolated, Index points, double threshold,
                               const RunContext& context) {
    if (2 * std::uint64_t{isolated} > points) {
        const double advised = choose_threshold(x, {}, context).threshold;
        throw InvalidArgument("threshold", to_text(threshold),
                              std::to_string(isolated) + " of " + std::to_string(points) +
                                  " points have no neighbour above it; a threshold of " + rounded(advised) +
                                  " leaves 1% of all pairs above");
    }
}

}  // namespace

MatchingProblem prepare_matching(const DistributedPoints& points, double threshold, bool virtual_inputs,
                                 const RunContext& context, Summary& summary) {
    const DistributedPoints x = distributed(points);
    MatchingProblem problem;
    problem.points = x;
    problem.inputs = x.count();
    problem.similarities = thresholded_similarities(x, threshold, context);
    const std::vector<Index> isolated = isolated_points(problem.similarities);
    const Index zeros = count_zero_vectors(problem.similarities);
    const auto count = static_cast<Index>(isolated.size());
    refuse_if_mostly_isolated(x, count, x.count() - zeros, threshold, context);
    summary.count("isolated", count);
    summary.count("zero_vectors", zeros);
    if (count > many_isolated * x.count()) {
        summary.warn(
            std::to_string(count) + " of " + std::to_string(x.count()) +
            " points have no neighbour above the threshold: their positions are not informative; lower the threshold");
    }
    Index added = 0;
    if (virtual_inputs && count > 0) {
        VirtualInputs bridged = add_virtual_inputs(x, isolated, threshold, context);
        added = bridged.added;
        if (bridged.unreachable > 0) {
            summary.warn(std::to_string(bridged.unreachable) +
                         " points lie 90 degrees or more from all others: nothing ties them to the rest");
        }
        problem.extended = std::move(bridged.points);
        problem.points = ranks_of(x).distributed(problem.extended.view(), pair_blocks(x.count() + added));
        append_points(problem.points, problem.similarities, context);
    }
    summary.count("virtual_inputs", added);
    summary.count("support_pairs", static_cast<double>(problem.similarities.pairs()));
    const double pairs = 0.5 * problem.points.count() * (problem.points.count() - 1.0);
    summary.measure("sparsity", 1.0 - static_cast<double>(problem.similarities.pairs()) / pairs);
    return problem;
}

std::uint64_t similarities_bytes(Index count, Index dimension, double density, const RankGroup& ranks) {
    constexpr double bytes_an_entry = 20.0;  // 12 as collected, 8 as assembled
    // Packed inputs are freed before S is assembled, but nearly all entries are collected before that. A rank stores
    // the entries of its local points, in both halves.
    const auto own_count = static_cast<Index>(ranks.own_rows(pair_blocks(count)).size());
    const double own = static_cast<double>(own_count) / std::max<double>(1.0, count);
    const std::uint64_t packed =
        ranks.is_shared() ? pair_ring_bytes(own_count, dimension) : 2 * PackedPoints::bytes(count, dimension + 1);
    const double entries = 0.5 * density * count * static_cast<double>(count) * own * (2.0 - own);
    return static_cast<std::uint64_t>(bytes_an_entry * entries) + packed;
}

}  // namespace isogon
