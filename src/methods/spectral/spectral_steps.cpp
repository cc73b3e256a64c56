#include "methods/spectral/spectral_steps.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "linalg/multi_vector.hpp"
#include "methods/input_points.hpp"
#include "methods/shared_steps.hpp"
#include "methods/spectral/distributed_steps.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

void require_spectral_landmarks(const LandmarkOptions& options, Index points, Index dimension) {
    landmark_option_table().validate(options);
    if (options.extension == LandmarkExtension::Placement || options.extension == LandmarkExtension::Llx) {
        throw InvalidArgument("extension", options.extension == LandmarkExtension::Llx ? "llx" : "placement",
                              "belongs to faithful and tsm; spectral methods have lll, weights and nystrom");
    }
    const auto landmarks = static_cast<std::int64_t>(options.landmarks);
    if (landmarks <= std::int64_t{dimension} + 1 || landmarks >= std::int64_t{points}) {
        throw InvalidArgument("landmarks", std::to_string(landmarks),
                              "must be above " + std::to_string(dimension + 1) + ", the dimension and one, and below " +
                                  std::to_string(points) + ", the number of points; leave it out for an exact fit");
    }
    if (options.neighbors == 1 || options.neighbors > landmarks) {
        throw InvalidArgument("extension-neighbors", std::to_string(options.neighbors),
                              "must be at least 2 and at most " + std::to_string(landmarks) + ", the landmarks");
    }
}

namespace {

constexpr const char* less_memory = "raise the limit, or take fewer neighbors or fewer landmarks";

}  // namespace

// The bytes for the points of this process while the problem is made, then while it is solved.
void state_spectral(const SpectralFamily& family, const SpectralRun& run, const RunContext& context) {
    const auto points = static_cast<Index>(own_rows(run.points.count, run.ranks).size());
    const std::size_t parts = run.ranks == nullptr ? 1 : run.ranks->group().size();
    const ProblemBytes whole = family.bytes();
    const MemoryItem graph{"the graph", whole.made / parts};
    const MemoryItem problem{"the problem of all points", whole.held / parts};
    if (run.landmarks == nullptr) {
        require_memory(context, {graph}, "raise the limit, or take fewer neighbors");
        require_memory(context, {problem, {"eigenvectors", eigen_bytes(points, run.dimension)}},
                       "ask for fewer dimensions, or use landmarks");
        return;
    }
    const LandmarkExtension way = run.landmarks->extension;
    if (way == LandmarkExtension::Weights || way == LandmarkExtension::Nystrom) {
        return;  // of landmarks alone
    }
    const auto requested = static_cast<Index>(run.landmarks->neighbors);
    const Index neighbors = requested == 0 ? run.dimension + 1 : requested;
    const MemoryItem weights{"weights of landmarks",
                             std::uint64_t{points} * neighbors * (sizeof(Index) + sizeof(double))};
    require_memory(context, {weights, graph}, less_memory);
    require_memory(context, {weights, problem, {"coordinates", MultiVector<double>::bytes(points, run.dimension)}},
                   less_memory);
}

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

CsrMatrix<double> weights_towards(const BarycentricMap& mixtures, const SpectralRun& run, Summary& summary,
                                  const RunContext& context) {
    const Points landmarks = read_rows(ViewRows(run.points), mixtures.landmarks);
    const PointsView points = local_points(run.points, run.ranks);
    NeighborLists lists;
    {
        const PhaseTimer timer(summary, "nearest landmarks");
        lists = exact_neighbors(points, landmarks.view(), mixtures.neighbors, mixtures.metric, context);
    }
    const PhaseTimer timer(summary, "landmark weights");
    return barycentric_weights(points, landmarks.view(), lists, mixtures.ridge, context);
}

const CsrMatrix<double>& landmark_weights(const BarycentricMap& mixtures, const SpectralRun& run,
                                          CsrMatrix<double>& own, Summary& summary, const RunContext& context) {
    const auto weigh = [&] { return weights_towards(mixtures, run, summary, context); };
    if (run.shared != nullptr) {
        return run.shared->weights({landmark_set(run), mixtures.neighbors, mixtures.metric}, weigh);
    }
    own = weigh();
    return own;
}

namespace {

/// ", by SLEPc over 4 ranks"
std::string solver_text(const SpectralRanks* ranks) {
    if (ranks == nullptr) {
        return {};
    }
    const std::size_t count = ranks->group().size();
    return ", by " + std::string(ranks->solver()) + " over " + std::to_string(count) +
           (count == 1 ? " rank" : " ranks");
}

}  // namespace

void record_solution(const SpectralSolution& solution, const SpectralRanks* ranks, Summary& summary) {
    const Eigenpairs& pairs = solution.pairs;
    summary.termination = pairs.termination;
    summary.trace = pairs.trace;
    summary.count("iterations", pairs.iterations);
    summary.count("products", pairs.products);
    const double residual = pairs.largest_relative_residual();
    summary.measure("residual", residual);
    for (std::size_t j = 0; j < solution.eigenvalues.size(); ++j) {
        summary.measure("eigenvalue_" + std::to_string(j), solution.eigenvalues[j]);
    }
    summary.message = std::to_string(solution.eigenvalues.size()) + " eigenvectors (" +
                      std::string(name(pairs.method)) + solver_text(ranks) + "), |A x - lambda B x| up to " +
                      rounded(residual) + " of |lambda B x|";
    if (pairs.termination != Termination::Converged) {
        summary.warn({"not all eigenvectors have converged: the largest residual is " + rounded(residual) +
                          " of |lambda B x|; raise ",
                      Text::option("iterations"), " or ", Text::option("tolerance"), ", or use ",
                      Text::option("embed landmarks")});
    }
}

void restore_lengths(const PowerOfTwoScaling& unit, Embedding& result) {
    restore_unit(unit, result);
    for (auto& [what, value] : result.summary.measures) {
        value *= what.find("eigenvalue") != std::string::npos ? unit.unit() * unit.unit() : 1.0;
        value *= what == "mixture_error" ? unit.unit() : 1.0;
    }
}

namespace {

std::vector<double> eigenvalues_of(const Summary& summary) {
    std::vector<double> values;
    for (const auto& [what, value] : summary.measures) {
        if (what.starts_with("eigenvalue_")) {
            values.push_back(value);
        }
    }
    return values;
}

/// "2 of 5 eigenvalues are below 0.5"; empty if none is.
std::string those_below(double least, const std::vector<double>& values, std::ptrdiff_t& below) {
    below = std::count_if(values.begin(), values.end(), [&](double value) { return value < least; });
    return below == 0 ? std::string()
                      : std::to_string(below) + " of " + std::to_string(values.size()) + " eigenvalues are below " +
                            to_text(OptionValue{least});
}

}  // namespace

void warn_of_mixtures(Index points, const LandmarkOptions* landmarks, Summary& summary) {
    const bool of_landmarks = landmarks != nullptr && landmarks->extension == LandmarkExtension::Weights;
    const double rows = of_landmarks ? landmarks->landmarks : static_cast<double>(points);
    const double missed = summary.value("mixture_error");
    std::ptrdiff_t below = 0;
    const std::string which = those_below(rows * missed * missed, eigenvalues_of(summary), below);
    if (below > 0) {
        summary.warn(
            {which + ", what mixtures of landmarks miss of the points: these directions may be others than those of "
                     "all points; ask for fewer dimensions, raise ",
             Text::option("landmarks"), ", or take ", Text::option("extension"), " nystrom"});
    }
}

void warn_of_rounding(double rounding, Summary& summary) {
    std::ptrdiff_t below = 0;
    const std::string which = those_below(1e3 * rounding, eigenvalues_of(summary), below);
    summary.count("unresolved_directions", static_cast<double>(below));
    if (below > 0) {
        summary.warn(which +
                     ": kernels hold squares, and rounding may change these by more than a thousandth; "
                     "ask for fewer dimensions, or use pca, which keeps short directions beside long ones");
    }
}

}  // namespace isogon
