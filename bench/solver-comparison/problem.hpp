#pragma once
#include <algorithm>
#include <vector>

#include "decomposition/sphere_objective.hpp"
#include "linalg/truncated_svd.hpp"
#include "pairs/isolated_points.hpp"
#include "pairs/matching_problem.hpp"

namespace isogon::bench {

/// The data of all solvers: S of points of length 1, and the start, both as `tsm` on spheres makes them.
struct Problem {
    Similarities similarities;
    std::vector<float> lengths;
    MultiVector<float> start;  ///< n x d, on the spheres
};

/// `x` of unit lengths or zero.
inline Similarities similarities_of(const PointsView& x, double threshold, const RunContext& context) {
    Summary summary;
    MatchingProblem problem = prepare_matching(x, threshold, false, context, summary);
    const std::vector<Index> degrees = support_degrees(problem.similarities.upper);
    const std::vector<double> lengths = norms(x);
    std::vector<Index> isolated;
    for (Index i = 0; i < x.count; ++i) {
        if (degrees[i] == 0 && lengths[i] > 0.0) {
            isolated.push_back(i);
        }
    }
    (void)support_isolated(x, isolated, 10, problem.similarities, context);
    return std::move(problem.similarities);
}

/// The directions of the SVD coordinates. No digit lies at right angles to all of them.
inline MultiVector<float> start_from_svd(const PointsView& x, Index d, const RunContext& context) {
    const Points y = project(x, truncated_svd(x, d, false, context), context);
    const std::vector<double> lengths = norms(y.view());
    MultiVector<float> start(y.count(), d);
    for (Index i = 0; i < y.count(); ++i) {
        for (Index k = 0; k < d && lengths[i] > 0.0; ++k) {
            start.row(i)[k] = static_cast<float>(double{y[i][k]} / lengths[i]);
        }
    }
    return start;
}

}  // namespace isogon::bench
