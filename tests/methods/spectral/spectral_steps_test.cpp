#include "methods/spectral/spectral_steps.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"

namespace isogon::spectral_steps_test {
namespace {

// A graph that would not fit is refused before its neighbours are looked for, though these would fit.
TEST(StateSpectral, StatesItsGraphBeforeTheSearch) {
    const Points points = reference::random_points(300, 4, 5);
    const OptionValues values{{"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{100}}};
    for (const char* method : {"laplacian", "lle", "isomap"}) {
        for (const std::uint64_t limit : {std::uint64_t{1400000}, std::uint64_t{20000000}}) {
            bool searched = false;
            const RunContext context{.on_iteration = [&](const Progress&) { searched = true; }, .memory_limit = limit};
            const auto fit = [&] { (void)find_method(method).embed(points.view(), values, context); };
            if (limit < 2000000) {
                EXPECT_THROW(fit(), LimitExceeded) << method;
            } else {
                EXPECT_NO_THROW(fit()) << method;
            }
            EXPECT_EQ(searched, limit >= 2000000) << method;
        }
    }
}

TEST(LandmarkRows, AreChosenByTheSeedOfTheRun) {
    const Points x = reference::random_points(80, 4, 1);
    const LandmarkOptions options{.landmarks = 12};
    Summary summary;
    EXPECT_EQ(landmark_rows({.points = x.view(), .dimension = 2, .seed = 3, .landmarks = &options}, summary, {}),
              choose_landmarks(ViewRows(x.view()), 12, LandmarkSelection::Random, 3, {}));
    ASSERT_EQ(summary.seconds.size(), 1U);
    EXPECT_EQ(summary.seconds[0].first, "choose landmarks");
}

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
    EXPECT_NE(bad.warnings[0].find("raise iterations"), std::string::npos);
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
}  // namespace isogon::spectral_steps_test
