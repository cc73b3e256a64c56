// One problem by the library's own solver, or by PETSc and SLEPc over the ranks that mpirun has started.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "../arguments.hpp"
#include "../timing.hpp"
#include "distributed/agreement.hpp"
#include "distributed_eigenproblem.hpp"
#include "distributed_extension.hpp"
#include "distributed_spectral.hpp"
#include "graph/affinities.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/laplacian.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "linalg/sparse_algebra.hpp"
#include "mpi_communicator.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "petsc_session.hpp"
#include "synthetic/point_clouds.hpp"
#include "transform/locally_linear_extension.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "mpirun -n RANKS bench --method laplacian|lle|lll|llx [--points 20000] [--neighbors 10] [--dim 3]\n"
    "    [--landmarks 1000] [--way local|ranks] [--threads 1] [--keep FILE] [--against FILE]\n"
    "Prints one line: n, seconds of the problem, seconds of its solution, residual, iterations, how it was solved,\n"
    "termination, and the largest difference of coordinates from those in FILE over the largest of these.\n";

struct Case {
    std::string method;
    Points points{};
    NeighborLists lists{};
    Index dimension = 3;
    std::vector<Index> landmarks{};
    CsrMatrix<double> z{};  ///< weights of all points, for lll
    Points known{};         ///< outputs of landmarks, for llx
    RunContext context{};
};

struct Outcome {
    MultiVector<double> coordinates{};  ///< coordinates of all points
    double problem_seconds = 0.0;
    double solution_seconds = 0.0;
    double residual = 0.0;
    double iterations = 0.0;
    std::string way{};
    Termination termination = Termination::Converged;
};

/// LLX's own ridge, with which its system is neither easy nor hopeless.
constexpr LocallyLinearOptions extension_options{.neighbors = 12, .ridge = 1e-3, .tolerance = 1e-6, .iterations = 5000};

Case make_case(const Arguments& arguments) {
    Case made{.method = arguments.text("--method", "laplacian")};
    const auto count = static_cast<Index>(arguments.number("--points", 20000));
    made.context.threads = static_cast<int>(arguments.number("--threads", 1));
    made.dimension = static_cast<Index>(arguments.number("--dim", 3));
    const Generated roll = swiss_roll(count, 1, {.noise = 0.05});
    made.points = roll.points;
    const bool extension = made.method == "llx";
    const auto neighbors = static_cast<Index>(arguments.number("--neighbors", 10));
    made.lists = find_neighbors(made.points.view(),
                                {.neighbors = extension ? Index{12} : neighbors,
                                 .metric = extension ? Metric::Cosine : Metric::Euclidean},
                                made.context)
                     .lists;
    if (extension || made.method == "lll") {
        const auto wished = static_cast<Index>(arguments.number("--landmarks", 1000));
        made.landmarks = choose_landmarks(ViewRows(made.points.view()), wished, LandmarkSelection::Random, 1, {});
    }
    if (extension) {
        made.known = read_rows(ViewRows(roll.truth.view()), made.landmarks);
    } else if (made.method == "lll") {
        const Points inputs = read_rows(ViewRows(made.points.view()), made.landmarks);
        const NeighborLists near =
            exact_neighbors(made.points.view(), inputs.view(), made.dimension + 1, Metric::Euclidean, made.context);
        made.z = barycentric_weights(made.points.view(), inputs.view(), near, usual_ridge, made.context);
    }
    return made;
}

void take(Outcome& outcome, const SpectralSolution& solution, MultiVector<double> coordinates) {
    outcome.coordinates = std::move(coordinates);
    outcome.residual = solution.pairs.largest_relative_residual();
    outcome.iterations = solution.pairs.iterations;
    outcome.way = name(solution.pairs.method);
    outcome.termination = solution.pairs.termination;
}

MultiVector<double> widened(const Points& points) {
    MultiVector<double> result(points.count(), points.dimension());
    std::copy(points.values().begin(), points.values().end(), result.values().begin());
    return result;
}

void take(Outcome& outcome, const Summary& summary, MultiVector<double> coordinates) {
    outcome.coordinates = std::move(coordinates);
    outcome.residual = summary.value("residual");
    outcome.iterations = summary.value("iterations");
    outcome.way = "conjugate gradients";
    outcome.termination = summary.termination;
}

SpectralProblem local_problem(const Case& asked) {
    SpectralProblem problem{.deflates_constant = true};
    if (asked.method == "lle") {
        problem.a = normal_spectral_matrix(
            identity_minus(barycentric_weights(asked.points.view(), asked.lists, usual_ridge, asked.context)));
        return problem;
    }
    const CsrMatrix<double> graph = symmetric_graph(asked.lists, asked.context);
    const CsrMatrix<double> weights = gaussian_affinities(graph, default_sigma(graph, asked.lists.size), asked.context);
    problem.b = degrees(weights);
    problem.a = sparse_spectral_matrix(laplacian(weights, LaplacianKind::Plain, asked.context));
    return problem;
}

Outcome by_library(const Case& asked) {
    Outcome outcome;
    const EigenOptions options{.count = asked.dimension};
    Stopwatch watch;
    if (asked.method == "llx") {
        const LocallyLinearExtension extension = extend_locally_linearly(
            asked.points.view(), {asked.landmarks, asked.known.view()}, asked.lists, extension_options, asked.context);
        outcome.solution_seconds = watch.seconds();
        take(outcome, extension.summary, widened(extension.outputs));
        return outcome;
    }
    const SpectralProblem problem = local_problem(asked);
    outcome.problem_seconds = watch.seconds();
    watch = {};
    SpectralSolution solution = asked.method == "lll" ? solve_on_landmarks(problem, asked.z, options, asked.context)
                                                      : solve_exactly(problem, options, asked.context);
    outcome.solution_seconds = watch.seconds();
    take(outcome, solution, std::move(solution.coordinates));
    return outcome;
}

DistributedSpectralProblem distributed_problem(const Case& asked, const NeighborLists& own, const RankGroup& group) {
    if (asked.method == "lle") {
        return distributed_lle(ViewRows(asked.points.view()), own, group, asked.context);
    }
    return distributed_laplacian(own, asked.points.count(), {.neighbors = static_cast<int>(asked.lists.size)}, group);
}

Outcome by_ranks(const Case& asked, const RankGroup& group) {
    Outcome outcome;
    const NeighborLists own = rows_of(asked.lists, group.own_part(asked.points.count()));
    const EigenOptions options{.count = asked.dimension};
    Stopwatch watch;
    if (asked.method == "llx") {
        const DistributedExtension extension =
            extend_distributed({ViewRows(asked.points.view()), own, asked.landmarks, asked.known.view()},
                               extension_options, ExtensionSolver::ConjugateGradients, group, asked.context);
        outcome.solution_seconds = watch.seconds();
        take(outcome, extension.summary, whole(widened(extension.outputs), group));
        return outcome;
    }
    const DistributedSpectralProblem problem = distributed_problem(asked, own, group);
    outcome.problem_seconds = watch.seconds();
    watch = {};
    const SpectralSolution solution =
        asked.method == "lll" ? solve_on_landmarks(problem, own_rows(asked.z, group), options, group, asked.context)
                              : solve_exactly(problem, options, group, asked.context);
    outcome.solution_seconds = watch.seconds();
    take(outcome, solution, whole(solution.coordinates, group));
    return outcome;
}

/// Columns free in sign.
double difference(const MultiVector<double>& x, const std::vector<double>& truth) {
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < x.columns(); ++j) {
        double same = 0.0;
        double opposite = 0.0;
        for (std::size_t i = 0; i < x.rows(); ++i) {
            const double other = truth.at(i * x.columns() + j);
            same = std::max(same, std::abs(x.at(i, j) - other));
            opposite = std::max(opposite, std::abs(x.at(i, j) + other));
            size = std::max(size, std::abs(other));
        }
        largest = std::max(largest, std::min(same, opposite));
    }
    return largest / size;
}

void print(const Arguments& arguments, const Case& asked, const Outcome& outcome) {
    double apart = 0.0;
    if (const std::string against = arguments.text("--against", ""); !against.empty()) {
        std::vector<double> truth(outcome.coordinates.values().size());
        std::ifstream(against, std::ios::binary)
            .read(reinterpret_cast<char*>(truth.data()), static_cast<std::streamsize>(truth.size() * sizeof(double)));
        apart = difference(outcome.coordinates, truth);
    }
    if (const std::string keep = arguments.text("--keep", ""); !keep.empty()) {
        const auto& values = outcome.coordinates.values();
        std::ofstream(keep, std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(double)));
    }
    std::printf("%u\t%.2f\t%.2f\t%.1e\t%.0f\t%s\t%s\t%.1e\n", asked.points.count(), outcome.problem_seconds,
                outcome.solution_seconds, outcome.residual, outcome.iterations, outcome.way.c_str(),
                std::string(name(outcome.termination)).c_str(), apart);
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv, help);
    const MpiSession mpi(argc, argv);
    const PetscSession petsc;
    const MpiCommunicator communicator;
    const Case asked = make_case(arguments);
    const double ready = 1.0;
    (void)gathered(std::span<const double>(&ready, 1), RankGroup(communicator));  // all begin together
    const Outcome outcome =
        arguments.text("--way", "ranks") == "local" ? by_library(asked) : by_ranks(asked, RankGroup(communicator));
    if (communicator.rank() == 0) {
        print(arguments, asked, outcome);
    }
    return 0;
}
