#include "methods/matching/faithful_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/faithful/local_objective.hpp"
#include "isogon/forces/sampled_layout.hpp"
#include "isogon/methods/forces.hpp"
#include "isogon/neighbors/given_neighbors.hpp"
#include "isogon/neighbors/metric_rows.hpp"
#include "isogon/pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr Index most_rows_of_svd = 100000;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Scaled so that the median distance of the K-th neighbours is that of the lists.
Points in_unit_of(const NeighborLists& lists, Points y) {
    std::vector<double> wanted;
    std::vector<double> found;
    for (Index i = 0; i < y.count(); ++i) {
        wanted.push_back(double{lists.distances_of(i).back()});
        found.push_back(distance_between(y[i], y[lists[i].back()], Metric::Euclidean));
    }
    const double scale = median(std::move(wanted)) / std::max(median(std::move(found)), 1e-30);
    for (float& value : y.values()) {
        value = static_cast<float>(double{value} * scale);
    }
    return y;
}

Points laid_out(Embedding layout, const NeighborLists& lists) {
    if (const Termination end = layout.summary.termination;
        end == Termination::Cancelled || end == Termination::TimeLimit) {
        throw Interruption{end};
    }
    return in_unit_of(lists, std::move(layout.coordinates));
}

}  // namespace

Points principal_components(const DistributedPoints& points, Index d, std::uint64_t seed, const RunContext& context) {
    if (points.count() <= most_rows_of_svd) {
        const Points gathered = points.is_distributed() ? points.gather_range({0, points.count()}) : Points();
        const PointsView all = points.is_distributed() ? gathered.view() : points.local();
        return project(all, truncated_svd(all, d, true, context), context);
    }
    const auto rows = sample_rows(points.count(), most_rows_of_svd, seed, RandomStream::StartSample);
    return project(points, truncated_svd(points.gather_rows(rows).view(), d, true, context), context);
}

std::uint64_t start_bytes(Index count, Index dimension, Index d) {
    const Index rows = std::min(count, most_rows_of_svd);
    const std::uint64_t sample = count == rows ? 0 : std::uint64_t{rows} * dimension * sizeof(float);
    return sample + truncated_svd_bytes(rows, dimension, d);
}

Points sampled_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                      const RunContext& context) {
    if (!std::getenv("ISO_UMAP") && points.dimension > 0) {
        const auto number = [](const char* name, double value) { const char* t = std::getenv(name); return t ? std::atof(t) : value; };
        std::vector<float> radii(lists.count());
        for (Index i = 0; i < lists.count(); ++i) radii[i] = std::max(lists.distances_of(i).back(), 1e-30F);
        const LocalTargets targets = local_targets(lists, NearTargets::Distances, d);
        // both halves; weight 1, 2 where mutual
        std::vector<std::vector<Index>> into(lists.count());
        CsrMatrix<double> edges{.rows = lists.count(), .columns = lists.count()};
        std::vector<std::vector<std::pair<Index, double>>> rows(lists.count());
        for (Index i = 0; i < lists.count(); ++i) for (Index j : lists[i]) {
            const auto other = lists[j];
            const bool mutual = std::ranges::find(other, i) != other.end();
            rows[i].push_back({j, mutual ? 2.0 : 1.0});
            if (!mutual) rows[j].push_back({i, 1.0});
        }
        for (Index i = 0; i < lists.count(); ++i) {
            std::ranges::sort(rows[i]);
            for (auto [j, w] : rows[i]) { edges.indices.push_back(j); edges.values.push_back(w); }
            edges.offsets.push_back(edges.indices.size());
        }
        const Points pca = in_unit_of(lists, principal_components(points, d, seed, context));
        MultiVector<double> start(pca.count(), d);
        const double shrink = number("ISO_SHRINK", 1.0);
        for (Index i = 0; i < pca.count(); ++i) for (Index c = 0; c < d; ++c) start.row(i)[c] = shrink * double{pca[i][c]};
        const int epochs = int(number("ISO_EPOCHS", 200));
        SampledLayout layout(edges, start, {.epochs = epochs, .negatives = int(number("ISO_NEG", 5)), .learning_rate = number("ISO_RATE", 0.3), .seed = seed, .radii = radii}, context);
        (void)layout.run_to(epochs);
        return in_unit_of(lists, layout.outputs());
    }
    UmapOptions options;
    options.dimension = static_cast<int>(d);
    options.neighbors = static_cast<int>(lists.size);
    options.start = points.dimension > 0 && !std::getenv("ISO_SPECTRAL") ? UmapStart::Pca : UmapStart::Spectral;
    if (const char* text = std::getenv("ISO_EPOCHS")) options.epochs = std::atoi(text);
    if (const char* text = std::getenv("ISO_NEG")) options.negatives = std::atoi(text);
    if (const char* text = std::getenv("ISO_MIND")) options.min_distance = std::atof(text);
    if (std::getenv("ISO_CAUCHY")) options.kernel = UmapKernel::Cauchy;
    options.seed = seed;
    FitExtras extras;
    extras.neighbors = &lists;
    return laid_out(umap(points, options, context, extras), lists);
}

Points map_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                  const RunContext& context) {
    TsneOptions options;
    options.dimension = static_cast<int>(d);
    options.seed = seed;
    if (points.dimension > 0 && !std::getenv("ISO_OWN")) {
        return laid_out(tsne(points, options, context), lists);
    }
    FitExtras extras;
    extras.neighbors = &lists;
    options.start = LayoutStart::Pca;
    return laid_out(tsne(points, options, context, extras), lists);
}

}  // namespace isogon
