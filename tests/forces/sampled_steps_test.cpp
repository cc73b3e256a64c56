#include "forces/sampled_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/point_sets.hpp"

namespace isogon::sampled_steps_test {
namespace {

constexpr OutputKernel kernels[] = {{}, {1.577, 0.895}, {0.4, 1.3}};

double squared_distance(const std::vector<double>& u, std::span<const float> v) {
    double sum = 0.0;
    for (std::size_t c = 0; c < u.size(); ++c) {
        sum += std::pow(u[c] - double{v[c]}, 2);
    }
    return sum;
}

/// Minus the gradient of the energy of one place, by differences of it.
template <class Energy>
std::vector<double> downhill(std::span<const float> place, const Energy& energy) {
    constexpr double h = 1e-5;
    std::vector<double> at(place.begin(), place.end());
    std::vector<double> slope(at.size());
    for (std::size_t c = 0; c < at.size(); ++c) {
        const double here = at[c];
        at[c] = here + h;
        const double above = energy(at);
        at[c] = here - h;
        slope[c] = (energy(at) - above) / (2.0 * h);
        at[c] = here;
    }
    return slope;
}

/// How far a row is from where it was, in each number, through the rate.
std::vector<double> moved(SampledSteps& steps, const Points& map, SampledRow row, Index from, int epochs, float rate) {
    std::vector<double> sum(map.dimension());
    for (int epoch = 0; epoch < epochs; ++epoch) {
        std::vector<float> own(map[from].begin(), map[from].end());
        row.own = own.data();
        steps.move(row, epoch, rate, Random(1, RandomStream::Test, static_cast<std::uint64_t>(epoch)));
        for (std::size_t c = 0; c < sum.size(); ++c) {
            sum[c] += (double{own[c]} - double{map[from][c]}) / double{rate};
        }
    }
    return sum;
}

TEST(SampledSteps, AnEdgeStepsTwiceDownTheGradientOfItsCost) {
    for (const Index dimension : {1, 2, 3, 6}) {
        const Points map = reference::random_points(5, dimension, 3);
        for (const OutputKernel& kernel : kernels) {
            const std::vector<Index> neighbors{1, 4};
            const std::vector<double> weights{0.5, 0.25};
            SampledSteps steps(kernel, map.view(), 0.5, 0);
            const std::vector<double> went = moved(steps, map, {nullptr, neighbors, weights, 0, 0}, 0, 40, 0.125F);
            const std::vector<double> slope = downhill(map[0], [&](const std::vector<double>& y) {
                return 2.0 * (40.0 * kernel.cost(squared_distance(y, map[1])) +
                              20.0 * kernel.cost(squared_distance(y, map[4])));
            });
            for (std::size_t c = 0; c < slope.size(); ++c) {
                EXPECT_NEAR(went[c], slope[c], 0.02 + 1e-3 * std::abs(slope[c])) << dimension;
            }
        }
    }
}

/// On average over many epochs, of rows that are 1 apart or more, where softening is nothing.
TEST(SampledSteps, ARandomPointStepsDownTheGradientOfTheGap) {
    Points map = reference::random_points(6, 2, 3);
    for (Index i = 0; i < 6; ++i) {
        map[i][0] += 3.0F * static_cast<float>(i);
    }
    constexpr int epochs = 4000;
    for (const OutputKernel& kernel : kernels) {
        const std::vector<Index> neighbors{3};
        const std::vector<double> weights{1.0};
        SampledSteps steps(kernel, map.view(), 1.0, 5);
        const std::vector<double> went = moved(steps, map, {nullptr, neighbors, weights, 0, 2}, 2, epochs, 1e-3F);
        const std::vector<double> slope = downhill(map[2], [&](const std::vector<double>& y) {
            double sum = 2.0 * kernel.cost(squared_distance(y, map[3]));
            for (const Index l : {0, 1, 3, 4, 5}) {
                sum += 5.0 / 6.0 * kernel.gap_cost(squared_distance(y, map[l]));
            }
            return sum;
        });
        for (std::size_t c = 0; c < slope.size(); ++c) {
            EXPECT_NEAR(went[c] / epochs, slope[c], 0.06);
        }
    }
}

TEST(SampledSteps, EdgesComeAsOftenAsTheyWeighEvenlySpread) {
    const Points map = reference::random_points(3, 2, 3);
    const std::vector<Index> neighbors{1};
    for (const double weight : {1.0, 0.5, 0.1, 0.0}) {
        const std::vector<double> weights{weight};
        SampledSteps steps({}, map.view(), 1.0, 0);
        for (const Offset edge : {0, 7, 1000}) {
            int came = 0;
            int gap = 0;
            for (int epoch = 0; epoch < 100; ++epoch) {
                std::vector<float> own(map[0].begin(), map[0].end());
                steps.move({own.data(), neighbors, weights, edge, 0}, epoch, 0.1F, Random(1, RandomStream::Test, 0));
                const bool comes = !std::ranges::equal(own, map[0]);
                came += comes ? 1 : 0;
                gap = comes ? 0 : gap + 1;
                EXPECT_LE(gap, weight > 0.0 ? std::ceil(1.0 / weight) : 100.0);
            }
            EXPECT_NEAR(came, 100.0 * weight, 1.0);
        }
    }
}

/// A step is cut at 4 in each number, a batch of eight at eight times that.
TEST(SampledSteps, NoStepIsLongOrNoNumber) {
    Points map(12, 2);
    for (Index i = 1; i < 12; ++i) {
        map[i][0] = 1e-3F * static_cast<float>(i % 3);
        map[i][1] = i % 4 == 0 ? 1e15F : -1e-20F;
    }
    for (const OutputKernel& kernel : kernels) {
        SampledSteps steps(kernel, map.view(), 1.0, 6);
        const std::vector<Index> neighbors{1, 4, 3};
        const std::vector<double> weights{1.0, 1.0, 1.0};
        for (Index i = 0; i < 12; ++i) {
            std::vector<float> own(map[i].begin(), map[i].end());
            steps.move({own.data(), neighbors, weights, 0, i}, 0, 1.0F, Random(1, RandomStream::Test, i));
            for (std::size_t c = 0; c < 2; ++c) {
                ASSERT_TRUE(std::isfinite(own[c]));
                EXPECT_LE(std::abs(own[c] - map[i][c]), 4.0F * 24.0F + 1e-6F * std::abs(own[c]));
            }
        }
    }
}

TEST(SampledSteps, RowsInOnePlaceStayWhereNobodyElseIs) {
    const Points map(4, 2);
    SampledSteps steps(kernels[1], map.view(), 1.0, 5);
    const std::vector<Index> neighbors{1, 2};
    const std::vector<double> weights{1.0, 1.0};
    std::vector<float> own{0.0F, 0.0F};
    steps.move({own.data(), neighbors, weights, 0, 0}, 0, 1.0F, Random(1, RandomStream::Test, 0));
    EXPECT_EQ(own, (std::vector<float>{0.0F, 0.0F}));
}

}  // namespace
}  // namespace isogon::sampled_steps_test
