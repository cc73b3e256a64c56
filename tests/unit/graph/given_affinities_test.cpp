#include "isogon/graph/given_affinities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/graph/fuzzy_affinities.hpp"
#include "isogon/graph/perplexity_affinities.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::given_affinities_test {
namespace {

// 0 2 0 1
// 2 0 3 0
// 0 3 0 0
// 1 0 0 0
CsrMatrix<double> sample() {
    return {.rows = 4,
            .columns = 4,
            .offsets = {0, 2, 4, 5, 6},
            .indices = {1, 3, 0, 2, 1, 0},
            .values = {2, 1, 2, 3, 3, 1}};
}

/// What is said of a sample with that change.
template <class Change>
std::string refusal(const Change& change) {
    CsrMatrix<double> weights = sample();
    change(weights);
    try {
        require_affinities(weights, 4, "w.mtx");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

void remove(CsrMatrix<double>& weights, Index row, std::size_t place) {
    weights.indices.erase(weights.indices.begin() + static_cast<std::ptrdiff_t>(place));
    weights.values.erase(weights.values.begin() + static_cast<std::ptrdiff_t>(place));
    for (std::size_t i = row + 1; i < weights.offsets.size(); ++i) {
        --weights.offsets[i];
    }
}

TEST(GivenAffinities, WhatIsMadeHerePasses) {
    EXPECT_NO_THROW(require_affinities(sample(), 4, "w.mtx"));
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(300, 3, 1), 7);
    EXPECT_NO_THROW(require_affinities(fuzzy_affinities(lists), 300, "fuzzy"));
    EXPECT_NO_THROW(require_affinities(widen(joint_probabilities(lists, 2.0)), 300, "shares"));
}

TEST(GivenAffinities, TheFirstEntryWithoutItsLikeIsNamed) {
    EXPECT_NE(refusal([](auto& w) { w.values[3] = 2.5; })
                  .find("w.mtx, row 1, column 2 (counted from 0): is 2.5, but "
                        "row 2, column 1 is 3"),
              std::string::npos);
    // Of every entry, what is said when it alone is missing names its like.
    for (std::size_t place = 0; place < 6; ++place) {
        const CsrMatrix<double> whole = sample();
        Index row = 0;
        while (whole.offsets[row + 1] <= place) {
            ++row;
        }
        const std::string said = refusal([&](auto& w) { remove(w, row, place); });
        const std::string like = "row " + std::to_string(whole.indices[place]) + ", column " + std::to_string(row);
        EXPECT_NE(said.find(like + " (counted"), std::string::npos) << said;
        EXPECT_NE(said.find("is not there"), std::string::npos) << said;
    }
}

TEST(GivenAffinities, WhatIsNoWeightIsRefused) {
    EXPECT_NE(refusal([](auto& w) { w.values[0] = w.values[2] = -2.0; }).find("row 0, column 1"), std::string::npos);
    EXPECT_NE(refusal([](auto& w) { w.values[0] = w.values[2] = 1e101; }).find("1e100"), std::string::npos);
    EXPECT_NE(refusal([](auto& w) { w.values.assign(6, 1e-101); }).find("1e-100"), std::string::npos);
    EXPECT_NE(refusal([](auto& w) { w.indices[1] = 3, w.indices[5] = 3; }).find("row 3, column 3"), std::string::npos);
    CsrMatrix<double> weights = sample();
    weights.values[1] = std::nan("");
    EXPECT_THROW(require_affinities(weights, 4, "w.mtx"), InvalidArgument);
    weights = sample();
    weights.indices[4] = 4;
    EXPECT_THROW(require_affinities(weights, 4, "w.mtx"), InvalidArgument);
}

TEST(GivenAffinities, EveryPointMustBeHeld) {
    const std::string said = refusal([](auto& w) { w.values[1] = w.values[5] = 0.0; });
    EXPECT_NE(said.find("row 3"), std::string::npos) << said;
    EXPECT_NE(said.find("1 such rows"), std::string::npos) << said;
    EXPECT_THROW(require_affinities({.rows = 2, .columns = 2, .offsets = {0, 0, 0}}, 2, "w"), InputError);
}

TEST(GivenAffinities, ThereIsARowAndAColumnForEveryPoint) {
    EXPECT_THROW(require_affinities(sample(), 5, "w.mtx"), InputError);
    CsrMatrix<double> wide = sample();
    wide.columns = 5;
    EXPECT_THROW(require_affinities(wide, 4, "w.mtx"), InputError);
}

TEST(GivenAffinities, SharesSumToOneWhateverTheUnit) {
    const CsrMatrix<double> weights = sample();
    for (const double unit : {1e-100, 1e-9, 1.0, 1e99}) {
        CsrMatrix<double> scaled = weights;
        for (double& value : scaled.values) {
            value *= unit;
        }
        const CsrMatrix<float> shares = shares_of(scaled);
        for (std::size_t e = 0; e < 6; ++e) {
            EXPECT_FLOAT_EQ(shares.values[e], static_cast<float>(weights.values[e] / 12.0));
        }
    }
}

TEST(GivenAffinities, SharesThatWereKeptComeBackBitForBit) {
    const CsrMatrix<float> shares =
        joint_probabilities(reference::euclidean_lists(reference::random_points(200, 3, 2), 9), 3.0);
    EXPECT_EQ(shares_of(widen(shares)).values, shares.values);
}

}  // namespace
}  // namespace isogon::given_affinities_test
