#include "verlet/panel_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/spatial_order.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::panel_boxes_test {
namespace {

using reference::on_threads;

/// Panels of points, with radii and skins, both padded to whole panels.
struct Panels {
    explicit Panels(const MultiVector<float>& points, float reach, std::uint64_t seed) : y(points) {
        const std::size_t padded = (y.rows() + 47) / 48 * std::size_t{48};
        radii.resize(padded);
        skins.resize(padded);
        for (Index i = 0; i < y.rows(); ++i) {
            Random random(seed, RandomStream::Test, i);
            radii[i] = static_cast<float>(random.uniform(0.0, reach));
            skins[i] = static_cast<float>(random.uniform(0.0, 0.3 * reach));
        }
        boxes = PanelBoxes(y, radii, skins, on_threads(2));
    }

    [[nodiscard]] Index count() const { return static_cast<Index>(radii.size() / 48); }

    MultiVector<float> y;
    std::vector<float> radii;
    std::vector<float> skins;
    PanelBoxes boxes;
};

/// The distance of two points, in units of that within which they are listed.
double distance_in_reaches(const Panels& a, Index i, const Panels& b, Index j) {
    double square = 0.0;
    for (Index k = 0; k < a.y.columns(); ++k) {
        square += std::pow(double{a.y.row(i)[k]} - b.y.row(j)[k], 2);
    }
    return std::sqrt(square) / (std::max(a.radii[i], b.radii[j]) + double{a.skins[i]} + b.skins[j]);
}

bool any_pair(const Panels& a, Index p, const Panels& b, Index q) {
    for (Index i = p * 48; i < std::min(a.y.rows(), (p + 1) * 48); ++i) {
        for (Index j = q * 48; j < std::min(b.y.rows(), (q + 1) * 48); ++j) {
            if (distance_in_reaches(a, i, b, j) < 1.0) {
                return true;
            }
        }
    }
    return false;
}

MultiVector<float> in_spatial_order(const MultiVector<float>& y) {
    MultiVector<float> ordered(y.rows(), y.columns());
    const std::vector<Index> order = spatial_order(y.view(), on_threads(2));
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(order[i]), y.columns(), ordered.row(i));
    }
    return ordered;
}

TEST(PanelBoxes, MissNoPairOfAnyPanels) {
    for (const Index dimension : {1U, 3U, 8U, 11U}) {
        for (const float reach : {0.0F, 0.05F, 0.6F}) {
            const Panels columns(in_spatial_order(support::random_block(1500, dimension, 3)), reach, 4);
            const Panels rows(support::random_block(100, dimension, 5), reach, 6);
            const std::size_t in_block = pair_blocks(columns.y.rows()).rows / 48;
            for (const Panels* of : {&columns, &rows}) {
                for (Index p = 0; p < of->count(); ++p) {
                    const std::uint64_t within = columns.boxes.within_reach(of->boxes, p, 0, columns.count());
                    EXPECT_EQ(within >> columns.count(), 0U);
                    for (Index q = 0; q < columns.count(); ++q) {
                        EXPECT_TRUE((within >> q & 1) != 0 || !any_pair(*of, p, columns, q)) << p << ", " << q;
                        EXPECT_EQ(within >> q & 1, columns.boxes.within_reach(of->boxes, p, q, 1));
                        EXPECT_TRUE(of == &rows || (within >> q & 1) == 0 ||
                                    columns.boxes.blocks_within_reach(p / in_block, q / in_block));
                    }
                }
            }
        }
    }
}

TEST(PanelBoxes, MarkThePairsWithinReach) {
    for (const Index dimension : {1U, 3U, 8U}) {
        for (const float reach : {0.0F, 0.05F, 0.6F}) {
            const Panels columns(in_spatial_order(support::random_block(200, dimension, 3)), reach, 4);
            const Panels rows(support::random_block(100, dimension, 5), reach, 6);
            for (const Panels* of : {&columns, &rows}) {
                for (Index i = 0; i < of->y.rows(); ++i) {
                    for (Index q = 0; q < columns.count(); ++q) {
                        TilePlaces places;
                        const auto marked = columns.boxes.mark_within_reach(of->boxes, i / 48, q, places);
                        EXPECT_TRUE(marked.any || places.rows[i % 48] == 0);
                        EXPECT_TRUE(marked.rows > 0 || !marked.any);
                        for (Index j = q * 48; j < std::min(columns.y.rows(), (q + 1) * 48); ++j) {
                            const double distance = distance_in_reaches(*of, i, columns, j);
                            const bool is_marked = (places.rows[i % 48] >> j % 48 & 1) != 0;
                            EXPECT_TRUE(is_marked ? !(distance > 1.001) : !(distance < 1.0)) << i << ", " << j;
                        }
                    }
                }
            }
        }
    }
    EXPECT_FALSE(Panels(support::random_block(60, 9, 5), 0.1F, 6).boxes.compare_points());
}

TEST(PanelBoxes, TellPanelsApartThatAreFurtherThanTheirReach) {
    MultiVector<float> line(10 * 48, 2);
    for (Index i = 0; i < line.rows(); ++i) {
        line.row(i)[0] = static_cast<float>(i / 48) + 0.5F * static_cast<float>(i % 2);  // half a unit between boxes
    }
    const std::vector<float> radii(line.rows(), 0.7F);
    for (const float skin : {0.0F, 0.3F, 0.5F}) {
        const PanelBoxes boxes(line, radii, std::vector<float>(line.rows(), skin), on_threads(1));
        const int beyond = 0.7F + 2.0F * skin < 1.5F ? 1 : 2;  // panels on each side
        for (int p = 0; p < 10; ++p) {
            for (int q = 0; q < 10; ++q) {
                EXPECT_EQ(boxes.within_reach(boxes, p, q, 1), std::abs(p - q) <= beyond ? 1U : 0U) << p << ", " << q;
                EXPECT_EQ(boxes.blocks_within_reach(p, q), std::abs(p - q) <= beyond) << "a block is one panel";
            }
        }
    }
}

}  // namespace
}  // namespace isogon::panel_boxes_test
