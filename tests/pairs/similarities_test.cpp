#include "pairs/similarities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <tuple>

#include "pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"
#include "support/matching_examples.hpp"

namespace isogon::similarities_test {
namespace {

using reference::on_threads;
using support::clustered_points;
using support::Matrix;
using support::to_matrix;

/// Points with zero vectors, duplicates, antipodes, multiples and a spread of lengths.
Points difficult_points(Index count, std::uint64_t seed) {
    Points x = clustered_points(count, 11, 6, 0.7, seed);
    for (Index i = 5; i < count; ++i) {
        const auto before = x[i - 1];
        const auto here = x[i];
        for (Index k = 0; k < x.dimension(); ++k) {
            switch (i % 11) {
                case 5: here[k] = before[k]; break;
                case 7: here[k] = -before[k]; break;
                case 8: here[k] = 0.0F; break;
                case 10: here[k] *= 30.0F; break;
                default: break;
            }
        }
    }
    return x;
}

/// Pairs whose unthresholded similarity is too near zero for float32 to know its sign.
double undecided_pairs(const Matrix& bracket, double scale) {
    return (bracket.array().abs() < 1e-6 * scale).cast<double>().sum();
}

class SimilaritiesOf : public testing::TestWithParam<std::tuple<Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, SimilaritiesOf,
                         testing::Combine(testing::Values(1, 2, 47, 48, 49, 300, 800),
                                          testing::Values(0.1, 0.4, 0.75, 0.95)));

TEST_P(SimilaritiesOf, AreTheFormulaWithItsSums) {
    const auto [count, tau] = GetParam();
    const Points x = difficult_points(count, 1);
    const Similarities s = thresholded_similarities(x.view(), tau, on_threads(2));
    const Matrix bracket = support::unthresholded(to_matrix(x), tau);
    const double scale = bracket.cwiseAbs().maxCoeff();
    const Matrix dense = bracket.cwiseMax(0.0);
    EXPECT_LT(support::difference(to_matrix(s), dense), 2e-6 * scale);
    EXPECT_EQ(s.threshold, tau);
    EXPECT_NO_THROW(validate(s.upper));
    EXPECT_NEAR(s.squared_norm, dense.squaredNorm(), 1e-5 * dense.squaredNorm());
    EXPECT_NEAR(s.unthresholded_sum, bracket.sum(), 1e-9 * bracket.cwiseAbs().sum());
    const double undecided = undecided_pairs(bracket, scale);
    EXPECT_NEAR(s.support(), support::support_mask(dense).sum(), undecided);
    EXPECT_EQ(s.support() + s.zeros(), static_cast<double>(count) * count);
    Matrix mask = support::support_mask(to_matrix(s));
    mask.diagonal().setZero();
    const std::vector<Index> degrees = support_degrees(s.upper);
    ASSERT_EQ(degrees.size(), count);
    for (Index i = 0; i < count; ++i) {
        EXPECT_EQ(degrees[i], mask.row(i).sum());
        EXPECT_TRUE(s.upper.row_indices(i).empty() || s.upper.row_indices(i).front() > i);
        EXPECT_TRUE(std::ranges::all_of(s.upper.row_values(i), [](float value) { return value > 0.0F; }));
    }
}

void expect_same_bits(const Similarities& a, const Similarities& b) {
    EXPECT_EQ(a.upper.offsets, b.upper.offsets);
    EXPECT_EQ(a.upper.indices, b.upper.indices);
    EXPECT_EQ(a.upper.values, b.upper.values);
    EXPECT_EQ(a.diagonal, b.diagonal);
    EXPECT_EQ(a.squared_norm, b.squared_norm);
    EXPECT_EQ(a.unthresholded_sum, b.unthresholded_sum);
    EXPECT_EQ(a.upper.rows, b.upper.rows);
    EXPECT_EQ(a.upper.columns, b.upper.columns);
}

TEST_P(SimilaritiesOf, CanBeExtendedByPointsAsIfComputedAtOnce) {
    const auto [count, tau] = GetParam();
    const Points x = difficult_points(count, 6);
    const Similarities whole = thresholded_similarities(x.view(), tau, on_threads(2));
    for (const Index known : {Index{1}, count / 2, count}) {
        if (known == 0 || known > count) {
            continue;
        }
        const PointsView first(x.view().data, known, x.dimension());
        Similarities s = thresholded_similarities(first, tau, on_threads(1));
        append_points(x.view(), s, on_threads(2));
        EXPECT_NO_THROW(validate(s.upper));
        EXPECT_EQ(s.size(), count);
        EXPECT_LT(support::difference(to_matrix(s), to_matrix(whole)), 2e-6 * to_matrix(whole).maxCoeff());
        EXPECT_NEAR(s.squared_norm, whole.squared_norm, 1e-6 * whole.squared_norm);
        EXPECT_EQ(s.unthresholded_sum, whole.unthresholded_sum);
        EXPECT_EQ(s.diagonal, whole.diagonal);
    }
}

void expect_own_part(const Similarities& shared, const Similarities& whole, const RankGroup& ranks) {
    Similarities expected = whole;
    expected.upper = support::own_part(whole.upper, ranks.own_rows(pair_blocks(whole.size())));
    expect_same_bits(shared, expected);
    EXPECT_EQ(shared.pairs(), whole.pairs());
    EXPECT_EQ(shared.support(), whole.support());
}

TEST_P(SimilaritiesOf, AreThoseOfItsOwnPointsOnEachRankOfACommunicator) {
    const auto [count, tau] = GetParam();
    const Points x = difficult_points(count, 6);
    const Similarities whole = thresholded_similarities(x.view(), tau, on_threads(3));
    const PointsView first(x.view().data, count / 2 + 1, x.dimension());
    Similarities grown = thresholded_similarities(first, tau, on_threads(1));
    append_points(x.view(), grown, on_threads(1));
    for (const std::size_t ranks : {1U, 3U, 4U}) {
        support::on_ranks(ranks, x.view(), [&, tau = tau](const RunContext& context, const DistributedPoints& points) {
            const Communicator& communicator = *points.communicator();
            expect_own_part(thresholded_similarities(points, tau, context), whole, ranks_of(points));
            expect_own_part(thresholded_similarities({x.view(), communicator}, tau, context), whole, ranks_of(points));
            Similarities s = thresholded_similarities({first, communicator}, tau, context);
            append_points(points, s, context);
            expect_own_part(s, grown, ranks_of(points));
        });
    }
}

TEST(Similarities, ReadStridedViews) {
    const Points wide = reference::random_points(90, 12, 7);
    const PointsView middle(wide.view().data + 2, 90, 7, 12);
    const Points copy = support::to_points(to_matrix(wide).middleCols(2, 7));
    expect_same_bits(thresholded_similarities(middle, 0.3, {}), thresholded_similarities(copy.view(), 0.3, {}));
}

TEST(Similarities, OfZeroVectorsAreZero) {
    const Points x(60, 4);
    const Similarities s = thresholded_similarities(x.view(), 0.5, {});
    EXPECT_EQ(s.upper.entries(), 0U);
    EXPECT_EQ(s.squared_norm, 0.0);
    EXPECT_EQ(s.support(), 0.0);
    EXPECT_EQ(s.zeros(), 3600.0);
}

TEST(Similarities, OfEqualPointsAreFull) {
    const Similarities s = thresholded_similarities(reference::equal_points(100, 3).view(), 0.9, {});
    EXPECT_EQ(s.upper.entries(), 100U * 99U / 2U);
    EXPECT_EQ(s.zeros(), 0.0);
}

TEST(Similarities, ReportTheirProgressAndCanBeCancelled) {
    const Points x = clustered_points(1000, 4, 3, 0.5, 8);
    std::stop_source source;
    RunContext context = on_threads(2);
    context.stop = source.get_token();
    int reports = 0;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "similarities");
        ++reports;
        source.request_stop();
    };
    EXPECT_THROW(static_cast<void>(thresholded_similarities(x.view(), 0.5, context)), Interruption);
    EXPECT_EQ(reports, 1);
}

}  // namespace
}  // namespace isogon::similarities_test
