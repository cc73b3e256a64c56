#include "semidefinite/finished_unfolding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/distances.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::finished_unfolding_test {
namespace {

using support::Matrix;
using support::to_matrix;

const MultiplierRule strings(DistanceRule::AtMost, 0.0);
const MultiplierRule rods(DistanceRule::Equal, 0.0);

TEST(FinishedUnfolding, IsCentredAndTurnedAndKeepsItsGram) {
    const Matrix rows = support::random_matrix(30, 3, 1);
    const Unfolding done = finished_unfolding(support::to_wide(rows), support::all_distances(rows), rods, 100.0, 1e-3,
                                              SemidefiniteStatus::Solved, {});
    const Matrix outputs = to_matrix(done.outputs);
    EXPECT_LT(support::difference(outputs * outputs.transpose(), support::centred_gram(rows)), 1e-12);
    EXPECT_LT(outputs.colwise().mean().norm(), 1e-13);
    const Matrix products = outputs.transpose() * outputs;
    for (Index c = 0; c < 3; ++c) {
        EXPECT_NEAR(products(c, c), done.eigenvalues[c], 1e-10);
        EXPECT_TRUE(c == 0 || done.eigenvalues[c] <= done.eigenvalues[c - 1]);
        EXPECT_EQ(outputs.col(c).maxCoeff(), outputs.col(c).cwiseAbs().maxCoeff());
    }
    EXPECT_LT((products - Matrix(products.diagonal().asDiagonal())).norm(), 1e-10);
    EXPECT_NEAR(done.trace, support::centred_gram(rows).trace(), 1e-10);
    EXPECT_NEAR(done.gap, (100.0 - done.trace) / (100.0 + done.trace), 1e-12);
    EXPECT_LT(done.largest_violation, 1e-12);
}

TEST(FinishedUnfolding, ScalesWhatIsTooLong) {
    const Matrix rows = support::random_matrix(20, 2, 2);
    DistanceConstraints constraints = support::all_distances(rows);
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        constraints.squared[a] *= a == 17 ? 0.25 : 0.5;
    }
    const Unfolding done = finished_unfolding(support::to_wide(rows), constraints, strings, 1.0, 1e-3,
                                              SemidefiniteStatus::Interrupted, {});
    EXPECT_NEAR(done.trace, support::centred_gram(rows).trace() / 4.0, 1e-12);
    EXPECT_LT(done.largest_violation, 1e-12);
    const Unfolding stiff =
        finished_unfolding(support::to_wide(rows), constraints, rods, 1.0, 1e-3, SemidefiniteStatus::NotConverged, {});
    EXPECT_NEAR(stiff.largest_violation, 3.0, 1e-12);
    EXPECT_NE(stiff.message, done.message);
}

TEST(FinishedUnfolding, IsSolvedWhereOutputsAndBoundMeet) {
    const Matrix rows = support::random_matrix(30, 3, 1);
    const double trace = support::centred_gram(rows).trace();
    const auto status = [&](double bound, SemidefiniteStatus given) {
        return finished_unfolding(support::to_wide(rows), support::all_distances(rows), rods, bound, 1e-3, given, {})
            .status;
    };
    EXPECT_EQ(status(1.001 * trace, SemidefiniteStatus::NotConverged), SemidefiniteStatus::Solved);
    EXPECT_EQ(status(1.01 * trace, SemidefiniteStatus::NotConverged), SemidefiniteStatus::NotConverged);
    EXPECT_EQ(status(1.001 * trace, SemidefiniteStatus::Interrupted), SemidefiniteStatus::Interrupted);
}

TEST(KeptDistances, CountWhatTheirRuleForbids) {
    WideVectors outputs(3, 1);
    outputs.values = {0.0, 1.0, 3.0};
    const std::vector<Index> first = {0, 1};
    const std::vector<Index> second = {1, 2};
    const std::vector<double> squared = {2.0, 1.0};
    const KeptDistances at_most = kept_distances(outputs, first, second, squared, strings);
    EXPECT_EQ(at_most.largest_violation, 3.0);
    EXPECT_EQ(at_most.scale, 0.5);
    EXPECT_EQ(at_most.paid, 0.0);
    EXPECT_EQ(kept_distances(outputs, first, second, squared, rods).scale, 1.0);
    const KeptDistances slack =
        kept_distances(outputs, first, second, squared, MultiplierRule(DistanceRule::Slack, 10.0));
    EXPECT_EQ(slack.paid, 40.0);
    EXPECT_EQ(slack.largest_violation, 0.0);
}

TEST(FinishedUnfolding, SaysWhereThereIsNoBound) {
    const Unfolding done =
        finished_unfolding(WideVectors(2, 1), {.pairs = {{0, 1}}, .squared = {1.0}}, strings,
                           std::numeric_limits<double>::infinity(), 1e-3, SemidefiniteStatus::Unbounded, {});
    EXPECT_TRUE(std::isinf(done.gap));
    EXPECT_FALSE(std::isnan(done.gap));
    EXPECT_EQ(done.trace, 0.0);
    EXPECT_NE(done.message.find("price"), std::string::npos);
}

}  // namespace
}  // namespace isogon::finished_unfolding_test
