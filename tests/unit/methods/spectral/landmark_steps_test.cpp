#include "methods/spectral/landmark_steps.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "isogon/core/points.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "methods/series/shared_steps.hpp"
#include "reference/point_sets.hpp"

namespace isogon::landmark_steps_test {
namespace {

class LandmarkSteps : public testing::Test {
protected:
    Points x_ = reference::random_points(80, 4, 1);
    LandmarkOptions options_{.landmarks = 12, .ridge = 1e-3};
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

}  // namespace
}  // namespace isogon::landmark_steps_test
