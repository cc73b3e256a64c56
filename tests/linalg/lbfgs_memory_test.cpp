#include "linalg/lbfgs_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/dense_matrices.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::lbfgs_memory_test {
namespace {

using support::Matrix;
using support::to_matrix;

Eigen::VectorXd flat(const MultiVector<float>& block) {
    const Matrix m = to_matrix(block);
    return Eigen::Map<const Eigen::VectorXd>(m.data(), m.size());
}

MultiVector<float> block_of(const Eigen::VectorXd& v, Index rows, Index columns) {
    return support::to_block(Eigen::Map<const Matrix>(v.data(), rows, columns));
}

void halve(const RowBlock& v) {
    std::for_each(v.values, v.values + v.rows * v.stride, [](float& number) { number *= 0.5F; });
}

/// Pairs along a quadratic with a random positive definite Hessian.
std::vector<LbfgsMemory::Pair> pairs_of_quadratic(const Matrix& hessian, int count) {
    std::vector<LbfgsMemory::Pair> pairs;
    const auto size = static_cast<Index>(hessian.rows());
    for (int k = 0; k < count; ++k) {
        const MultiVector<float> step = support::random_block(size / 2, 2, 100 + k);
        pairs.push_back({step, block_of(hessian * flat(step), size / 2, 2)});
    }
    return pairs;
}

Matrix random_hessian(Index size) {
    const Matrix a = support::random_matrix(size, size, 1);
    return a * a.transpose() + Matrix::Identity(size, size);
}

/// The BFGS update in matrices, from the scaled first guess of the last pair.
Matrix dense_inverse(const std::vector<LbfgsMemory::Pair>& pairs) {
    const Eigen::VectorXd s_last = flat(pairs.back().step);
    const Eigen::VectorXd z_last = flat(pairs.back().change);
    const auto size = s_last.size();
    Matrix h = Matrix::Identity(size, size) * (s_last.dot(z_last) / z_last.squaredNorm());
    for (const auto& pair : pairs) {
        const Eigen::VectorXd s = flat(pair.step);
        const Eigen::VectorXd z = flat(pair.change);
        const Matrix v = Matrix::Identity(size, size) - z * s.transpose() / s.dot(z);
        h = v.transpose() * h * v + s * s.transpose() / s.dot(z);
    }
    return h;
}

TEST(LbfgsMemory, IsTheBfgsMatrixOfItsPairs) {
    const auto pairs = pairs_of_quadratic(random_hessian(12), 5);
    LbfgsMemory memory(5);
    for (const auto& pair : pairs) {
        memory.push(pair, {});
    }
    const MultiVector<float> v = support::random_block(6, 2, 7);
    MultiVector<float> result = v;
    memory.apply(result, halve, {});
    const Eigen::VectorXd expected = dense_inverse(pairs) * flat(v);
    EXPECT_LT((flat(result) - expected).norm(), 1e-4 * expected.norm());
}

TEST(LbfgsMemory, ForgetsTheOldest) {
    const auto pairs = pairs_of_quadratic(random_hessian(12), 6);
    LbfgsMemory all(2);
    LbfgsMemory last(2);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        all.push(pairs[k], {});
        if (k >= 4) {
            last.push(pairs[k], {});
        }
    }
    MultiVector<float> a = support::random_block(6, 2, 8);
    MultiVector<float> b = a;
    all.apply(a, halve, {});
    last.apply(b, halve, {});
    EXPECT_EQ(to_matrix(a), to_matrix(b));
}

TEST(LbfgsMemory, HasTheBitsOfOneProcessOnRanks) {
    constexpr Index count = 2500;
    const auto result = [](const SharedRows& rows) {
        LbfgsMemory memory(3, rows);
        for (std::uint64_t k = 0; k < 5; ++k) {
            const MultiVector<float> step = support::random_block(count, 4, 20 + k);
            MultiVector<float> change = support::random_block(count, 4, 30 + k);
            axpy(k == 3 ? -2.0 : 2.0, step, change, {});  // one of them without positive curvature
            memory.push({rows.own_of(step), rows.own_of(change)}, {});
        }
        EXPECT_EQ(memory.pairs().size(), 3U);
        MultiVector<float> v = rows.own_of(support::random_block(count, 4, 40));
        memory.apply(v, halve, {});
        return Matrix(to_matrix(rows.gathered(v)));
    };
    const Matrix one = result(SharedRows(count, {}));
    for (const std::size_t size : {2U, 3U, 4U}) {
        support::ThreadCommunicator::run(size, [&](const Communicator& communicator) {
            EXPECT_EQ(result(SharedRows(count, RankGroup(communicator))), one);
        });
    }
}

TEST(LbfgsMemory, GivesTheMemoryOfWhatItDroppedOnce) {
    LbfgsMemory memory(2);
    std::vector<const float*> places;
    for (auto& pair : pairs_of_quadratic(random_hessian(12), 3)) {
        EXPECT_EQ(memory.spare().values().data(), nullptr);
        places.push_back(pair.step.values().data());
        places.push_back(pair.change.values().data());
        memory.push(std::move(pair), {});
    }
    const MultiVector<float> first = memory.spare();
    const MultiVector<float> second = memory.spare();
    EXPECT_EQ(std::set({first.values().data(), second.values().data()}), std::set({places[0], places[1]}));
    EXPECT_EQ(memory.spare().values().data(), nullptr);
    LbfgsMemory::Pair bent{support::random_block(6, 2, 11), MultiVector<float>(6, 2)};  // no curvature: not stored
    const float* const place = bent.change.values().data();
    memory.push(std::move(bent), {});
    EXPECT_EQ(memory.pairs().size(), 2U);
    EXPECT_EQ(memory.spare().values().data(), place);
}

/// Row i divided by i + 1.
void divide(const RowBlock& rows) {
    for (std::size_t k = 0; k < rows.rows * rows.stride; ++k) {
        rows.values[k] /= static_cast<float>(1 + rows.first + k / rows.stride);
    }
}

TEST(LbfgsMemory, PreconditionsEachRowByItsNumber) {
    constexpr Index count = 2500;  // more than are preconditioned at a time
    const auto divided = [](const Eigen::VectorXd& flat_rows) {
        const Eigen::VectorXd numbers = Eigen::VectorXd::LinSpaced(count, 1.0, count);
        const Matrix rows = Eigen::Map<const Matrix>(flat_rows.data(), count, 4);
        const Matrix result = numbers.cwiseInverse().asDiagonal() * rows;
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(result.data(), result.size()));
    };
    const MultiVector<float> block = support::random_block(count, 4, 12);
    const Eigen::VectorXd v = flat(block);
    MultiVector<float> result = block;
    LbfgsMemory memory(3);
    memory.apply(result, divide, {.threads = 2});
    EXPECT_LT((flat(result) - divided(v)).norm(), 1e-6 * v.norm());

    const MultiVector<float> step = support::random_block(count, 4, 13);
    MultiVector<float> change = support::random_block(count, 4, 14);
    axpy(2.0, step, change, {});
    memory.push({step, change}, {});
    result = block;
    memory.apply(result, divide, {.threads = 2});
    const Eigen::VectorXd s = flat(step);
    const Eigen::VectorXd z = flat(change);
    const double alpha = s.dot(v) / s.dot(z);
    const Eigen::VectorXd guess = s.dot(z) / z.dot(divided(z)) * divided(v - alpha * z);
    const Eigen::VectorXd expected = guess + (alpha - z.dot(guess) / s.dot(z)) * s;
    EXPECT_LT((flat(result) - expected).norm(), 1e-5 * expected.norm());
}

TEST(LbfgsMemory, DoesNotKeepPairsWithoutPositiveCurvature) {
    LbfgsMemory memory(3);
    const MultiVector<float> step = support::random_block(6, 2, 10);
    MultiVector<float> change = step;
    scale(-1.0, change, {});
    memory.push({step, change}, {});
    memory.push({MultiVector<float>(6, 2), MultiVector<float>(6, 2)}, {});
    EXPECT_TRUE(memory.pairs().empty());
}

}  // namespace
}  // namespace isogon::lbfgs_memory_test
