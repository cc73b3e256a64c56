#include "pairs/hinge_pass.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <tuple>

#include "core/random.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::hinge_pass_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// n unit vectors in R^d, every fifth a copy of its neighbour and every seventh its antipode.
Matrix directions(Index count, Index dimension, std::uint64_t seed) {
    Matrix u = support::random_matrix(count, dimension, seed);
    u.rowwise().normalize();
    for (Index i = 1; i < count; ++i) {
        if (i % 5 == 0) {
            u.row(i) = u.row(i - 1);
        } else if (i % 7 == 0) {
            u.row(i) = -u.row(i - 1);
        }
    }
    return u;
}

/// One pair in so many, with targets around zero.
CsrMatrix<float> some_targets(Index count, std::uint32_t one_in, std::uint64_t seed) {
    CsrMatrix<float> targets{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            if (random.below(one_in) == 0) {
                targets.indices.push_back(j);
                targets.values.push_back(static_cast<float>(random.uniform(-0.2, 0.4)));
            }
        }
        targets.offsets.push_back(targets.indices.size());
    }
    return targets;
}

struct Problem {
    Matrix u;
    PackedLowRank l;  ///< [u, 1] [u, -tau]^T
    CsrMatrix<float> targets;
};

constexpr double tau = 0.3;

PackedPoints with_last(const Matrix& u, double last) {
    const Points points = support::to_points(u);
    const std::vector<float> ends(u.rows(), static_cast<float>(last));
    return pack(points.view(), {}, ends, {});
}

Problem problem_of(Index count, Index dimension, std::uint64_t seed) {
    const Matrix u = directions(count, dimension, seed);
    return {u, {with_last(u, 1.0), with_last(u, -tau)}, some_targets(count, 10, seed + 1)};
}

/// The definition, pair by pair, in float64.
struct Reference {
    HingeSums sums;
    Matrix residuals;  ///< R, symmetric, zero diagonal
    Matrix active;     ///< 1 on the support, b at violations
    Matrix support;
};

Reference reference_of(const Problem& p, double off_support_weight) {
    const Index n = p.targets.rows;
    Reference r{{}, Matrix::Zero(n, n), Matrix::Zero(n, n), Matrix::Zero(n, n)};
    for (Index i = 0; i < n; ++i) {
        const auto columns = p.targets.row_indices(i);
        for (Index j = i + 1; j < n; ++j) {
            const double l = p.u.row(i).dot(p.u.row(j)) - tau;
            const auto at = std::lower_bound(columns.begin(), columns.end(), j);
            if (at != columns.end() && *at == j) {
                const double residual = double{p.targets.row_values(i)[at - columns.begin()]} - l;
                r.residuals(i, j) = r.residuals(j, i) = residual;
                r.active(i, j) = r.active(j, i) = r.support(i, j) = r.support(j, i) = 1.0;
                r.sums.support_squares += residual * residual;
                r.sums.support_difference += residual;
            } else if (l > 0.0) {
                r.residuals(i, j) = r.residuals(j, i) = -off_support_weight * l;
                r.active(i, j) = r.active(j, i) = off_support_weight;
                r.sums.hinge_squares += l * l;
                r.sums.hinge += l;
                r.sums.violations += 1.0;
            }
        }
    }
    return r;
}

class HingePassOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, HingePassOf,
                         testing::Combine(testing::Values(1, 2, 3, 47, 48, 49, 97, 150, 331),
                                          testing::Values(1, 2, 3, 15, 16, 17, 64, 127, 257)));

TEST_P(HingePassOf, IsTheDefinition) {
    const auto [count, dimension] = GetParam();
    const Problem p = problem_of(count, dimension, 1);
    const MultiVector<float> in = support::random_block(count, 5, 2);
    MultiVector<float> out = support::random_block(count, 5, 3);  // whatever was there
    MultiVector<float> support_sums = support::random_block(count, 5, 4);
    const HingeSums sums = HingePass(p.targets, 0.5).apply(p.l, in, out, &support_sums, on_threads(2));
    const Reference r = reference_of(p, 0.5);
    EXPECT_LT(support::difference(to_matrix(out), r.residuals * to_matrix(in)), 3e-6 * (1.0 + count));
    EXPECT_LT(support::difference(to_matrix(support_sums), r.support * to_matrix(in)), 3e-6 * (1.0 + count));
    const double scale = 1e-6 * (1.0 + 0.1 * count * count);
    EXPECT_NEAR(sums.support_squares, r.sums.support_squares, scale);
    EXPECT_NEAR(sums.hinge_squares, r.sums.hinge_squares, scale);
    EXPECT_NEAR(sums.hinge, r.sums.hinge, scale);
    EXPECT_NEAR(sums.support_difference, r.sums.support_difference, scale);
    EXPECT_NEAR(sums.violations, r.sums.violations, 1e-4 * count * count);
}

RunContext of(const RankGroup& ranks) {
    return ranks.agreeing(on_threads(ranks.is_shared() ? 1 : 3));
}

TEST(HingePass, RanksOfACommunicatorGetTheBitsOfOne) {
    for (const Index count : {1U, 49U, 331U, 1500U}) {
        const Problem p = problem_of(count, 8, 11);
        const MultiVector<float> in = support::random_block(count, 9, 12);
        const auto all = [&](const RankGroup& ranks) {
            MultiVector<float> out = support::random_block(count, 9, 13);
            MultiVector<float> support_sums = support::random_block(count, 9, 14);
            HingePass pass(p.targets, 0.5, ranks);
            const HingeSums sums = pass.apply(p.l, in, out, &support_sums, of(ranks));
            return std::tuple(Matrix(to_matrix(out)), Matrix(to_matrix(support_sums)), sums.support_squares,
                              sums.hinge_squares, sums.hinge, sums.support_difference, sums.violations);
        };
        const auto alone = all({});
        for (const std::size_t ranks : {1U, 2U, 4U}) {
            std::vector<decltype(all({}))> found(ranks);
            support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
                found[communicator.rank()] = all(RankGroup(communicator));
            });
            for (const auto& one : found) {
                EXPECT_EQ(one, alone) << count << " points, " << ranks << " ranks";
            }
        }
    }
}

TEST(HingePass, NeedsTheTargetsOfItsOwnPointsOnly) {
    const Problem p = problem_of(1500, 8, 11);
    const MultiVector<float> in = support::random_block(1500, 9, 12);
    const auto all = [&](const CsrMatrix<float>& targets, const RankGroup& ranks) {
        MultiVector<float> out(1500, 9);
        HingePass(targets, 0.5, ranks).apply(p.l, in, out, nullptr, of(ranks));
        return Matrix(to_matrix(out));
    };
    const Matrix alone = all(p.targets, {});
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const Range own = RankGroup(communicator).own_rows(pair_blocks(1500));
        const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
        CsrMatrix<float> some{.rows = 1500, .columns = 1500};
        for (Index i = 0; i < 1500; ++i) {
            for (std::size_t k = 0; k < p.targets.row_indices(i).size(); ++k) {
                const Index j = p.targets.row_indices(i)[k];
                if (is_own(i) || is_own(j)) {
                    some.indices.push_back(j);
                    some.values.push_back(p.targets.row_values(i)[k]);
                }
            }
            some.offsets.push_back(some.indices.size());
        }
        EXPECT_EQ(all(some, RankGroup(communicator)), alone);
    });
}

TEST(HingePass, EndsOnAllRanksWhenOneIsAskedTo) {
    const Problem p = problem_of(1500, 8, 11);
    const MultiVector<float> in = support::random_block(1500, 9, 12);
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        RunContext context = of(RankGroup(communicator));
        if (communicator.rank() == 1) {
            context.limit_seconds(0.0);
        }
        MultiVector<float> out(1500, 9);
        EXPECT_THROW(HingePass(p.targets, 0.5, RankGroup(communicator)).apply(p.l, in, out, nullptr, context),
                     Interruption);
    });
}

class TileTargetsOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, TileTargetsOf, testing::Values(0, 1, 2, 47, 48, 49, 96, 97, 200, 331));

TEST_P(TileTargetsOf, HoldsEveryEntryOnceInTheTileWhereItBelongs) {
    for (const std::uint32_t one_in : {1U, 3U, 50U}) {
        const CsrMatrix<float> upper = some_targets(GetParam(), one_in, 5);
        const TiledSparseMatrix targets(upper);
        const auto panels = static_cast<Index>((GetParam() + tile_width - 1) / tile_width);
        Offset seen = 0;
        for (Index p = 0; p < panels; ++p) {
            for (Index q = p; q < panels; ++q) {
                const TiledSparseMatrix::Tile tile = targets.tile(p, q);
                ASSERT_TRUE(std::is_sorted(tile.places, tile.places + tile.count));
                for (std::size_t k = 0; k < tile.count; ++k, ++seen) {
                    const auto i = static_cast<Index>(p * tile_width + (tile.places[k] >> tile_place_shift));
                    const auto j = static_cast<Index>(q * tile_width + (tile.places[k] & tile_place_mask));
                    const auto columns = upper.row_indices(i);
                    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
                    ASSERT_TRUE(found != columns.end() && *found == j);
                    ASSERT_EQ(tile.values[k], upper.row_values(i)[found - columns.begin()]);
                }
            }
        }
        EXPECT_EQ(seen, upper.entries());
    }
}

}  // namespace

}  // namespace isogon::hinge_pass_test
