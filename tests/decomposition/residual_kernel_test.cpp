#include "decomposition/residual_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::residual_kernel_test {
namespace {

using support::Matrix;
using support::to_multi_vector;

TEST(ActiveRows, IsWhatItsSumsSay) {
    for (const Index rank : {8, 16, 40}) {
        const Matrix v = support::random_matrix(30, rank, 1);
        const Matrix q = support::random_matrix(30, rank, 2);
        const Matrix w = support::random_matrix(1, rank, 3);
        const Matrix p = support::random_matrix(1, rank, 4);
        const std::vector<Index> columns{0, 3, 4, 29};
        const std::vector<double> targets{1.0, 0.0, 2.5, 0.0};
        const std::vector<Index> support_columns{0, 4};
        const std::vector<double> support_values{1.0, 2.5};
        const MultiVector<double> wide_v = to_multi_vector(v);
        const MultiVector<double> wide_q = to_multi_vector(q);
        const ActiveRow row{columns, wide_v.row(0), rank};
        Matrix gradient = Matrix::Zero(1, rank);
        Matrix normal = Matrix::Zero(1, rank);
        Matrix gram = Matrix::Zero(rank, rank);
        double squares = 0.0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto j = static_cast<Eigen::Index>(columns[k]);
            const double residual = targets[k] - w.row(0).dot(v.row(j));
            squares += residual * residual;
            gradient += residual * v.row(j);
            normal += (p.row(0).dot(v.row(j)) + w.row(0).dot(q.row(j))) * v.row(j);
            gram += v.row(j).transpose() * v.row(j);
        }
        MultiVector<double> out(1, rank);
        const MultiVector<double> wide_w = to_multi_vector(w);
        const MultiVector<double> wide_p = to_multi_vector(p);
        EXPECT_NEAR(residual_row(row, {support_columns, support_values}, wide_w.row(0), out.row(0)), squares, 1e-11);
        EXPECT_LT(support::difference(support::to_matrix(out), gradient), 1e-11);
        out = MultiVector<double>(1, rank);
        normal_row(row, wide_w.row(0), wide_p.row(0), wide_q.row(0), out.row(0));
        EXPECT_LT(support::difference(support::to_matrix(out), normal), 1e-10);
        MultiVector<double> lower(rank, rank);
        gram_row(row, lower.values().data());
        for (Index i = 0; i < rank; ++i) {
            for (Index j = 0; j <= i; ++j) {
                EXPECT_NEAR(lower.at(i, j), gram(i, j), 1e-11);
            }
        }
    }
}

TEST(Violations, SumsAndCounts) {
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

TEST(Violations, SumsAlongSteps) {
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
}  // namespace isogon::residual_kernel_test
