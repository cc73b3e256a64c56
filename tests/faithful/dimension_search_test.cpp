#include "faithful/dimension_search.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/synthetic/generator.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/sanitizers.hpp"

namespace isogon::dimension_search_test {
namespace {

using reference::on_threads;
using support::same_bits;

/// A fit that keeps this share of the neighbours, counted.
struct MadeUpFits {
    std::function<double(Index)> kept;
    std::map<Index, Index> wider{};  ///< by dimension: that of the fit to begin at, or 0
    Index interrupted = 0;           ///< dimension of the fit that does not come to its end
    bool without_coordinates = false;

    Embedding operator()(Index d, const Embedding* from, const Summary& before) {
        EXPECT_TRUE(wider.emplace(d, from == nullptr ? 0 : from->coordinates.dimension()).second) << d << " twice";
        Embedding fitted;
        fitted.summary.seconds = before.seconds;
        if (d == interrupted && without_coordinates) {
            throw Interruption{Termination::TimeLimit};
        }
        fitted.coordinates = Points(3, d);
        fitted.summary.message = "the fit's own";
        if (d == interrupted) {
            fitted.summary.termination = Termination::TimeLimit;
        } else {
            fitted.summary.measure("kept_neighbors", kept(d));
        }
        return fitted;
    }
};

Embedding search(MadeUpFits& fits, double recall, Index most) {
    return fit_in_fewest_dimensions(
        recall, most, [&](Index d, const Embedding* from, const Summary& before) { return fits(d, from, before); }, {});
}

TEST(DimensionSearch, FindsTheFewestThatKeepEnough) {
    for (const Index most : {1U, 2U, 7U, 8U, 9U, 30U, 64U, 100U}) {
        for (Index needed = 1; needed <= most; ++needed) {
            MadeUpFits fits{.kept = [&](Index d) { return d < needed ? 0.5 : 0.95; }};
            const Embedding found = search(fits, 0.9, most);
            EXPECT_EQ(found.coordinates.dimension(), needed);
            EXPECT_TRUE(found.summary.warnings.empty());
            EXPECT_LE(fits.wider.size(), 16U);
            for (const auto& [d, from] : fits.wider) {
                EXPECT_EQ(found.summary.value("kept_neighbors_in_" + std::to_string(d)), d < needed ? 0.5 : 0.95);
                EXPECT_TRUE(from == 0 || from > d);
            }
        }
    }
}

TEST(DimensionSearch, CountsASingleDimensionAsOne) {
    MadeUpFits one{.kept = [](Index) { return 1.0; }};
    EXPECT_TRUE(search(one, 0.9, 4).summary.message.starts_with("1 dimension keeps 1 of all neighbours;"));
    MadeUpFits two{.kept = [](Index d) { return d < 2 ? 0.5 : 1.0; }};
    EXPECT_TRUE(search(two, 0.9, 4).summary.message.starts_with("2 dimensions keep 1 of all neighbours, 1 keeps 0.5;"));
}

TEST(DimensionSearch, SaysWhereNoDimensionKeepsEnough) {
    MadeUpFits fits{.kept = [](Index) { return 0.5; }};
    const Embedding found = search(fits, 0.9, 20);
    EXPECT_EQ(found.coordinates.dimension(), 20U);
    ASSERT_EQ(found.summary.warnings.size(), 1U);
    EXPECT_NE(found.summary.warnings[0].find("less than recall = 0.9"), std::string::npos);
}

TEST(DimensionSearch, EndsAtAnInterruptionWithTheBestFit) {
    const auto kept = [](Index d) { return d < 11 ? 0.5 : 0.95; };  // 8, 16, 12, 10, 11
    for (const bool without : {false, true}) {
        const std::map<Index, Index> best{{16, 8}, {12, 16}, {10, 12}, {11, 12}};
        for (const auto& [interrupted, dimension] : best) {
            MadeUpFits fits{.kept = kept, .interrupted = interrupted, .without_coordinates = without};
            const Embedding found = search(fits, 0.9, 64);
            EXPECT_EQ(found.coordinates.dimension(), dimension);
            EXPECT_EQ(found.summary.termination, Termination::TimeLimit);
            EXPECT_NE(found.summary.message.find("interrupted"), std::string::npos);
            EXPECT_TRUE(found.summary.warnings.empty()) << found.summary.warnings.front();  // more may keep enough
        }
    }
    MadeUpFits first{.kept = kept, .interrupted = 8, .without_coordinates = true};
    EXPECT_THROW((void)search(first, 0.9, 64), Interruption);
}

TEST(DimensionSearch, BeginsAtTheLongestDirections) {
    // Two of three directions carry everything.
    Points flat(40, 3);
    const Points plane = reference::random_points(40, 2, 5);
    for (Index i = 0; i < 40; ++i) {
        flat[i][0] = 0.6F * plane.view()[i][0];
        flat[i][1] = plane.view()[i][1];
        flat[i][2] = 0.8F * plane.view()[i][0];
    }
    const Points narrow = in_fewer_dimensions(flat, 2, {});
    for (Index i = 0; i < 40; ++i) {
        double before = 0.0;
        double after = 0.0;
        for (Index c = 0; c < 2; ++c) {
            before += double{plane.view()[0][c]} * plane.view()[i][c];
            after += double{narrow.view()[0][c]} * narrow.view()[i][c];
        }
        EXPECT_NEAR(after, before, 1e-5);
    }
}

class FaithfulInAutomaticDimensions : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, FaithfulInAutomaticDimensions, testing::Values(Metric::Cosine, Metric::Euclidean));

TEST_P(FaithfulInAutomaticDimensions, KeepsWhatIsAskedAndNoFewerDimensionsDo) {
    const Points x = drawn_digits(300).points;
    const FaithfulOptions options{
        .dimension = std::nullopt, .recall = 0.9, .neighbors = 8, .metric = GetParam(), .iterations = 60};
    const Embedding found = faithful(x.view(), options, on_threads(1));
    const Index d = found.coordinates.dimension();
    EXPECT_EQ(std::get<std::int64_t>(found.options.at("dimension")), static_cast<std::int64_t>(d));
    EXPECT_GE(found.summary.value("kept_neighbors"), 0.9);
    EXPECT_EQ(found.summary.value("kept_neighbors_in_" + std::to_string(d)), found.summary.value("kept_neighbors"));
    EXPECT_LT(found.summary.value("kept_neighbors_in_" + std::to_string(d - 1), 1.0), 0.9);
    std::set<std::string> phases;
    for (const auto& [phase, seconds] : found.summary.seconds) {
        EXPECT_TRUE(phases.insert(phase).second) << phase;
    }
    EXPECT_TRUE(same_bits(found.coordinates, faithful(x.view(), options, on_threads(2)).coordinates));
}

void expect_refused(const FaithfulOptions& options, const FitExtras& extras = {}) {
    try {
        (void)faithful(drawn_digits(40).points.view(), options, {}, extras);
        ADD_FAILURE() << "was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "dimension");
    }
}

TEST(FaithfulDimension, IsRefusedWithAStartOrACheckpoint) {
    const Points start = reference::random_points(40, 1, 1);
    expect_refused({.dimension = std::nullopt}, {.start = start.view()});
    expect_refused({.dimension = std::nullopt}, {.checkpoint = [](const Archive&) {}});
}

TEST(FaithfulDimension, RecallHasNoEffectWithANumber) {
    try {
        (void)faithful(drawn_digits(40).points.view(), {.dimension = 4, .recall = 0.5});
        ADD_FAILURE() << "was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "recall");
    }
}

}  // namespace
}  // namespace isogon::dimension_search_test
