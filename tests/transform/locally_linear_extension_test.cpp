#include "transform/locally_linear_extension.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/reconstruction.hpp"
#include "support/embeddings.hpp"

namespace isogon::locally_linear_extension_test {
namespace {

using reference::cosine_lists;
using reference::on_threads;
using support::Matrix;
using support::to_matrix;

std::vector<Index> every(Index step, Index count) {
    std::vector<Index> chosen;
    for (Index i = 0; i < count; i += step) {
        chosen.push_back(i);
    }
    return chosen;
}

Matrix rows_of(const Matrix& matrix, const std::vector<Index>& rows) {
    Matrix result(static_cast<Eigen::Index>(rows.size()), matrix.cols());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        result.row(static_cast<Eigen::Index>(k)) = matrix.row(rows[k]);
    }
    return result;
}

/// Eqs. 24 to 27 with dense matrices: the unknown rows of Y that make |(I - W) Y| least.
Matrix extended(const Matrix& w, const std::vector<Index>& landmarks, const Matrix& known) {
    const Matrix m = Matrix::Identity(w.rows(), w.rows()) - w;
    Matrix y = Matrix::Zero(w.rows(), known.cols());
    std::vector<Index> unknown;
    for (Index i = 0; i < w.rows(); ++i) {
        const auto found = std::find(landmarks.begin(), landmarks.end(), i);
        if (found == landmarks.end()) {
            unknown.push_back(i);
        } else {
            y.row(i) = known.row(found - landmarks.begin());
        }
    }
    const Matrix k = rows_of(m.transpose(), unknown).transpose();
    const Matrix solution = k.colPivHouseholderQr().solve(-m * y);
    for (std::size_t u = 0; u < unknown.size(); ++u) {
        y.row(unknown[u]) = solution.row(static_cast<Eigen::Index>(u));
    }
    return y;
}

/// Points near a plane of few dimensions, so that neighbours rebuild them, and what lies in it.
struct Example {
    explicit Example(Index count, Index input = 10, Index output = 3, std::uint64_t seed = 1) {
        const Matrix low = support::random_matrix(count, output, seed);
        const Matrix map = support::random_matrix(output, input, seed + 1);
        points = support::to_points(low * map + 0.05 * support::random_matrix(count, input, seed + 2));
        landmarks = every(4, count);
        outputs = support::to_points(rows_of(low, landmarks));
    }

    [[nodiscard]] NeighborLists lists(Index k) const {
        return cosine_lists(to_matrix(points), to_matrix(points), k, true);
    }
    [[nodiscard]] LocallyLinearExtension extend(Index k, const LocallyLinearOptions& options = {},
                                                const RunContext& context = {}) const {
        return extend_locally_linearly(points.view(), {landmarks, outputs.view()}, lists(k), options, context);
    }

    Points points;
    std::vector<Index> landmarks;
    Points outputs;
};

TEST(LocallyLinearExtension, SolvesEquation27) {
    for (const Index count : {9, 50, 120}) {
        const Example example(count);
        const Index k = std::min<Index>(12, count - 1);
        const auto result = example.extend(k, {.neighbors = static_cast<int>(k), .ridge = 1e-2, .tolerance = 1e-6});
        const Matrix x = to_matrix(example.points);
        const Matrix expected =
            extended(reference::weights(x, x, example.lists(k), 1e-2), example.landmarks, to_matrix(example.outputs));
        EXPECT_LT((to_matrix(result.outputs) - expected).norm(), 1e-3 * expected.norm());
        EXPECT_EQ(result.summary.termination, Termination::Converged);
        EXPECT_LE(result.summary.value("residual"), 1e-6);
        EXPECT_EQ(result.summary.value("unknown"), count - example.landmarks.size());
    }
}

TEST(LocallyLinearExtension, LeavesLandmarksAsTheyAreInAnyOrder) {
    Example example(60);
    const auto first = example.extend(12);
    for (std::size_t k = 0; k < example.landmarks.size(); ++k) {
        const auto given = example.outputs[static_cast<Index>(k)];
        EXPECT_TRUE(std::equal(given.begin(), given.end(), first.outputs[example.landmarks[k]].begin()));
    }
    const std::vector<Index> order = reference::shuffled(static_cast<Index>(example.landmarks.size()), 3);
    const std::vector<Index> before = example.landmarks;
    std::transform(order.begin(), order.end(), example.landmarks.begin(), [&](Index k) { return before[k]; });
    example.outputs = reference::reordered(example.outputs, order);
    EXPECT_EQ(to_matrix(example.extend(12).outputs), to_matrix(first.outputs));
}

TEST(LocallyLinearExtension, DoesNotDependOnThreadsAndFollowsLengths) {
    const Example example(150);
    const auto one = example.extend(12, {}, on_threads(1));
    for (const int threads : {2, 3}) {
        EXPECT_EQ(to_matrix(example.extend(12, {}, on_threads(threads)).outputs), to_matrix(one.outputs));
    }
    Example larger = example;
    larger.points = reference::scaled(example.points, 8.0F);
    EXPECT_EQ(to_matrix(larger.extend(12).outputs), to_matrix(one.outputs));
    larger.outputs = reference::scaled(example.outputs, 4.0F);
    EXPECT_EQ(to_matrix(larger.extend(12).outputs), 4.0 * to_matrix(one.outputs));
}

// Lengths that float32 squares to infinity or zero, in which W itself could not be written.
TEST(LocallyLinearExtension, BearsLengthsOfAnySize) {
    Example example(60);
    for (Index i = 0; i < 60; ++i) {
        const float factor = i % 3 == 0 ? 1e30F : (i % 3 == 1 ? 1e-30F : 1.0F);
        for (float& value : example.points[i]) {
            value *= factor;
        }
        if (i % 4 == 0) {
            for (float& value : example.outputs[i / 4]) {
                value *= factor;
            }
        }
    }
    const auto result = example.extend(12);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    const Matrix y = to_matrix(result.outputs);
    EXPECT_TRUE(y.allFinite());
    for (Index i = 0; i < 60; ++i) {
        EXPECT_GT(y.row(i).norm(), 0.01 * to_matrix(example.points).row(i).norm());
    }
}

TEST(LocallyLinearExtension, NamesWhatNoLandmarkReachesAndPlacesIt) {
    // Two groups at right angles; all landmarks are in the first.
    Matrix x = Matrix::Zero(30, 6);
    x.block(0, 0, 20, 3) = support::random_matrix(20, 3, 1).cwiseAbs();
    x.block(20, 3, 10, 3) = support::random_matrix(10, 3, 2).cwiseAbs();
    const Points points = support::to_points(x);
    const std::vector<Index> landmarks{0, 5, 10, 15};
    const Points outputs = reference::random_points(4, 2, 3);
    const auto result =
        extend_locally_linearly(points.view(), {landmarks, outputs.view()}, cosine_lists(x, x, 8, true));
    std::vector<Index> second(10);
    std::iota(second.begin(), second.end(), Index{20});
    EXPECT_EQ(result.unreached, second);
    EXPECT_EQ(result.summary.value("unreached"), 10.0);
    ASSERT_EQ(result.summary.warnings.size(), 1);
    EXPECT_NE(result.summary.warnings[0].find("20, 21, 22, 23, 24, ..."), std::string::npos);
    EXPECT_TRUE(to_matrix(result.outputs).allFinite());
}

TEST(LocallyLinearExtension, UnreachedPointsAreMixedFromLandmarks) {
    // Points 4 to 7 list one another, though they are copies of the landmarks.
    Matrix x = support::random_matrix(4, 3, 1).replicate(2, 1);
    const Points points = support::to_points(x);
    NeighborLists lists{.size = 3};
    for (Index i = 0; i < 8; ++i) {
        for (Index j = i / 4 * 4; j < i / 4 * 4 + 4; ++j) {
            if (j != i) {
                lists.indices.push_back(j);
            }
        }
    }
    const std::vector<Index> landmarks{0, 1, 2, 3};
    const Points outputs = reference::random_points(4, 2, 3);
    const auto result =
        extend_locally_linearly(points.view(), {landmarks, outputs.view()}, lists, {.neighbors = 3, .ridge = 1e-5});
    EXPECT_EQ(result.unreached, (std::vector<Index>{4, 5, 6, 7}));
    const Matrix y = to_matrix(result.outputs);
    EXPECT_LT((y.bottomRows(4) - y.topRows(4)).norm(), 0.01 * y.norm());
}

TEST(LocallyLinearExtension, OfAwkwardPointsIsFiniteAndZeroForZeros) {
    const Points points = reference::awkward_points(48, 5, 3);
    const Matrix x = to_matrix(points);
    const std::vector<Index> landmarks = every(5, 48);
    const Points outputs = reference::random_points(static_cast<Index>(landmarks.size()), 2, 3);
    const auto result =
        extend_locally_linearly(points.view(), {landmarks, outputs.view()}, cosine_lists(x, x, 8, true));
    EXPECT_TRUE(to_matrix(result.outputs).allFinite());
    EXPECT_EQ(result.summary.value("zero_vectors"), 7.0);
    for (Index i = 6; i < 48; i += 6) {
        if (i % 5 != 0) {
            EXPECT_EQ(to_matrix(result.outputs).row(i).norm(), 0.0);
        }
    }
}

TEST(LocallyLinearExtension, OfLandmarksAloneIsWhatWasGiven) {
    Example example(20);
    example.landmarks = reference::every_point(20);
    example.outputs = reference::random_points(20, 3, 4);
    const auto result = example.extend(12);
    EXPECT_EQ(to_matrix(result.outputs), to_matrix(example.outputs));
    EXPECT_EQ(result.summary.value("unknown"), 0.0);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
}

TEST(LocallyLinearExtension, EveryOptionChangesWhatItPromises) {
    const Example example(100);
    const Matrix standard = to_matrix(example.extend(30).outputs);
    EXPECT_EQ(standard, to_matrix(example.extend(30, {.neighbors = 12}).outputs));
    EXPECT_NE(standard, to_matrix(example.extend(30, {.neighbors = 20}).outputs));
    EXPECT_NE(standard, to_matrix(example.extend(30, {.ridge = 0.1}).outputs));
    EXPECT_GT(example.extend(30, {.tolerance = 0.1}).summary.value("residual"), 1e-3);
    const auto few = example.extend(30, {.iterations = 2});
    EXPECT_EQ(few.summary.termination, Termination::IterationLimit);
    EXPECT_EQ(few.summary.value("iterations"), 2.0);
    EXPECT_EQ(few.summary.warnings.size(), 1);
    EXPECT_EQ(few.summary.trace.size(), 2);
}

TEST(LocallyLinearExtension, CanBeCancelled) {
    const Example example(100);
    const RunContext context = support::cancelled_at("extension", 3);
    const auto result = example.extend(12, {}, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.value("iterations"), 3.0);
    EXPECT_EQ(result.outputs.count(), 100);
    const auto never = example.extend(12, {}, context);
    EXPECT_EQ(never.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(never.outputs.empty());
}

TEST(LocallyLinearExtension, RefusesWhatCannotBe) {
    const Example example(20);
    EXPECT_THROW((void)example.extend(11), InvalidArgument);  // 12 neighbours are needed
    EXPECT_THROW((void)example.extend(12, {.ridge = 0.0}), InvalidArgument);
    EXPECT_THROW((void)example.extend(12, {.neighbors = -1}), InvalidArgument);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)example.extend(12, {}, little), LimitExceeded);
    const auto with = [&](const std::vector<Index>& landmarks) {
        (void)extend_locally_linearly(example.points.view(), {landmarks, example.outputs.view()}, example.lists(12));
    };
    EXPECT_THROW(with({}), InvalidArgument);
    EXPECT_THROW(with({0, 1, 2, 3}), InvalidArgument);      // five outputs
    EXPECT_THROW(with({0, 1, 2, 3, 3}), InvalidArgument);   // twice
    EXPECT_THROW(with({0, 1, 2, 3, 20}), InvalidArgument);  // beyond
    Example far = example;
    far.outputs = reference::scaled(far.outputs, 1e30F);
    far.points = reference::scaled(far.points, 1e-5F);
    for (float& value : far.points[13]) {
        value *= 1e12F;
    }
    const LocallyLinearExtension failed = far.extend(12);
    EXPECT_TRUE(failed.outputs.empty());
    EXPECT_EQ(failed.summary.termination, Termination::NumericalFailure);
    EXPECT_NE(failed.summary.message.find("row 13"), std::string::npos) << failed.summary.message;
    Example bad = example;
    bad.outputs[1][1] = INFINITY;
    EXPECT_THROW((void)bad.extend(12), InputError);
}

}  // namespace
}  // namespace isogon::locally_linear_extension_test
