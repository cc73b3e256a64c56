#include "pairs/quantized_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "pairs/quantized_kernel.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::quantized_points_test {
namespace {

/// Points with radii and skins, all padded to whole panels.
struct Problem {
    Problem(Index count, Index dimension, double size, std::uint64_t seed, QuantizedPoints of)
        : points(support::random_block(count, dimension, seed)),
          quantized(std::move(of)),
          radii(std::size_t{quantized.panels()} * tile_width),
          skins(radii.size()) {
        Random random(seed, RandomStream::Test, 1);
        for (Index i = 0; i < count; ++i) {
            const double length = i % 7 == 3 ? 100.0 * size : size;
            for (Index k = 0; k < dimension; ++k) {
                points.row(i)[k] *= static_cast<float>(i % 13 == 5 ? 0.0 : length);
            }
            const double root = std::sqrt(static_cast<double>(dimension));
            radii[i] = static_cast<float>(i % 5 == 2 ? 0.0 : random.uniform(0.0, 1.5) * root * size);
            skins[i] = static_cast<float>(i % 3 == 1 ? 0.0 : random.uniform(0.0, 0.2) * root * size);
        }
        for (Index p = 0; p < quantized.panels(); ++p) {
            quantized.set_panel(p, points.row(p * tile_width), points.stride());
        }
        // Some have moved since, further than their panel's steps reach.
        for (Index i = 0; i < count; i += 11) {
            points.row(i)[0] *= 3.0F;
            quantized.set(i, points.row(i));
        }
    }
    [[nodiscard]] QuantizedPoints::Panel panel(Index p) const {
        return quantized.panel(p, {radii.data() + p * tile_width, skins.data() + p * tile_width});
    }
    [[nodiscard]] float largest_component(Index panel) const {
        float most = 0.0F;
        for (Index i = panel * tile_width; i < std::min<std::size_t>(points.rows(), (panel + 1) * tile_width); ++i) {
            for (Index k = 0; k < points.columns(); ++k) {
                most = std::max(most, std::abs(points.row(i)[k]));
            }
        }
        return most;
    }
    [[nodiscard]] double distance(Index i, Index j) const {
        double sum = 0.0;
        for (Index k = 0; k < points.columns(); ++k) {
            sum += std::pow(double{points.row(i)[k]} - double{points.row(j)[k]}, 2);
        }
        return std::sqrt(sum);
    }
    MultiVector<float> points;
    QuantizedPoints quantized;
    std::vector<float> radii;
    std::vector<float> skins;
};

double largest_slack(const Problem& problem) {
    double most = 0.0;
    for (Index i = 0; i < problem.points.rows(); ++i) {
        most = std::max(most, double{problem.skins[i]} + double{problem.quantized.error(i)});
    }
    return most;
}

bool has(const TilePlaces& places, std::size_t i, std::size_t j) {
    return ((places.rows[i] >> j) & 1) != 0;
}

class QuantizedPointsOf : public testing::TestWithParam<std::tuple<Index, double, MarksExpected>> {};

INSTANTIATE_TEST_SUITE_P(
    DimensionsAndSizes, QuantizedPointsOf,
    testing::Combine(testing::Values(1U, 3U, 4U, 17U, 32U, 100U), testing::Values(1e-18, 1.0, 1e15),
                     testing::Values(MarksExpected::Few, MarksExpected::FewByLeading, MarksExpected::Many)));

TEST_P(QuantizedPointsOf, MarkEveryPairWithinReachAndFewOthers) {
    const auto [dimension, size, expected] = GetParam();
    constexpr Index count = 110;
    const Problem problem(count, dimension, size, 3, {count, dimension, expected});
    int marked = 0;
    int within = 0;
    int may_be_marked = 0;
    for (Index p = 0; p < problem.quantized.panels(); ++p) {
        for (Index q = 0; q < problem.quantized.panels(); ++q) {
            TilePlaces places;
            mark_within_reach(problem.panel(p), problem.panel(q), places);
            for (Index i = p * tile_width; i < std::min<std::size_t>(count, (p + 1) * tile_width); ++i) {
                for (Index j = q * tile_width; j < std::min<std::size_t>(count, (q + 1) * tile_width); ++j) {
                    const double radius = double{std::max(problem.radii[i], problem.radii[j])};
                    const double skins = double{problem.skins[i]} + double{problem.skins[j]};
                    const double errors = double{problem.quantized.error(i)} + double{problem.quantized.error(j)};
                    const bool is_marked = has(places, i % tile_width, j % tile_width);
                    const double distance = problem.distance(i, j);
                    ASSERT_TRUE(is_marked || distance > radius + skins) << i << ", " << j;
                    marked += is_marked ? 1 : 0;
                    within += distance < radius + skins ? 1 : 0;
                    // Errors count twice, and the panel's largest skin and error in place of the other's own.
                    may_be_marked +=
                        distance < 1.001 * (radius + 2.0 * (skins + errors) + largest_slack(problem)) ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GE(marked, within);
    EXPECT_LE(marked, may_be_marked);
}

void expect_true_errors(const Problem& problem, int largest) {
    for (Index i = 0; i < problem.points.rows(); ++i) {
        const auto panel = problem.quantized.panel(i / tile_width);
        double error = 0.0;
        double square = 0.0;
        for (Index k = 0; k < problem.points.columns(); ++k) {
            const std::size_t place = (k / quantized_group * tile_width + i % tile_width) * quantized_group;
            const double value = double{panel.step} * panel.components[place + k % quantized_group];
            error += std::pow(value - double{problem.points.row(i)[k]}, 2);
            square += value * value;
        }
        ASSERT_GE(double{problem.quantized.error(i)} * (1.0 + 1e-7), std::sqrt(error));
        if (i % 11 != 0) {
            ASSERT_LE(double{problem.quantized.error(i)},
                      0.51 / largest * std::sqrt(problem.points.columns()) * problem.largest_component(i / tile_width) +
                          1e-30);
        }
        ASSERT_NEAR(double{panel.squares[i % tile_width]}, square, 1e-6 * square);
    }
}

TEST_P(QuantizedPointsOf, SayHowFarTheyAreFromThePoints) {
    const auto [dimension, size, expected] = GetParam();
    constexpr Index count = 60;
    for (const int largest : {largest_of_seven_bits, 127}) {
        SCOPED_TRACE(largest);
        const Problem problem(count, dimension, size, 4, {count, dimension, expected, largest});
        expect_true_errors(problem, largest);
    }
}

TEST(QuantizedPoints, SayTheirMemoryBeforeTheirNumberOfCoordinatesIsKnown) {
    for (const auto expected : {MarksExpected::Few, MarksExpected::FewByLeading, MarksExpected::Many}) {
        EXPECT_LT(QuantizedPoints::bytes(100, 0, expected), QuantizedPoints::bytes(100, 1, expected));
    }
}

/// Returns the marks of all pairs of panels.
std::vector<std::uint64_t> marks_within(float radius, const MultiVector<float>& points, MarksExpected expected) {
    QuantizedPoints quantized(points.rows(), points.columns(), expected);
    for (Index p = 0; p < quantized.panels(); ++p) {
        quantized.set_panel(p, points.row(p * tile_width), points.stride());
    }
    const std::vector<float> radii(tile_width, radius);
    const std::vector<float> skins(tile_width);
    const PanelReach reach{radii.data(), skins.data()};
    std::vector<std::uint64_t> rows;
    for (Index p = 0; p < quantized.panels(); ++p) {
        for (Index q = 0; q < quantized.panels(); ++q) {
            TilePlaces places;
            mark_within_reach(quantized.panel(p, reach), quantized.panel(q, reach), places);
            rows.insert(rows.end(), places.rows, places.rows + tile_width);
        }
    }
    return rows;
}

float mean_length(const MultiVector<float>& points) {
    double squares = 0.0;
    for (Index i = 0; i < points.rows(); ++i) {
        for (Index k = 0; k < points.columns(); ++k) {
            squares += double{points.row(i)[k]} * double{points.row(i)[k]};
        }
    }
    return static_cast<float>(std::sqrt(squares / points.rows()));
}

TEST(QuantizedPoints, AreMarkedAlikeWhicheverComponentsComeFirst) {
    constexpr Index count = 10 * tile_width;
    constexpr Index dimension = 97;
    for (const double decay : {0.0, 0.5, 1.5}) {
        MultiVector<float> points = support::random_block(count, dimension, 5);
        // Each is near one other point of a later panel, whose last components are alike, too.
        constexpr Index half = count / 2;
        for (Index i = 0; i < count; ++i) {
            for (Index k = 0; k < dimension; ++k) {
                const double own = std::pow(1.0 + k, -decay) * double{points.row(i)[k]};
                points.row(i)[k] = static_cast<float>(i < half ? own : 0.05 * own + double{points.row(i - half)[k]});
            }
        }
        for (const float share : {0.03F, 0.05F, 0.08F, 0.5F}) {
            SCOPED_TRACE(testing::Message() << decay << ", " << share);
            const float radius = share * mean_length(points);
            const auto marks = marks_within(radius, points, MarksExpected::Many);
            EXPECT_EQ(marks_within(radius, points, MarksExpected::FewByLeading), marks);
        }
    }
}

}  // namespace
}  // namespace isogon::quantized_points_test
