#include "petsc_spectral_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/spectral.hpp"
#include "ranks.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::petsc_spectral_ranks_test {
namespace {

using ranks::communicator;

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
    EXPECT_NE(shared.summary.message.find("SLEPc over " + std::to_string(communicator().size()) + " rank"),
              std::string::npos);
}

TEST(PetscSpectralRanks, LaplacianEigenmapsAgreeWithThoseOfOneProcess) {
    const PetscSpectralRanks ranks(communicator());
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
    const PetscSpectralRanks ranks(communicator());
    const LandmarkOptions landmarks{.landmarks = 150, .neighbors = 5};
    for (const LandmarkOptions* some : {static_cast<const LandmarkOptions*>(nullptr), &landmarks}) {
        const LleOptions options{.dimension = 2, .neighbors = 10};
        expect_agreement(locally_linear_embedding(points().view(), options, {}, {.ranks = &ranks}, some),
                         locally_linear_embedding(points().view(), options, {}, {}, some), 1e-4);
    }
}

TEST(PetscSpectralRanks, OneRankThatIsToldToStopEndsTheFitOnAll) {
    const PetscSpectralRanks ranks(communicator());
    std::stop_source source;
    if (communicator().rank() == communicator().size() - 1) {
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
    const PetscSpectralRanks ranks(communicator());
    try {
        (void)locally_linear_embedding(apart.view(), {.dimension = 2}, {}, {.ranks = &ranks});
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("2 components, of 600, 101 points"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace isogon::petsc_spectral_ranks_test
