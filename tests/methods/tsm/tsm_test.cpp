#include "methods/tsm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "support/dense_matrices.hpp"
#include "support/embeddings.hpp"
#include "support/matching_examples.hpp"

namespace isogon::tsm_test {
namespace {

using support::all_finite;
using support::same_bits;

constexpr double tau = 0.7;

Points example() {
    return support::clustered_points(150, 20, 8, 0.7, 5);
}

/// Mean of |angle(y_i, y_j) - angle(x_i, x_j)| over pairs with cosine above tau, in degrees.
double deviation(const Points& x, const Points& y) {
    const support::Matrix a = support::to_matrix(x).rowwise().normalized();
    const support::Matrix b = support::to_matrix(y).rowwise().normalized();
    const support::Matrix before = a * a.transpose();
    const support::Matrix after = b * b.transpose();
    double sum = 0.0;
    double pairs = 0.0;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
        for (Eigen::Index j = 0; j < i; ++j) {
            if (before(i, j) > tau) {
                sum += std::abs(std::acos(std::min(1.0, after(i, j))) - std::acos(std::min(1.0, before(i, j))));
                pairs += 1.0;
            }
        }
    }
    return sum / pairs * 180.0 / M_PI;
}

// L = Y Y^T - tau |y||y|^T has rank d + 1 and tsm gives it rank d (as the paper does), so points of one dimension less
// are those that it can match exactly.
TEST(Tsm, IsFaithfulWherePointsLieInOneDimensionLess) {
    const Points flat = support::clustered_points(150, 3, 8, 0.7, 5);
    const support::Matrix lifted = support::to_matrix(flat) * support::random_orthonormal(30, 3, 6).transpose();
    const Points x = support::to_points(lifted);
    EXPECT_LT(deviation(x, tsm(x.view(), {.dimension = 4, .threshold = tau}).coordinates), 1.0);
}

TEST(Tsm, KeepsSmallAnglesBetterThanItsStart) {
    const Points x = example();
    const Embedding start = find_method("svd").embed(x.view(), {{"dimension", std::int64_t{5}}}, {});
    const Embedding matched = tsm(x.view(), {.dimension = 5, .threshold = tau});
    EXPECT_LT(deviation(x, matched.coordinates), 0.7 * deviation(x, start.coordinates));
}

TEST(Tsm, OutputsHaveTheLengthsOfTheirInputs) {
    const Points x = example();
    support::expect_lengths_of(x, tsm(x.view(), {.dimension = 5, .threshold = tau}).coordinates, 1e-5);
}

/// Each option does what its help says: the coordinates, or the number of updates, change with it.
TEST(Tsm, EveryOptionReachesTheRun) {
    const Points x = example();
    const TsmOptions base{.dimension = 4, .threshold = tau, .iterations = 60};
    const Embedding reference = tsm(x.view(), base);
    const auto differs = [&](TsmOptions changed) {
        return !same_bits(reference.coordinates, tsm(x.view(), changed).coordinates);
    };
    TsmOptions changed = base;
    changed.threshold = 0.6;
    EXPECT_TRUE(differs(changed)) << "threshold";
    changed = base;
    changed.iterations = 30;
    EXPECT_EQ(tsm(x.view(), changed).summary.trace.size(), 30U);
    changed = base;
    changed.tolerance = 0.5;
    const Embedding early = tsm(x.view(), changed);
    EXPECT_EQ(early.summary.termination, Termination::Converged);
    EXPECT_LT(early.summary.trace.size(), reference.summary.trace.size());
    changed = base;
    changed.seed = 9;
    EXPECT_TRUE(differs(changed)) << "seed";
}

TEST(Tsm, VirtualInputsLeadToIsolatedPoints) {
    support::Matrix x = support::to_matrix(example());
    x.row(0) = support::random_matrix(1, 20, 77).row(0);  // far from every cluster
    const Embedding result = tsm(support::to_points(x).view(), {.dimension = 5, .threshold = tau, .iterations = 30});
    EXPECT_GE(result.summary.value("isolated"), 1.0);
    EXPECT_GE(result.summary.value("virtual_inputs"), 1.0);
    EXPECT_EQ(result.coordinates.count(), static_cast<Index>(x.rows()));
}

TEST(Tsm, PushesEntriesOffTheSupportDownFromSixteenDimensions) {
    // Points all around lose length in fewer dimensions, and with it what tau |x||y| takes off: the start's sum is
    // above the inputs' (eq. 18).
    const Points points = support::to_points(support::random_matrix(200, 20, 2));
    const auto lift = [&](int dimension) {
        const TsmOptions options{.dimension = dimension, .threshold = 0.5, .iterations = 1};
        return tsm(points.view(), options).summary.value("lift");
    };
    EXPECT_EQ(lift(15), 0.0);
    EXPECT_LT(lift(16), 0.0);
}

TEST(Tsm, ChoosesTheThresholdAndReportsIt) {
    const Embedding result = tsm(example().view(), {.dimension = 4, .iterations = 5});
    const double chosen = result.summary.value("threshold");
    EXPECT_GT(chosen, 0.0);
    EXPECT_LT(chosen, 1.0);
    EXPECT_EQ(std::get<double>(result.options.at("threshold")), chosen);
    EXPECT_NEAR(result.summary.value("sparsity"), 0.99, 0.01);
}

TEST(Tsm, ZeroVectorsStayZeroAndAreCounted) {
    Points x = example();
    for (const Index i : {3U, 77U}) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    const Embedding result = tsm(x.view(), {.dimension = 4, .threshold = tau, .iterations = 20});
    EXPECT_EQ(result.summary.value("zero_vectors"), 2.0);
    EXPECT_EQ(norms(result.coordinates.view())[3], 0.0);
    EXPECT_EQ(norms(result.coordinates.view())[77], 0.0);
}

TEST(Tsm, AwkwardSizesGiveFiniteCoordinates) {
    for (const Index n : {3U, 5U, 20U, 47U, 48U, 49U, 97U}) {
        Points x = support::clustered_points(n, 6, 2, 0.3, n);
        std::copy(x[0].begin(), x[0].end(), x[1].begin());  // a duplicate
        const Embedding result = tsm(x.view(), {.dimension = 2, .threshold = tau, .iterations = 30});
        EXPECT_TRUE(all_finite(result.coordinates)) << n;
        EXPECT_EQ(result.coordinates.count(), n);
    }
}

TEST(Tsm, SaysHowManyPointsATooHighThresholdIsolates) {
    try {
        (void)tsm(example().view(), {.dimension = 4, .threshold = 0.9999});
        FAIL() << "nearly all points are isolated, yet the run was made";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "threshold");
        EXPECT_NE(std::string(error.what()).find("of 150 points have no neighbour above it"), std::string::npos);
    }
}

TEST(Tsm, StatesItsMemoryBeforeWork) {
    RunContext context;
    context.memory_limit = 100000;
    bool reported = false;
    context.on_iteration = [&](const Progress& progress) { reported = reported || progress.phase == "similarities"; };
    EXPECT_THROW((void)tsm(example().view(), {.dimension = 4, .threshold = tau}, context), LimitExceeded);
    EXPECT_FALSE(reported);
}

TEST(Tsm, EndsWithTheBestSoFarWhenStopped) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    const std::thread::id caller = std::this_thread::get_id();
    bool only_caller = true;
    context.on_iteration = [&](const Progress& progress) {
        only_caller = only_caller && std::this_thread::get_id() == caller;
        if (progress.phase == "matching" && progress.done == 12) {
            source.request_stop();
        }
    };
    const Points x = example();
    const Embedding stopped = tsm(x.view(), {.dimension = 4, .threshold = tau}, context);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.summary.trace.size(), 12U);
    EXPECT_TRUE(only_caller);
    const Embedding twelve = tsm(x.view(), {.dimension = 4, .threshold = tau, .iterations = 12});
    EXPECT_TRUE(same_bits(stopped.coordinates, twelve.coordinates));
}

TEST(Tsm, ShowsACallbackWhatAnEndAtItsStepGives) {
    const Points x = example();
    const TsmOptions options{.dimension = 4, .threshold = tau};
    Points seen;
    std::stop_source stop;
    RunContext context{.stop = stop.get_token()};
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase != "matching") {
            EXPECT_FALSE(progress.coordinates) << progress.phase;
            return;
        }
        if (progress.done == 4) {
            seen = progress.coordinates();
            stop.request_stop();
        }
    };
    EXPECT_TRUE(same_bits(seen, tsm(x.view(), options, context).coordinates));
}

}  // namespace
}  // namespace isogon::tsm_test
