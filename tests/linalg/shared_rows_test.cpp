#include "linalg/shared_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "linalg/row_kernel.hpp"
#include "support/dense_matrices.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::shared_rows_test {
namespace {

using support::to_matrix;

TEST(SharedRows, AreAllRowsInOneProcess) {
    const MultiVector<float> a = support::random_block(3000, 5, 1);
    const SharedRows rows(3000, {});
    EXPECT_EQ(rows.own().size(), 3000U);
    EXPECT_EQ(rows.dot(a, a, {}), dot(a, a, {}));
    EXPECT_EQ(to_matrix(rows.own_of(a)), to_matrix(a));
    EXPECT_EQ(to_matrix(rows.gathered(a)), to_matrix(a));
}

/// Numbers of very different sizes: of numbers alike sums in float64 are exact in any order.
MultiVector<float> of_all_sizes(Index count, std::uint64_t seed) {
    MultiVector<float> block = support::random_block(count, 5, seed);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < 5; ++k) {
            block.row(i)[k] *= static_cast<float>(std::pow(10.0, i % 7));
        }
    }
    return block;
}

TEST(SharedRows, AreSummedAndGatheredToTheBitsOfOneProcess) {
    for (const Index count : {1U, 1024U, 1025U, 9000U}) {
        const MultiVector<float> a = of_all_sizes(count, 2);
        const MultiVector<float> b = of_all_sizes(count, 3);
        MultiVector<float> expected = b;
        axpy(0.3, a, expected, {.threads = 1});
        for (const std::size_t size : {1U, 2U, 3U, 7U}) {  // more ranks than blocks, too
            std::vector<std::size_t> held(size);
            support::ThreadCommunicator::run(size, [&](const Communicator& communicator) {
                const SharedRows rows(count, RankGroup(communicator));
                const MultiVector<float> own = rows.own_of(a);
                held[communicator.rank()] = own.rows();
                EXPECT_EQ(own.rows(), rows.own().size());
                EXPECT_EQ(rows.dot(own, rows.own_of(b), {.threads = 1}), dot(a, b, {.threads = 1}));
                const MultiVector<float> other = rows.own_of(b);
                const auto of_rows = [&](Range some) {
                    return dot_of_rows(numbers_of(own, some), other.row(some.begin));
                };
                EXPECT_EQ(rows.sum(own.rows(), of_rows, {.threads = 1}), dot(a, b, {.threads = 1}));
                MultiVector<float> moved = rows.own_of(b);
                EXPECT_EQ(rows.axpy_dot(0.3, own, moved, own, {.threads = 1}), dot(expected, a, {.threads = 1}));
                EXPECT_EQ(to_matrix(rows.gathered(moved)), to_matrix(expected));
                EXPECT_EQ(to_matrix(rows.gathered(own)), to_matrix(a));
            });
            EXPECT_EQ(std::accumulate(held.begin(), held.end(), std::size_t{0}), count);
        }
    }
}

}  // namespace
}  // namespace isogon::shared_rows_test
