#include "methods/spectral/spectral_family.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/multi_vector.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/spectral/distributed_steps.hpp"
#include "methods/spectral/spectral_steps.hpp"

namespace isogon {

namespace {

/// min or max tr(X A X^T) subject to X B X^T = I, of all points or with every point a mixture of landmarks, X = X~ Z
/// (Vladymyrov and Carreira-Perpinan 2013, section 2).
class SpectralEmbedding {
public:
    SpectralEmbedding(SpectralFamily& family, const SpectralRun& run, const RunContext& context, Embedding& result)
        : family_(family), run_(run), context_(context), result_(result), summary_(result.summary) {}

    void embed() {
        Points coordinates = run_.landmarks == nullptr ? exact() : on_landmarks();
        record_solution(solution_, run_.ranks, summary_);
        result_.coordinates = std::move(coordinates);
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
        record_other_end(problem);
        return to_points(solution_.coordinates);
    }

    /// Returns the coordinates of all points; this rank keeps its own rows of the solution. `own_weights` are those of
    /// landmarks; null: exactly.
    [[nodiscard]] Points by_ranks(const CsrMatrix<double>* own_weights) {
        solution_ = family_.by_ranks(*run_.ranks, {eigen_options(), own_weights}, summary_, context_);
        summary_.count("ranks", static_cast<double>(run_.ranks->group().size()));
        return whole_points(to_points(solution_.coordinates), run_.points.count, run_.ranks->group());
    }

    [[nodiscard]] Points exact() {
        Points fitted = run_.ranks == nullptr ? exact_alone() : by_ranks(nullptr);
        std::vector<Index> rows = family_.kept();
        if (rows.empty()) {
            rows.resize(run_.points.count);
            std::iota(rows.begin(), rows.end(), Index{0});
        }
        const Index neighbors = std::min<Index>(std::max(run_.neighbors, run_.dimension + 1), fitted.count());
        result_.barycentric_map = {rows, std::move(fitted), neighbors, usual_ridge, run_.metric};
        return rows.size() == run_.points.count ? result_.barycentric_map->coordinates
                                                : mixed_with(*result_.barycentric_map);
    }

    /// Rows that the problem left out, as mixtures of those that it kept.
    [[nodiscard]] Points mixed_with(const BarycentricMap& map) {
        const PhaseTimer timer(summary_, "place the rest");
        MultiVector<double> coordinates(map.coordinates.count(), map.coordinates.dimension());
        for (Index i = 0; i < coordinates.rows(); ++i) {
            std::copy(map.coordinates[i].begin(), map.coordinates[i].end(), coordinates.row(i));
        }
        const CsrMatrix<double> z = weights_towards(map, run_, summary_, context_);
        return to_points(mixtures(z, coordinates, context_));
    }

    [[nodiscard]] Points on_landmarks() {
        const LandmarkOptions& options = *run_.landmarks;
        BarycentricMap map{landmark_rows(run_, summary_, context_), {}, 0, landmark_ridge, run_.metric};
        const auto count = static_cast<Index>(map.landmarks.size());
        const auto requested = static_cast<Index>(options.neighbors);
        map.neighbors = std::min(requested == 0 ? run_.dimension + 1 : requested, count);
        Points coordinates = run_.ranks == nullptr ? to_points(extended(map)) : extended_by_ranks(map);
        summary_.count("landmarks", count);
        summary_.count("landmark_neighbors", map.neighbors);
        map.coordinates = to_points(solution_.landmarks);
        result_.barycentric_map = std::move(map);
        return coordinates;
    }

    [[nodiscard]] Points extended_by_ranks(const BarycentricMap& map) {
        CsrMatrix<double> own;
        run_step(run_.ranks, [&] { own = weights_towards(map, run_, summary_, context_); });
        return by_ranks(&own);
    }

    [[nodiscard]] MultiVector<double> extended(const BarycentricMap& map) {
        const std::vector<Index>& rows = map.landmarks;
        if (run_.landmarks->extension == LandmarkExtension::Nystrom) {
            solve_among(rows);
            return family_.nystrom(rows, solution_, summary_, context_);
        }
        CsrMatrix<double> own;
        const CsrMatrix<double>& z = landmark_weights(map, run_, own, summary_, context_);
        if (run_.measures_mixtures) {
            const PhaseTimer timer(summary_, "landmark weights");
            const Points landmarks = read_rows(ViewRows(run_.points), rows);
            summary_.measure("mixture_error", mixture_error(run_.points, landmarks.view(), z, context_));
        }
        if (run_.landmarks->extension == LandmarkExtension::Weights) {
            solve_among(rows);
            return mixtures(z, solution_.landmarks, context_);
        }
        const SpectralProblem problem = family_.whole(summary_, context_);
        const std::uint64_t held = family_.bytes().held + z.bytes();
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

    void record_other_end(const SpectralProblem& problem) {
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

    SpectralFamily& family_;
    const SpectralRun& run_;
    const RunContext& context_;
    Embedding& result_;
    Summary& summary_;
    SpectralSolution solution_{};
};

}  // namespace

SpectralSolution SpectralFamily::by_ranks(const SpectralRanks& /*ranks*/, const DistributedSolution& /*how*/,
                                          Summary& /*summary*/, const RunContext& /*context*/) {
    throw InvalidArgument("ranks", "given", "this method's problem is not one that ranks can divide; fit without them");
}

Embedding embed_spectrally(SpectralFamily& family, const SpectralRun& run, const RunContext& context) {
    if (run.points.dimension != 0) {  // else the method has looked at the graph that stands for them
        require_points(run.points, static_cast<int>(run.dimension), MostNumbers::OfPoints);
    }
    if (run.landmarks != nullptr) {
        require_spectral_landmarks(*run.landmarks, run.points.count, run.dimension);
        if (run.landmarks->extension == LandmarkExtension::Nystrom) {
            family.require_nystrom();
        }
    }
    state_spectral(family, run, context);
    // Ranks search and weigh their own rows, in different numbers of blocks: there must be no collective call within.
    // An interruption of one takes effect on all at the end of such a step.
    RunContext alone = context;
    if (run.ranks != nullptr) {
        alone.agree_on_stop = nullptr;
    }
    Embedding result = unfitted({}, run.seed, context);
    run_steps(
        result, [&] { SpectralEmbedding(family, run, alone, result).embed(); }, "ended before there were eigenvectors");
    return result;
}

}  // namespace isogon
