// How does the low-rank unfolding grow with n, and what does its bound prove? See README.md beside this file.
#include <algorithm>
#include <cstdio>
#include <string>

#include "../arguments.hpp"
#include "../timing.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "quality/known_truth.hpp"
#include "semidefinite/low_rank_unfolding.hpp"
#include "synthetic/point_clouds.hpp"

namespace {

using namespace isogon;

constexpr const char* help =
    "bench [--points 200,500,1000,2000,5000,20000] [--neighbors 6] [--noise 0] [--tolerance 1e-3] [--iterations 500]\n"
    "      [--seed 0] [--threads 0] [--seconds 600]\n"
    "Unfolds swiss rolls by R of few columns.\n";

MultiVector<double> start_of(const Points& points) {
    MultiVector<double> start(points.count(), points.dimension());
    std::copy(points.values().begin(), points.values().end(), start.values().begin());
    return start;
}

/// |truth - aligned| / |truth| of the first two coordinates, after the best rotation and scale.
double procrustes_error(const Unfolding& unfolding, const Points& truth) {
    Points two(truth.count(), truth.dimension());
    for (Index i = 0; i < truth.count(); ++i) {
        for (Index c = 0; c < std::min(two.dimension(), unfolding.outputs.columns()); ++c) {
            two[i][c] = static_cast<float>(unfolding.outputs.at(i, c));
        }
    }
    return align(two.view(), truth.view()).error;
}

double share_of_two(const Unfolding& unfolding) {
    double sum = 0.0;
    for (const double value : unfolding.eigenvalues) {
        sum += value;
    }
    const double second = unfolding.eigenvalues.size() > 1 ? unfolding.eigenvalues[1] : 0.0;
    return (unfolding.eigenvalues[0] + second) / sum;
}

const char* name(SemidefiniteStatus status) {
    switch (status) {
        case SemidefiniteStatus::Solved: return "solved";
        case SemidefiniteStatus::Interrupted: return "interrupted";
        default: return "not converged";
    }
}

void print_row(const Generated& roll, std::size_t pairs, const Unfolding& unfolding, double seconds) {
    std::printf("| %u | %zu | %.1f | %lld | %s | %.8g | %.8g | %.1e | %.1e | %u | %.4f | %.4f |\n", roll.points.count(),
                pairs, seconds, static_cast<long long>(unfolding.iterations), name(unfolding.status), unfolding.trace,
                unfolding.bound, unfolding.gap, unfolding.largest_violation, unfolding.outputs.columns(),
                share_of_two(unfolding), procrustes_error(unfolding, roll.truth));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const bench::Arguments arguments(count, words, help);
    const auto neighbors = static_cast<Index>(arguments.number("--neighbors", 6));
    const LowRankOptions options{.tolerance = arguments.number("--tolerance", 1e-3),
                                 .iterations = static_cast<std::int64_t>(arguments.number("--iterations", 500))};
    std::printf("Swiss rolls, %u neighbours and shared ones, tolerance %g\n\n", neighbors, options.tolerance);
    std::printf(
        "| n | distances | s | steps | status | trace | bound | gap | violation | columns | two eigenvalues | "
        "Procrustes error |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const unsigned n : arguments.numbers("--points", "200,500,1000,2000,5000,20000")) {
        const Generated roll = swiss_roll(n, static_cast<std::uint64_t>(arguments.number("--seed", 0)),
                                          {.noise = arguments.number("--noise", 0.0)});
        const NeighborLists lists = exact_neighbors(roll.points.view(), neighbors, Metric::Euclidean, RunContext{});
        const DistanceConstraints constraints =
            distance_constraints(roll.points.view(), lists, KeptPairs::SharedNeighbors);
        RunContext context;
        context.threads = static_cast<int>(arguments.number("--threads", 0));
        context.limit_seconds(arguments.number("--seconds", 600));
        const bench::Stopwatch watch;
        const Unfolding unfolding = unfold_low_rank(start_of(roll.points), n, constraints, options, context);
        print_row(roll, constraints.size(), unfolding, watch.seconds());
    }
    return 0;
}
