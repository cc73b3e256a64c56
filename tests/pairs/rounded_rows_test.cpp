#include "pairs/rounded_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::rounded_rows_test {
namespace {

using reference::on_threads;

constexpr Index count = 150;

MultiVector<float> rows_of_length(double scale, Index dimension) {
    auto y = support::random_matrix(count, dimension, 1);
    y *= scale;
    y.row(7) = y.row(8);
    y.row(9).setZero();
    return support::to_block(y);
}

std::vector<float> squared_radii(double scale, Index dimension) {
    std::vector<float> squares;
    for (Index i = 0; i < count; ++i) {
        Random random(3, RandomStream::Test, i);
        const double radius = i % 9 == 0 ? 0.0 : scale * std::sqrt(2.0 * dimension) * random.uniform(0.5, 1.0);
        squares.push_back(static_cast<float>(radius * radius));
    }
    return squares;
}

std::vector<Index> others_of(Index i) {
    std::vector<Index> others;
    for (Index j = count; j-- > 0;) {
        if (j != i) {
            others.push_back(j);
        }
    }
    return others;
}

std::vector<Index> kept(const RoundedRows& rounded, Index i) {
    const auto others = others_of(i);
    std::vector<Index> near(others.size());
    near.resize(rounded.keep_near(i, others, near.data()));
    return near;
}

class RoundedRowsOf : public testing::TestWithParam<std::tuple<double, Index>> {};

INSTANTIATE_TEST_SUITE_P(Rows, RoundedRowsOf,
                         testing::Combine(testing::Values(1e-15, 1.0, 1e15), testing::Values(1, 3, 32, 33, 100)));

TEST_P(RoundedRowsOf, KeepAllThatAreNearAndFewOthers) {
    const auto [scale, dimension] = GetParam();
    const auto y = rows_of_length(scale, dimension);
    const auto squares = squared_radii(scale, dimension);
    RoundedRows rounded;
    rounded.set(y.view(), squares, on_threads(2));
    std::size_t all_near = 0;
    std::size_t all_kept = 0;
    for (Index i = 0; i < count; ++i) {
        const auto others = others_of(i);
        std::vector<float> squared(others.size());
        square_listed_differences(y.row(i), y, others, squared.data());
        std::vector<Index> near;
        for (std::size_t k = 0; k < others.size(); ++k) {
            if (squared[k] < std::max(squares[i], squares[others[k]])) {
                near.push_back(others[k]);
            }
        }
        const auto found = kept(rounded, i);
        std::size_t next = 0;
        for (const Index j : near) {  // in the order of the list
            next = static_cast<std::size_t>(
                std::find(found.begin() + static_cast<std::ptrdiff_t>(next), found.end(), j) - found.begin());
            ASSERT_LT(next, found.size()) << i << ", " << j;
        }
        all_near += near.size();
        all_kept += found.size();
    }
    EXPECT_GT(all_near, 1000U);
    EXPECT_LT(all_near, std::size_t{count} * count * 2 / 3);
    EXPECT_LT(all_kept - all_near, 100U);
}

TEST_P(RoundedRowsOf, KeepOfPairsWhatTheyKeepOfLists) {
    const auto [scale, dimension] = GetParam();
    const auto y = rows_of_length(scale, dimension);
    RoundedRows rounded;
    rounded.set(y.view(), squared_radii(scale, dimension), on_threads(2));
    RoundedRows changed;
    double longest = 0.0;
    for (Index i = 0; i < count; ++i) {
        longest = std::max(longest, std::sqrt(std::inner_product(y.row(i), y.row(i) + dimension, y.row(i), 0.0)));
    }
    const auto write = [&](Index i, std::span<float> row) { std::copy_n(y.row(i), row.size(), row.begin()); };
    changed.set(dimension, longest, write, std::vector<float>(count, std::numeric_limits<float>::infinity()),
                on_threads(2));
    std::vector<ListedPair> pairs;
    std::vector<std::pair<Index, Index>> expected;
    for (Index i = 0; i < count; ++i) {
        changed.set_radius(i, std::sqrt(double{squared_radii(scale, dimension)[i]}));
        for (const Index j : others_of(i)) {
            pairs.push_back({i, j});
        }
        for (const Index j : kept(rounded, i)) {
            expected.emplace_back(i, j);
        }
    }
    EXPECT_LT(expected.size(), pairs.size());
    for (const RoundedRows* rows : {&rounded, &changed}) {
        auto some = pairs;
        some.resize(rows->keep_near(some));
        std::vector<std::pair<Index, Index>> found;
        for (const auto& [i, j] : some) {
            found.emplace_back(i, j);
        }
        EXPECT_EQ(found, expected);
    }
}

TEST(RoundedRows, KeepWhatIsAtTheBound) {
    // Exact in float32, at distances that the radius is just above: without the errors of rounding most would be lost.
    MultiVector<float> y(count, 32);
    std::vector<float> squares(count, 0.0F);
    for (Index i = 1; i < count; ++i) {
        Random random(5, RandomStream::Test, i);
        for (Index k = 0; k < 32; ++k) {
            y.row(i)[k] = static_cast<float>(0.2 * random.normal());
        }
        const std::array<Index, 1> other{i};
        square_listed_differences(y.row(0), y, other, &squares[i]);
        squares[i] = std::nextafter(squares[i], std::numeric_limits<float>::infinity());
    }
    RoundedRows rounded;
    rounded.set(y.view(), squares, on_threads(1));
    EXPECT_EQ(kept(rounded, 0).size(), count - 1U);
}

TEST(RoundedRows, KeepAllWhereARowIsNotFinite) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        auto y = rows_of_length(1.0, 5);
        RoundedRows rounded;
        rounded.set(y.view(), squared_radii(1e-3, 5), on_threads(2));
        EXPECT_LT(kept(rounded, 2).size(), 10U);
        y.row(100)[3] = bad;
        rounded.set(y.view(), squared_radii(1e-3, 5), on_threads(2));
        EXPECT_EQ(kept(rounded, 2), others_of(2));
        std::vector<ListedPair> pairs{{2, 3}, {4, 5}};
        EXPECT_EQ(rounded.keep_near(pairs), 2U);
    }
}

TEST(RoundedRows, OfZerosAreAllNear) {
    RoundedRows rounded;
    rounded.set(MultiVector<float>(count, 4).view(), std::vector<float>(count, 1.0F), on_threads(1));
    EXPECT_EQ(kept(rounded, 0), others_of(0));
}

}  // namespace
}  // namespace isogon::rounded_rows_test
