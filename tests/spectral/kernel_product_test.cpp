#include "spectral/dense_kernel.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::kernel_product_test {
namespace {

using support::Matrix;

PanelMatrix lower_half(const Matrix& matrix) {
    PanelMatrix panels(static_cast<Index>(matrix.rows()));
    for (Index i = 0; i < panels.size(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            panels.at(i, j) = static_cast<float>(matrix(i, j));
        }
    }
    return panels;
}

TEST(KernelProduct, IsTheWholeMatrixTimesVectors) {
    for (const Index size : {1, 48, 100, 145}) {
        for (const Index columns : {1, 8, 23, 24, 50}) {
            Matrix a = support::random_matrix(size, size, 1);
            a = ((a + a.transpose()) / 2.0).cast<float>().cast<double>().eval();
            const Matrix x = support::random_matrix(size, columns, 2);
            MultiVector<double> out(size, columns);
            multiply_symmetric(lower_half(a), support::to_multi_vector(x), out, {.threads = 3});
            EXPECT_LT(support::difference(support::to_matrix(out), a * x), 1e-12) << size << " " << columns;
        }
    }
}

TEST(KernelProduct, HasTheSameBitsOnAnyNumberOfThreads) {
    const PanelMatrix a = lower_half(support::random_definite(200, 0.1, 3));
    const MultiVector<double> in = support::to_multi_vector(support::random_matrix(200, 5, 4));
    MultiVector<double> one(200, 5);
    MultiVector<double> three(200, 5);
    multiply_symmetric(a, in, one, {.threads = 1});
    multiply_symmetric(a, in, three, {.threads = 3});
    EXPECT_EQ(one.values(), three.values());
}

}  // namespace
}  // namespace isogon::kernel_product_test
