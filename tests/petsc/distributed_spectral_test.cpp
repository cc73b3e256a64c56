#include "distributed_spectral.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "distributed_eigenproblem.hpp"
#include "graph/affinities.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/laplacian.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "ranks.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::distributed_spectral_test {
namespace {

using ranks::group;
using ranks::own_lists;

constexpr Index neighbors = 10;

/// Points, what is near what, and weights towards every fourth.
struct Example {
    explicit Example(Index count) : points(support::sheet(count, true).points) {
        lists = exact_neighbors(points.view(), neighbors, Metric::Euclidean);
        std::vector<Index> every_fourth;
        for (Index i = 0; i < count; i += 4) {
            every_fourth.push_back(i);
        }
        const Points landmarks = read_rows(ViewRows(points.view()), every_fourth);
        z = barycentric_weights(points.view(), landmarks.view(),
                                exact_neighbors(points.view(), landmarks.view(), 4, Metric::Euclidean), 1e-3);
    }

    [[nodiscard]] SpectralProblem laplacian() const {
        const CsrMatrix<double> graph = symmetric_graph(lists);
        const CsrMatrix<double> weights = gaussian_affinities(graph, default_sigma(graph, neighbors));
        SpectralProblem problem{.deflates_constant = true};
        problem.a = sparse_spectral_matrix(isogon::laplacian(weights, LaplacianKind::Plain));
        problem.b = degrees(weights);
        return problem;
    }

    [[nodiscard]] SpectralProblem lle() const {
        SpectralProblem problem{.deflates_constant = true};
        problem.a = normal_spectral_matrix(identity_minus(barycentric_weights(points.view(), lists, 1e-3)));
        return problem;
    }

    [[nodiscard]] DistributedSpectralProblem distributed_laplacian() const {
        return isogon::distributed_laplacian(own_lists(lists), points.count(), {.neighbors = neighbors}, group());
    }

    [[nodiscard]] DistributedSpectralProblem distributed_lle() const {
        return isogon::distributed_lle(ViewRows(points.view()), own_lists(lists), group(), {});
    }

    Points points;
    NeighborLists lists;
    CsrMatrix<double> z;
};

void expect_agreement(const SpectralSolution& own, const SpectralSolution& local, double most) {
    EXPECT_EQ(own.pairs.termination, Termination::Converged);
    EXPECT_LT(ranks::difference(whole(own.coordinates, group()), local.coordinates), most);
    for (std::size_t j = 0; j < local.eigenvalues.size(); ++j) {
        EXPECT_NEAR(own.eigenvalues[j], local.eigenvalues[j], 1e-5 * local.eigenvalues[j]) << j;
    }
    EXPECT_LT(own.pairs.largest_relative_residual(), 1e-6);
}

TEST(DistributedSpectral, LaplacianEigenmapsAgreeWithTheLocalOnes) {
    const Example example(600);
    const EigenOptions options{.count = 4};
    expect_agreement(solve_exactly(example.distributed_laplacian(), options, group(), {}),
                     solve_exactly(example.laplacian(), options, {}), 1e-6);
}

TEST(DistributedSpectral, LocallyLinearEmbeddingAgreesWithTheLocalOne) {
    const Example example(600);
    const EigenOptions options{.count = 2};
    expect_agreement(solve_exactly(example.distributed_lle(), options, group(), {}),
                     solve_exactly(example.lle(), options, {}), 1e-4);
}

TEST(DistributedSpectral, LandmarksAgreeWithTheLocalOnes) {
    const Example example(1000);
    const PetscEigenSolver solver(group());
    const DistributedMatrix z = own_rows(example.z, group());
    const SpectralSolution eigenmaps = solve_on_landmarks(example.laplacian(), example.z, {.count = 3}, {});
    const SpectralSolution lle = solve_on_landmarks(example.lle(), example.z, {.count = 2}, {});
    for (const EigenSolver* given :
         {static_cast<const EigenSolver*>(nullptr), static_cast<const EigenSolver*>(&solver)}) {
        const EigenOptions options{.count = 3, .solver = given};
        const SpectralSolution own = solve_on_landmarks(example.distributed_laplacian(), z, options, group(), {});
        expect_agreement(own, eigenmaps, 1e-5);
        EXPECT_LT(ranks::difference(own.landmarks, eigenmaps.landmarks), 1e-5);
        expect_agreement(solve_on_landmarks(example.distributed_lle(), z, {.count = 2, .solver = given}, group(), {}),
                         lle, 1e-4);
    }
}

TEST(DistributedSpectral, SmallProblemsAreSolvedToo) {
    const Example example(40);
    const EigenOptions options{.count = 2};
    expect_agreement(solve_exactly(example.distributed_laplacian(), options, group(), {}),
                     solve_exactly(example.laplacian(), options, {}), 1e-8);
}

TEST(DistributedSpectral, RefusesWhatCannotBe) {
    const Example example(60);
    NeighborLists apart{.size = 1};
    for (Index i = 0; i < 60; ++i) {
        apart.indices.push_back(i % 2 == 0 ? i + 1 : i - 1);
        apart.distances.push_back(1.0F);
    }
    EXPECT_THROW((void)distributed_laplacian(own_lists(apart), 60, {}, group()), InputError);
    const DistributedSpectralProblem problem = example.distributed_laplacian();
    EXPECT_THROW((void)solve_exactly(problem, {.count = 60}, group(), {}), InvalidArgument);
    const DistributedMatrix other = own_rows(Example(64).z, group());
    EXPECT_THROW((void)solve_on_landmarks(problem, other, {.count = 2}, group(), {}), InvalidArgument);
}

const Points& points() {
    static const Points all = support::sheet(701, true).points;
    return all;
}

double difference(const Points& x, const Points& y) {
    if (x.count() != y.count() || x.dimension() != y.dimension()) {
        return HUGE_VAL;
    }
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t k = 0; k < x.values().size(); ++k) {
        largest = std::max(largest, std::abs(double{x.values()[k]} - double{y.values()[k]}));
        size = std::max(size, std::abs(double{y.values()[k]}));
    }
    return largest / size;
}

void expect_agreement(const Embedding& shared, const Embedding& alone, double most) {
    EXPECT_LT(difference(shared.coordinates, alone.coordinates), most);
    EXPECT_LT(difference(shared.barycentric_map->coordinates, alone.barycentric_map->coordinates), most);
    EXPECT_EQ(shared.barycentric_map->landmarks, alone.barycentric_map->landmarks);
    EXPECT_EQ(shared.summary.value("components"), 1.0);
    EXPECT_LT(shared.summary.value("residual"), 1e-6);
    EXPECT_NE(shared.summary.message.find("SLEPc over " + std::to_string(group().size()) + " rank"), std::string::npos);
}

TEST(PetscSpectralRanks, LaplacianEigenmapsAgreeWithThoseOfOneProcess) {
    const PetscSpectralRanks ranks(group());
    const LandmarkOptions landmarks{.landmarks = 150, .neighbors = 5};
    for (const LandmarkOptions* some : {static_cast<const LandmarkOptions*>(nullptr), &landmarks}) {
        for (const auto affinity : {AffinityKind::Gaussian, AffinityKind::SelfTuning, AffinityKind::Connectivity}) {
            const LaplacianOptions options{.dimension = 3, .neighbors = 10, .affinity = affinity};
            const Embedding alone = laplacian_eigenmaps(points().view(), options, {}, {}, some);
            const Embedding shared = laplacian_eigenmaps(points().view(), options, {}, {.ranks = &ranks}, some);
            expect_agreement(shared, alone, 1e-5);
            EXPECT_EQ(shared.summary.value("sigma"), alone.summary.value("sigma"));
        }
    }
}

TEST(PetscSpectralRanks, LocallyLinearEmbeddingAgreesWithThatOfOneProcess) {
    const PetscSpectralRanks ranks(group());
    const LandmarkOptions landmarks{.landmarks = 150, .neighbors = 5};
    for (const LandmarkOptions* some : {static_cast<const LandmarkOptions*>(nullptr), &landmarks}) {
        const LleOptions options{.dimension = 2, .neighbors = 10};
        expect_agreement(locally_linear_embedding(points().view(), options, {}, {.ranks = &ranks}, some),
                         locally_linear_embedding(points().view(), options, {}, {}, some), 1e-4);
    }
}

TEST(PetscSpectralRanks, OneRankThatIsToldToStopEndsTheFitOnAll) {
    const PetscSpectralRanks ranks(group());
    std::stop_source source;
    if (group().rank() == group().size() - 1) {
        source.request_stop();
    }
    const Embedding ended =
        laplacian_eigenmaps(points().view(), {.dimension = 2}, {.stop = source.get_token()}, {.ranks = &ranks});
    EXPECT_EQ(ended.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(ended.coordinates.empty());
}

TEST(PetscSpectralRanks, AGraphInPiecesIsRefusedWithTheirSizes) {
    Points apart = points();
    for (Index i = 0; i < apart.count(); i += 7) {
        apart[i][0] += 1e4F;
    }
    const PetscSpectralRanks ranks(group());
    try {
        (void)locally_linear_embedding(apart.view(), {.dimension = 2}, {}, {.ranks = &ranks});
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("2 components, of 600, 101 points"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace isogon::distributed_spectral_test
