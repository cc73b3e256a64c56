#include "methods/spectral/spectral_steps.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "methods/series/shared_steps.hpp"
#include "reference/point_sets.hpp"

namespace isogon::spectral_steps_test {
namespace {

TEST(SpectralLandmarks, AreMoreThanTheDimensionAndFewerThanThePoints) {
    const auto check = [](const LandmarkOptions& options) { require_spectral_landmarks(options, 100, 2); };
    EXPECT_NO_THROW(check({.landmarks = 4}));
    EXPECT_NO_THROW(check({.landmarks = 99, .neighbors = 99}));
    EXPECT_THROW(check({.landmarks = 3}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 100}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .extension = LandmarkExtension::Placement}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .extension = LandmarkExtension::Llx}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .neighbors = 1}), InvalidArgument);
    EXPECT_THROW(check({.landmarks = 50, .neighbors = 51}), InvalidArgument);
}

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

class LandmarkSteps : public testing::Test {
protected:
    Points x_ = reference::random_points(80, 4, 1);
    LandmarkOptions options_{.landmarks = 12};
    RunContext context_ = reference::on_threads(2);
    Summary summary_{};

    [[nodiscard]] SpectralRun run(SharedSteps* shared = nullptr) const {
        return {.points = x_.view(), .dimension = 2, .seed = 3, .landmarks = &options_, .shared = shared};
    }
};

TEST_F(LandmarkSteps, ChoosesByTheSeedOfTheRun) {
    const auto rows = landmark_rows(run(), summary_, context_);
    EXPECT_EQ(rows, choose_landmarks(ViewRows(x_.view()), 12, LandmarkSelection::Random, 3, context_));
    ASSERT_EQ(summary_.seconds.size(), 1U);
    EXPECT_EQ(summary_.seconds[0].first, "choose landmarks");
}

TEST_F(LandmarkSteps, WeightsSumToOneOverTheNearest) {
    const auto rows = landmark_rows(run(), summary_, context_);
    const Points landmarks = read_rows(ViewRows(x_.view()), rows);
    const CsrMatrix<double> z = weights_towards(landmarks.view(), 5, 1e-3, run(), summary_, context_);
    ASSERT_EQ(z.rows, 80U);
    EXPECT_EQ(z.columns, 12U);
    for (Index i = 0; i < 80; ++i) {
        const auto weights = z.row_values(i);
        EXPECT_EQ(weights.size(), 5U);
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
    }
}

TEST_F(LandmarkSteps, AnotherFitTakesWhatTheFirstHasComputed) {
    SharedSteps shared(1);
    const auto rows = landmark_rows(run(&shared), summary_, context_);
    EXPECT_EQ(landmark_rows(run(&shared), summary_, context_), rows);
    const Points landmarks = read_rows(ViewRows(x_.view()), rows);
    CsrMatrix<double> own;
    const auto& first = landmark_weights(landmarks.view(), 5, run(&shared), own, summary_, context_);
    const auto& second = landmark_weights(landmarks.view(), 5, run(&shared), own, summary_, context_);
    EXPECT_EQ(&first, &second);
    EXPECT_EQ(own.rows, 0U);
    const auto& alone = landmark_weights(landmarks.view(), 5, run(), own, summary_, context_);
    EXPECT_EQ(&alone, &own);
    EXPECT_EQ(alone.values, first.values);
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
}  // namespace isogon::spectral_steps_test
