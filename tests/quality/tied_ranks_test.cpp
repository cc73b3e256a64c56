#include "quality/tied_ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace isogon::tied_ranks_test {
namespace {

constexpr double self = std::numeric_limits<double>::infinity();

NearestSet nearest(std::vector<double> keys, Index k) {
    return nearest_outputs(keys, k);
}

TEST(NearestSet, HoldsAllThatTieForTheLastPlaces) {
    const NearestSet set = nearest({self, 3.0, 1.0, 2.0, 2.0, 0.5, 2.0}, 3);
    EXPECT_EQ(set.inside, (std::vector<Index>{5, 2}));
    EXPECT_EQ(set.tied, (std::vector<Index>{3, 4, 6}));
    EXPECT_EQ(set.open(), 1U);
    EXPECT_TRUE(set.is_open());
    const NearestSet whole = nearest({self, 3.0, 1.0, 2.0, 2.0, 0.5, 2.0}, 5);
    EXPECT_EQ(whole.tied.size(), 3U);
    EXPECT_FALSE(whole.is_open());
}

TEST(NearestSet, OfInputsTiesUpToRounding) {
    const std::vector<double> true_keys{self, 1.0, 1.0 + 1e-6, 1.0 - 1e-6, 1.001, 0.9};
    std::vector<double> keys = true_keys;
    const std::vector<float> squares(6, 0.0F);
    const auto measure = [&](Index j) { return MeasuredPair{.nearness = true_keys[j], .rounding = 1e-6}; };
    EXPECT_EQ(nearest_outputs(keys, 2).tied, (std::vector<Index>{3}));
    const NearestSet set =
        nearest_inputs({.half_row = 0.0, .half_squares = squares, .depth = 1, .measure = measure}, 2, keys);
    EXPECT_EQ(set.inside, (std::vector<Index>{5}));
    EXPECT_EQ(set.tied, (std::vector<Index>{1, 2, 3}));
    EXPECT_EQ(keys[1], keys[2]);
    EXPECT_EQ(keys[1], keys[3]);
}

TEST(Excess, BeyondDozensOfPointsIsTheSame) {
    std::vector<double> x_keys{self};
    std::vector<double> y_keys{self};
    for (int j = 0; j < 200; ++j) {
        x_keys.push_back(j);
        y_keys.push_back(200 - j);
    }
    const NearestSet x = nearest(x_keys, 90);
    const NearestSet y = nearest(y_keys, 90);
    double expected = 0.0;
    for (int rank = 111; rank <= 200; ++rank) {
        expected += rank - 90;
    }
    EXPECT_EQ(false_excess({x_keys, y_keys, x, y}), expected);
    EXPECT_EQ(lost_excess({x_keys, y_keys, x, y}), expected);
}

TEST(InOrder, AsksForTheOrderThatXHas) {
    const std::vector<double> x_keys{self, 1.0, 2.0, 2.0, 3.0};
    const NearestSet x = nearest(x_keys, 3);
    const auto in_order = [&](const std::vector<double>& y_keys) {
        const NearestSet y = nearest(y_keys, 3);
        return are_in_order({x_keys, y_keys, x, y}, 0.0);
    };
    EXPECT_TRUE(in_order({self, 1.0, 2.0, 3.0, 4.0}));
    EXPECT_TRUE(in_order({self, 1.0, 3.0, 2.0, 4.0}));  // 2 and 3 tie in x
    EXPECT_TRUE(in_order({self, 1.0, 2.0, 2.0, 4.0}));
    EXPECT_FALSE(in_order({self, 2.0, 1.0, 3.0, 4.0}));
    EXPECT_FALSE(in_order({self, 2.0, 2.0, 3.0, 4.0}));  // x tells 1 from 2
    EXPECT_FALSE(in_order({self, 1.0, 2.0, 4.0, 3.0}));
}

TEST(VoteFor, IsTheMostFrequentLabel) {
    const std::vector<std::int64_t> labels{9, 4, 4, -2, -2, 7};
    const auto vote = [&](std::int64_t truth, const NearestSet& set) { return vote_for(truth, set, labels); };
    const NearestSet three{.k = 3, .inside = {1, 3}, .tied = {2}};
    EXPECT_EQ(vote(4, three), 1.0);
    EXPECT_EQ(vote(5, three), 0.0);
    const NearestSet two{.k = 2, .inside = {1}, .tied = {5}};
    EXPECT_EQ(vote(4, two), 0.5);
    EXPECT_EQ(vote(7, two), 0.5);
}

TEST(VoteFor, PointsThatTieShareThePlaces) {
    // Two places for four points: each has half a vote.
    const std::vector<std::int64_t> labels{9, 4, 4, 4, 7, 7};
    const NearestSet set{.k = 3, .inside = {4}, .tied = {1, 2, 3, 5}};
    EXPECT_EQ(vote_for(7, set, labels), 0.5);  // 1.5 votes each
    EXPECT_EQ(vote_for(4, set, labels), 0.5);
}

TEST(VoteFor, UnknownLabelsDoNotVote) {
    const std::vector<std::int64_t> labels{-1, 4, -1, -7, 7};
    const NearestSet set{.k = 4, .inside = {0, 1, 2, 3}};
    EXPECT_EQ(vote_for(4, set, labels), 1.0);
    EXPECT_EQ(vote_for(7, set, labels), 0.0);
    EXPECT_FALSE(vote_for(-1, set, labels).has_value()) << "its own is unknown";
    EXPECT_FALSE(vote_for(4, {.k = 2, .inside = {0, 2}}, labels).has_value()) << "all of the nearest are";
}

// Left out of one of four classes of equal size, a point would see its own as the smallest.
TEST(VoteFor, WhereAllTieIsChance) {
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < 40; ++i) {
        labels.push_back(i % 4);
    }
    double right = 0.0;
    for (Index i = 0; i < 40; ++i) {
        std::vector<double> keys(40, 1.0);
        keys[i] = self;
        right += vote_for(labels[i], nearest(keys, 10), labels).value();
    }
    EXPECT_EQ(right, 10.0);
}

}  // namespace
}  // namespace isogon::tied_ranks_test
