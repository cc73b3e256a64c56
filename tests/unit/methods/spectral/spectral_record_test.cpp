#include "methods/spectral/spectral_record.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"

namespace isogon::spectral_record_test {
namespace {

SpectralSolution solution_of(Termination end) {
    SpectralSolution solution;
    solution.eigenvalues = {3.0, 0.5};
    solution.pairs.termination = end;
    solution.pairs.iterations = 7;
    return solution;
}

TEST(RecordSolution, HasEigenvaluesAndWarnsUnlessTheyHaveConverged) {
    Summary good;
    record_solution(solution_of(Termination::Converged), nullptr, good);
    EXPECT_EQ(good.value("eigenvalue_0"), 3.0);
    EXPECT_EQ(good.value("eigenvalue_1"), 0.5);
    EXPECT_EQ(good.value("iterations"), 7.0);
    EXPECT_EQ(good.message.find("2 eigenvectors ("), 0U) << good.message;
    EXPECT_TRUE(good.warnings.empty());
    Summary bad;
    record_solution(solution_of(Termination::IterationLimit), nullptr, bad);
    EXPECT_EQ(bad.termination, Termination::IterationLimit);
    ASSERT_EQ(bad.warnings.size(), 1U);
    EXPECT_NE(bad.warnings[0].find("raise --iterations"), std::string::npos);
}

TEST(RestoreLengths, CoordinatesAreLengthsAndEigenvaluesTheirSquares) {
    const Points x = reference::scaled(reference::random_points(20, 3, 1), 0x1p70F);
    const PowerOfTwoScaling unit(x.view(), {});
    ASSERT_NE(unit.unit(), 1.0);
    Embedding result;
    result.coordinates = Points(1, 1);
    result.coordinates[0][0] = 3.0F;
    result.summary.measure("eigenvalue_0", 2.0);
    result.summary.measure("mixture_error", 5.0);
    result.summary.measure("residual", 1e-9);
    restore_lengths(unit, result);
    EXPECT_EQ(result.coordinates[0][0], static_cast<float>(3.0 * unit.unit()));
    EXPECT_EQ(result.summary.value("eigenvalue_0"), 2.0 * unit.unit() * unit.unit());
    EXPECT_EQ(result.summary.value("mixture_error"), 5.0 * unit.unit());
    EXPECT_EQ(result.summary.value("residual"), 1e-9);
}

TEST(WarnOfRounding, OfEigenvaluesThatRoundingMayChange) {
    Summary summary;
    summary.measure("eigenvalue_0", 1.0);
    summary.measure("eigenvalue_1", 1e-6);
    warn_of_rounding(1e-8, summary);
    EXPECT_EQ(summary.value("unresolved_directions"), 1.0);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_EQ(summary.warnings[0].find("1 of 2 eigenvalues are below 1e-05"), 0U) << summary.warnings[0];
    Summary fine;
    fine.measure("eigenvalue_0", 1.0);
    warn_of_rounding(1e-8, fine);
    EXPECT_EQ(fine.value("unresolved_directions"), 0.0);
    EXPECT_TRUE(fine.warnings.empty());
}

TEST(WarnOfMixtures, OfDirectionsShorterThanWhatMixturesMiss) {
    Summary summary;
    summary.measure("eigenvalue_0", 10.0);
    summary.measure("mixture_error", 0.5);
    warn_of_mixtures(20, nullptr, summary);
    EXPECT_TRUE(summary.warnings.empty());
    warn_of_mixtures(100, nullptr, summary);
    EXPECT_EQ(summary.warnings.size(), 1U);
    const LandmarkOptions mixtures_of_landmarks{.landmarks = 30, .extension = LandmarkExtension::Weights};
    warn_of_mixtures(100, &mixtures_of_landmarks, summary);
    EXPECT_EQ(summary.warnings.size(), 1U) << "30 rows of the landmarks' problem, not 100";
}

}  // namespace
}  // namespace isogon::spectral_record_test
