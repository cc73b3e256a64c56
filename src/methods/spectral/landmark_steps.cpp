#include "methods/spectral/landmark_steps.hpp"

#include "isogon/core/points.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "methods/series/shared_steps.hpp"
#include "methods/spectral/distributed_steps.hpp"

namespace isogon {

namespace {

LandmarkSet landmark_set(const SpectralRun& run) {
    return {static_cast<Index>(run.landmarks->landmarks), run.landmarks->selection, run.seed};
}

}  // namespace

std::vector<Index> landmark_rows(const SpectralRun& run, Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "choose landmarks");
    const LandmarkSet set = landmark_set(run);
    const auto choose = [&] {
        std::vector<Index> rows;
        run_step(run.ranks,
                 [&] { rows = choose_landmarks(ViewRows(run.points), set.count, set.selection, set.seed, context); });
        return rows;
    };
    return run.shared == nullptr ? choose() : run.shared->landmarks(set, choose);
}

CsrMatrix<double> weights_towards(const PointsView& landmarks, Index neighbors, double ridge, const SpectralRun& run,
                                  Summary& summary, const RunContext& context) {
    const PointsView points = local_points(run.points, run.ranks);
    NeighborLists lists;
    {
        const PhaseTimer timer(summary, "nearest landmarks");
        lists = exact_neighbors(points, landmarks, neighbors, run.metric, context);
    }
    const PhaseTimer timer(summary, "landmark weights");
    return barycentric_weights(points, landmarks, lists, ridge, context);
}

const CsrMatrix<double>& landmark_weights(const PointsView& landmarks, Index neighbors, const SpectralRun& run,
                                          CsrMatrix<double>& own, Summary& summary, const RunContext& context) {
    const double ridge = run.landmarks->ridge;
    const auto weigh = [&] { return weights_towards(landmarks, neighbors, ridge, run, summary, context); };
    if (run.shared != nullptr) {
        return run.shared->weights({landmark_set(run), neighbors, ridge, run.metric}, weigh);
    }
    own = weigh();
    return own;
}

}  // namespace isogon
