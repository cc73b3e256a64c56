#include "methods/matching/faithful_start.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/random.hpp"
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

Points given_start(const FitExtras& extras) {
    Points start(extras.start.count, extras.start.dimension);
    for (Index i = 0; i < start.count(); ++i) {
        std::copy(extras.start[i].begin(), extras.start[i].end(), start[i].begin());
    }
    return start;
}

MultiVector<float> on_spheres(const PointsView& coordinates, const std::vector<float>& lengths, std::uint64_t seed) {
    const std::vector<double> norms_of_start = norms(coordinates);
    MultiVector<float> start(coordinates.count, coordinates.dimension);
    for (Index i = 0; i < coordinates.count; ++i) {
        std::vector<double> row(coordinates[i].begin(), coordinates[i].end());
        double length = norms_of_start[i];
        Random random(seed, RandomStream::FaithfulStart, i);
        while (length == 0.0) {
            double square = 0.0;
            for (double& value : row) {
                value = random.normal();
                square += value * value;
            }
            length = std::sqrt(square);
        }
        for (std::size_t k = 0; k < row.size(); ++k) {
            start.row(i)[k] = static_cast<float>(row[k] * double{lengths[i]} / length);
        }
    }
    return start;
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
