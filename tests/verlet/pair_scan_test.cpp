#include "verlet/pair_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::pair_scan_test {
namespace {

using reference::on_threads;

constexpr Index count = 340;

LocalTargets targets_of(std::uint64_t seed) {
    LocalTargets targets;
    targets.near = {.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        if (i + 7 < count) {
            targets.near.indices.push_back(i + 7);
            targets.near.values.push_back(0.1F);
        }
        targets.near.offsets.push_back(targets.near.indices.size());
        targets.radii.push_back(static_cast<float>(random.uniform(0.0, 5.0)));
    }
    return targets;
}

ScannedPoints points_of(const LocalTargets& targets, PanelPairs which, const MultiVector<float>& y) {
    ScannedPoints points(targets, which);
    points.positions = MultiVector<float>(y.rows(), y.columns());
    points.quantized = QuantizedPoints(y.rows(), y.columns(), ScannedPoints::expected(which));
    for (Index p = 0; p < points.quantized.panels(); ++p) {
        points.place_panel(p, y);
    }
    for (Index i = 0; i < y.rows(); ++i) {
        points.skins[i] = static_cast<float>(Random(5, RandomStream::Test, i).uniform(0.0, 0.1));
    }
    return points;
}

/// By the definition; pairs on the very boundary belong to neither.
enum class Listed { Yes, No, Either };

Listed is_listed(const ScannedPoints& points, Index i, Index j) {
    double square = 0.0;
    for (Index k = 0; k < points.positions.columns(); ++k) {
        square += std::pow(double{points.positions.row(i)[k]} - points.positions.row(j)[k], 2);
    }
    const double bound = std::max(points.radii[i], points.radii[j]) + double{points.skins[i]} + points.skins[j];
    if (i == j || std::max(i, j) - std::min(i, j) == 7 || !points.looks_at(i / 48, j / 48)) {
        return Listed::No;
    }
    if (std::abs(std::sqrt(square) - bound) < 1e-4 * bound) {
        return Listed::Either;
    }
    return std::sqrt(square) < bound ? Listed::Yes : Listed::No;
}

void expect_lists(const PairLists& lists, const ScannedPoints& points) {
    ASSERT_EQ(lists.begins.size(), std::size_t{count} + 1);
    for (Index i = 0; i < count; ++i) {
        const auto list = lists.of(i);
        ASSERT_TRUE(std::ranges::adjacent_find(list, std::greater_equal<>()) == list.end());
        for (Index j = 0; j < count; ++j) {
            const Listed expected = is_listed(points, i, j);
            const bool found = std::ranges::binary_search(list, j);
            ASSERT_TRUE(expected == Listed::Either || found == (expected == Listed::Yes)) << i << ", " << j;
        }
    }
}

class PairScanOf : public testing::TestWithParam<PanelPairs> {};

INSTANTIATE_TEST_SUITE_P(Panels, PairScanOf, testing::Values(PanelPairs::All, PanelPairs::Near, PanelPairs::Others));

TEST_P(PairScanOf, FindsThePairsOfItsDefinitionAloneOrWithAll) {
    const LocalTargets targets = targets_of(1);
    MultiVector<float> y = support::random_block(count, 5, 2);
    const NearPanels panels(y, 0.3, on_threads(1));
    ScannedPoints points = points_of(targets, GetParam(), y);
    points.panels = &panels;
    std::vector<Index> fresh(count);
    std::iota(fresh.begin(), fresh.end(), Index{0});
    PairLists lists;
    PairScan all(points, fresh);
    ASSERT_TRUE(all.run(count * count, on_threads(2)));
    all.add_to(lists, on_threads(2));
    expect_lists(lists, points);
    ASSERT_GT(lists.listed.size(), 2U * count);

    fresh.clear();
    for (Index i = 3; i < count; i += 5) {
        fresh.push_back(i);
        for (Index k = 0; k < 5; ++k) {
            y.row(i)[k] *= 0.8F;
        }
        points.place(i, y.row(i));
    }
    PairScan some(points, fresh);
    ASSERT_TRUE(some.run(count * count, on_threads(2)));
    some.add_to(lists, on_threads(2));
    expect_lists(lists, points);
    EXPECT_FALSE(PairScan(points, fresh).run(10, on_threads(2))) << "more than ten";
}

TEST_P(PairScanOf, KnowsTheShareOfSkinsThatListsSoMany) {
    const LocalTargets targets = targets_of(3);
    const MultiVector<float> y = support::random_block(count, 4, 4);
    const NearPanels panels(y, 0.3, on_threads(1));
    std::vector<Index> fresh(count);
    std::iota(fresh.begin(), fresh.end(), Index{0});
    ScannedPoints points = points_of(targets, GetParam(), y);
    points.panels = &panels;
    const auto listed = [&] {
        PairScan scan(points, fresh);
        EXPECT_TRUE(scan.run(count * count, on_threads(2)));
        PairLists lists;
        scan.add_to(lists, on_threads(2));
        return 0.5 * static_cast<double>(lists.listed.size());
    };
    const double whole = listed();
    PairScan scan(points, fresh);
    EXPECT_EQ(scan.largest_skin_share(whole + 1.0, on_threads(1)), 1.0);
    const double share = scan.largest_skin_share(0.9 * whole, on_threads(2));
    ASSERT_GT(share, 0.0);
    ASSERT_LT(share, 1.0);
    EXPECT_LE(scan.largest_skin_share(1.0, on_threads(1)), PairScan::twice_too_many);
    for (float& skin : points.skins) {
        skin *= static_cast<float>(share);
    }
    EXPECT_LE(listed(), 0.9 * whole + 1.0);
}

}  // namespace
}  // namespace isogon::pair_scan_test
