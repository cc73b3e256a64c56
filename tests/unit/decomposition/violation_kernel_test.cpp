#include "decomposition/violation_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/random.hpp"

namespace isogon::violation_kernel_test {
namespace {

TEST(ViolationKernel, SumsAndCounts) {
    alignas(64) std::array<double, panel_width * panel_width> latent{};
    Random random(2, RandomStream::Test, 0);
    std::ranges::generate(latent, [&] { return random.uniform() < 0.1 ? 0.0 : random.normal(); });
    ViolationSums sums;
    sums.squares.fill(3.0);
    sums.counts.fill(2.0);
    add_violations(latent.data(), sums);
    for (std::size_t i = 0; i < panel_width; ++i) {
        double squares = 3.0;
        double count = 2.0;
        for (std::size_t j = 0; j < panel_width; ++j) {
            const double above = std::max(0.0, latent[j * panel_width + i]);
            squares += above * above;
            count += above > 0.0 ? 1.0 : 0.0;
        }
        EXPECT_NEAR(sums.squares[i], squares, 1e-11);
        EXPECT_EQ(sums.counts[i], count);
    }
}

TEST(ViolationKernel, SumsAlongSteps) {
    constexpr std::size_t entries = panel_width * panel_width;
    alignas(64) std::array<double, entries> latent{};
    alignas(64) std::array<double, entries> change{};
    Random random(1, RandomStream::Test, 0);
    std::ranges::generate(latent, [&] { return random.normal(); });
    std::ranges::generate(change, [&] { return random.normal(); });
    LineSums sums;
    sums.values.fill(3.0);
    add_violations_along(latent.data(), change.data(), sums);
    for (std::size_t t = 0; t < step_lengths.size(); ++t) {
        for (std::size_t i = 0; i < panel_width; ++i) {
            double expected = 3.0;
            for (std::size_t j = 0; j < panel_width; ++j) {
                const std::size_t place = j * panel_width + i;
                const double above = std::max(0.0, latent[place] + step_lengths[t] * change[place]);
                expected += above * above;
            }
            EXPECT_NEAR(sums.at(t, i), expected, 1e-11) << t << " " << i;
        }
    }
}

}  // namespace
}  // namespace isogon::violation_kernel_test
