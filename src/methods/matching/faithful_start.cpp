#include "methods/matching/faithful_start.hpp"

#include <algorithm>

#include "isogon/decomposition/relu_decomposition.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr Index most_rows_of_svd = 100000;

}  // namespace

TruncatedSvd start_directions(const DistributedPoints& points, Index d, std::uint64_t seed, const RunContext& context) {
    if (points.count() <= most_rows_of_svd) {
        return truncated_svd(points, d, context);
    }
    const auto rows = sample_rows(points.count(), most_rows_of_svd, seed, RandomStream::StartSample);
    return truncated_svd(points.gather_rows(rows).view(), d, false, context);
}

std::uint64_t start_bytes(Index count, Index dimension, Index d) {
    const Index rows = std::min(count, most_rows_of_svd);
    const std::uint64_t sample = count == rows ? 0 : std::uint64_t{rows} * dimension * sizeof(float);
    return sample + truncated_svd_bytes(rows, dimension, d);
}

Points tsm_start(const Similarities& s, const Points& projections, const FaithfulOptions& options,
                 const RunContext& context) {
    constexpr int updates = 100;  // more cost as much as they save
    const auto d = static_cast<Index>(options.dimension.value_or(0));
    const double tau = s.threshold;
    ReluDecomposition state(s, initial_matrix(projections, tau), {.rank = d, .seed = options.seed}, context);
    const Termination end = state.run_to(updates);
    if (end == Termination::TimeLimit || end == Termination::Cancelled) {
        throw Interruption{end};
    }
    return outputs_from_matrix(state.matrix(), tau, d, context).outputs;
}

}  // namespace isogon
