#include "methods/spectral_family.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/methods/landmark_selection.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "methods/distributed_steps.hpp"
#include "methods/input_points.hpp"
#include "methods/shared_steps.hpp"

namespace isogon {

namespace {

/// The ridge of mixtures after an exact fit, the usual one of LLE.
constexpr double usual_ridge = 1e-3;

Points to_points(const MultiVector<double>& x) {
    Points points(x.rows(), x.columns());
    for (Index i = 0; i < x.rows(); ++i) {
        std::transform(x.row(i), x.row(i) + x.columns(), points[i].begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    return points;
}

/// How far mixtures of landmarks are from their points: the root mean square of |x_i - sum_l z_il x_l|. O(n k D) time.
double mixture_error(const PointsView& x, const PointsView& landmarks, const CsrMatrix<double>& z,
                     const RunContext& context) {
    constexpr std::size_t rows_in_block = 256;
    const auto missed_by = [&](Index i, std::vector<double>& difference) {
        const auto point = x[i];
        std::copy(point.begin(), point.end(), difference.begin());
        for (std::size_t e = 0; e < z.row_indices(i).size(); ++e) {
            const auto landmark = landmarks[z.row_indices(i)[e]];
            for (Index k = 0; k < x.dimension; ++k) {
                difference[k] -= z.row_values(i)[e] * double{landmark[k]};
            }
        }
        return std::inner_product(difference.begin(), difference.end(), difference.begin(), 0.0);
    };
    const double missed = parallel_sum(context, x.count, rows_in_block, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        std::vector<double> difference(x.dimension);
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            sum += missed_by(static_cast<Index>(i), difference);
        }
        return sum;
    });
    return std::sqrt(missed / static_cast<double>(x.count));
}

class SpectralEmbedding {
public:
    SpectralEmbedding(SpectralFamily& family, const SpectralRun& run, const RunContext& context)
        : family_(family), run_(run), context_(context) {
        summary_.seed = run.seed;
        summary_.threads = context.thread_count();
    }

    [[nodiscard]] Embedding embed() {
        Embedding result;
        try {
            result.coordinates = run_.landmarks == nullptr ? exact(result) : on_landmarks(result);
            tell();
        } catch (const Interruption& interruption) {
            result.coordinates = Points();
            summary_.termination = interruption.reason;
            summary_.message = "ended before there were eigenvectors";
        }
        result.summary = std::move(summary_);
        return result;
    }

private:
    [[nodiscard]] EigenOptions eigen_options() const {
        return {.count = run_.dimension,
                .tolerance = run_.tolerance,
                .iterations = run_.iterations,
                .seed = run_.seed,
                .solver = run_.eigen_solver};
    }

    [[nodiscard]] Points exact_alone() {
        const SpectralProblem problem = family_.whole(summary_, context_);
        solve([&] { return solve_exactly(problem, eigen_options(), beside(context_, family_.bytes().held)); });
        tell_other_end(problem);
        return to_points(solution_.coordinates);
    }

    /// Of all points; of the solution this rank keeps its own rows. `own_weights` are those of landmarks; null:
    /// exactly.
    [[nodiscard]] Points by_ranks(const CsrMatrix<double>* own_weights) {
        solution_ = family_.by_ranks(*run_.ranks, {eigen_options(), own_weights}, summary_, context_);
        summary_.count("ranks", static_cast<double>(run_.ranks->communicator().size()));
        return whole_points(to_points(solution_.coordinates), run_.points.count, run_.ranks->communicator());
    }

    [[nodiscard]] Points exact(Embedding& result) {
        Points fitted = run_.ranks == nullptr ? exact_alone() : by_ranks(nullptr);
        std::vector<Index> rows = family_.kept();
        if (rows.empty()) {
            rows.resize(run_.points.count);
            std::iota(rows.begin(), rows.end(), Index{0});
        }
        const Index neighbors = std::min<Index>(std::max(run_.neighbors, run_.dimension + 1), fitted.count());
        result.barycentric_map = {rows, std::move(fitted), neighbors, usual_ridge, run_.metric};
        return rows.size() == run_.points.count ? result.barycentric_map->coordinates
                                                : mixed_with(*result.barycentric_map);
    }

    /// Rows that the problem left out, as mixtures of those that it kept.
    [[nodiscard]] Points mixed_with(const BarycentricMap& map) {
        const PhaseTimer timer(summary_, "place the rest");
        const Points kept = read_rows(ViewRows(run_.points), map.landmarks);
        MultiVector<double> coordinates(map.coordinates.count(), map.coordinates.dimension());
        for (Index i = 0; i < coordinates.rows(); ++i) {
            std::copy(map.coordinates[i].begin(), map.coordinates[i].end(), coordinates.row(i));
        }
        return to_points(mixtures(weights_towards(kept.view(), map.neighbors, map.ridge), coordinates, context_));
    }

    /// Of own points.
    [[nodiscard]] CsrMatrix<double> weights_towards(const PointsView& landmarks, Index neighbors, double ridge) {
        const PointsView points = local_points(run_.points, run_.ranks);
        NeighborLists lists;
        {
            const PhaseTimer timer(summary_, "nearest landmarks");
            lists = exact_neighbors(points, landmarks, neighbors, run_.metric, context_);
        }
        const PhaseTimer timer(summary_, "landmark weights");
        return barycentric_weights(points, landmarks, lists, ridge, context_);
    }

    [[nodiscard]] Points on_landmarks(Embedding& result) {
        const LandmarkOptions& options = *run_.landmarks;
        const std::vector<Index> rows = chosen();
        const Points landmarks = read_rows(ViewRows(run_.points), rows);
        const auto wished = static_cast<Index>(options.neighbors);
        const Index neighbors = std::min(wished == 0 ? run_.dimension + 1 : wished, landmarks.count());
        Points coordinates = run_.ranks == nullptr ? to_points(extended(rows, landmarks, neighbors))
                                                   : extended_by_ranks(landmarks, neighbors);
        summary_.count("landmarks", landmarks.count());
        summary_.count("landmark_neighbors", neighbors);
        result.barycentric_map = {rows, to_points(solution_.landmarks), neighbors, options.ridge, run_.metric};
        return coordinates;
    }

    [[nodiscard]] std::vector<Index> chosen() {
        const PhaseTimer timer(summary_, "choose landmarks");
        const LandmarkSet set = landmark_set();
        const auto choose = [&] {
            std::vector<Index> rows;
            run_step(run_.ranks, [&] {
                rows = choose_landmarks(ViewRows(run_.points), set.count, set.selection, set.seed, context_);
            });
            return rows;
        };
        return run_.shared == nullptr ? choose() : run_.shared->landmarks(set, choose);
    }

    [[nodiscard]] LandmarkSet landmark_set() const {
        return {static_cast<Index>(run_.landmarks->landmarks), run_.landmarks->selection, run_.seed};
    }

    [[nodiscard]] Points extended_by_ranks(const Points& landmarks, Index neighbors) {
        CsrMatrix<double> own;
        run_step(run_.ranks, [&] { own = weights_towards(landmarks.view(), neighbors, run_.landmarks->ridge); });
        return by_ranks(&own);
    }

    [[nodiscard]] MultiVector<double> extended(const std::vector<Index>& rows, const Points& landmarks,
                                               Index neighbors) {
        if (run_.landmarks->extension == LandmarkExtension::Nystrom) {
            solve_among(rows);
            return family_.nystrom(rows, solution_, summary_, context_);
        }
        const double ridge = run_.landmarks->ridge;
        const auto weigh = [&] { return weights_towards(landmarks.view(), neighbors, ridge); };
        const CsrMatrix<double> own = run_.shared == nullptr ? weigh() : CsrMatrix<double>();
        const CsrMatrix<double>& z =
            run_.shared == nullptr ? own : run_.shared->weights({landmark_set(), neighbors, ridge, run_.metric}, weigh);
        if (run_.measures_mixtures) {
            const PhaseTimer timer(summary_, "landmark weights");
            summary_.measure("mixture_error", mixture_error(run_.points, landmarks.view(), z, context_));
        }
        if (run_.landmarks->extension == LandmarkExtension::Weights) {
            solve_among(rows);
            return mixtures(z, solution_.landmarks, context_);
        }
        const SpectralProblem problem = family_.whole(summary_, context_);
        const std::uint64_t held = family_.bytes().held + z.entries() * (sizeof(Index) + sizeof(double));
        solve([&] { return solve_on_landmarks(problem, z, eigen_options(), beside(context_, held)); });
        return std::move(solution_.coordinates);
    }

    void solve_among(const std::vector<Index>& rows) {
        const SpectralProblem problem = family_.among(rows, summary_, context_);
        solve([&] { return solve_exactly(problem, eigen_options(), context_); });
        solution_.landmarks = std::move(solution_.coordinates);
    }

    template <class Solver>
    void solve(const Solver& solver) {
        const PhaseTimer timer(summary_, "eigenvectors");
        solution_ = solver();
    }

    void tell_other_end(const SpectralProblem& problem) {
        if (run_.other_end == 0) {
            return;
        }
        const PhaseTimer timer(summary_, "other end");
        EigenProblem eigen{.a = problem.a.get(), .end = SpectrumEnd::Smallest};
        const EigenOptions options{.count = run_.other_end,
                                   .tolerance = run_.tolerance,
                                   .iterations = run_.iterations,
                                   .seed = run_.seed,
                                   .method = EigenMethod::Krylov};
        const Eigenpairs pairs = isogon::solve(eigen, options, beside(context_, family_.bytes().held));
        for (std::size_t j = 0; j < pairs.values.size(); ++j) {
            summary_.measure("last_eigenvalue_" + std::to_string(j), pairs.values[j]);
        }
    }

    /// ", by SLEPc over 4 ranks"
    [[nodiscard]] std::string solver_text() const {
        if (run_.ranks == nullptr) {
            return {};
        }
        const std::size_t ranks = run_.ranks->communicator().size();
        return ", by " + std::string(run_.ranks->solver()) + " over " + std::to_string(ranks) +
               (ranks == 1 ? " rank" : " ranks");
    }

    void tell() {
        const Eigenpairs& pairs = solution_.pairs;
        summary_.termination = pairs.termination;
        summary_.trace = pairs.trace;
        summary_.count("iterations", pairs.iterations);
        summary_.count("products", pairs.products);
        const double residual = pairs.largest_relative_residual();
        summary_.measure("residual", residual);
        for (std::size_t j = 0; j < solution_.eigenvalues.size(); ++j) {
            summary_.measure("eigenvalue_" + std::to_string(j), solution_.eigenvalues[j]);
        }
        summary_.message = std::to_string(solution_.eigenvalues.size()) + " eigenvectors (" +
                           std::string(name(pairs.method)) + solver_text() + "), |A x - lambda B x| up to " +
                           to_text(residual) + " of |lambda B x|";
        if (pairs.termination != Termination::Converged) {
            summary_.warn("not all eigenvectors have converged: the largest residual is " + to_text(residual) +
                          " of |lambda B x|; raise --iterations or --tolerance, or use --landmarks");
        }
    }

    SpectralFamily& family_;
    const SpectralRun& run_;
    const RunContext& context_;
    Summary summary_{};
    SpectralSolution solution_{};
};

constexpr const char* less_memory = "raise the limit, or take fewer neighbors or fewer landmarks";

/// Of `points`, those of this process, before the search for neighbours, which may take most of the time: what the
/// problem takes while it is made, then while it is solved.
void state_exact(const ProblemBytes& problem, Index points, const SpectralRun& run, const RunContext& context) {
    require_memory(context, {{"the graph", problem.made}}, "raise the limit, or take fewer neighbors");
    require_memory(context,
                   {{"the problem of all points", problem.held}, {"eigenvectors", eigen_bytes(points, run.dimension)}},
                   "ask for fewer dimensions, or use landmarks");
}

/// The same where the problem of all points is made and then becomes one of landmarks.
void state_on_landmarks(const ProblemBytes& problem, Index points, const SpectralRun& run, const RunContext& context) {
    const auto wished = static_cast<Index>(run.landmarks->neighbors);
    const Index neighbors = wished == 0 ? run.dimension + 1 : wished;
    const std::uint64_t weights = std::uint64_t{points} * neighbors * (sizeof(Index) + sizeof(double));
    require_memory(context, {{"weights of landmarks", weights}, {"the graph", problem.made}}, less_memory);
    require_memory(context,
                   {{"weights of landmarks", weights},
                    {"the problem of all points", problem.held},
                    {"coordinates", MultiVector<double>::bytes(points, run.dimension)}},
                   less_memory);
}

void state_need(const SpectralFamily& family, const SpectralRun& run, const RunContext& context) {
    const bool exact = run.landmarks == nullptr;
    const LandmarkExtension way = exact ? LandmarkExtension::Auto : run.landmarks->extension;
    const auto own = static_cast<Index>(own_rows(run.points.count, run.ranks).size());
    const std::size_t parts = run.ranks == nullptr ? 1 : run.ranks->communicator().size();
    const ProblemBytes whole = family.bytes();
    const ProblemBytes problem{whole.made / parts, whole.held / parts};
    if (exact) {
        state_exact(problem, own, run, context);
    } else if (way == LandmarkExtension::Auto || way == LandmarkExtension::Lll) {
        state_on_landmarks(problem, own, run, context);
    }
}

}  // namespace

SpectralSolution SpectralFamily::by_ranks(const SpectralRanks& /*ranks*/, const DistributedSolution& /*how*/,
                                          Summary& /*summary*/, const RunContext& /*context*/) {
    throw InvalidArgument("ranks", "given", "this method's problem is not one that ranks can divide; fit without them");
}

Embedding embed_spectrally(SpectralFamily& family, const SpectralRun& run, const RunContext& context) {
    if (run.points.dimension != 0) {  // else the method has looked at the graph that stands for them
        require_points(run.points, static_cast<int>(run.dimension));
    }
    if (run.landmarks != nullptr) {
        require_spectral_landmarks(*run.landmarks, run.points.count, run.dimension);
        if (run.landmarks->extension == LandmarkExtension::Nystrom) {
            family.require_nystrom();
        }
    }
    state_need(family, run, context);
    return SpectralEmbedding(family, run, context).embed();
}

void restore_lengths(const PowerOfTwoScaling& unit, Embedding& result) {
    unit.restore(result.coordinates);
    if (result.barycentric_map) {
        unit.restore(result.barycentric_map->coordinates);
    }
    for (auto& [what, value] : result.summary.measures) {
        value *= what.find("eigenvalue") != std::string::npos ? unit.unit() * unit.unit() : 1.0;
        value *= what == "mixture_error" ? unit.unit() : 1.0;
    }
}

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

}  // namespace isogon
