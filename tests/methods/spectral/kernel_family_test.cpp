#include "methods/spectral/kernel_family.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::kernel_family_test {

namespace {

using support::Matrix;

/// A kernel that is given as a matrix.
class GivenKernel : public KernelFamily {
public:
    GivenKernel(Matrix kernel, bool reduced) : KernelFamily(reduced), kernel_(std::move(kernel)) {}

protected:
    void prepare(Summary& /*summary*/, const RunContext& /*context*/) override {}
    [[nodiscard]] Index size() const override { return static_cast<Index>(kernel_.rows()); }
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& /*context*/) const override {
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] = kernel_(sources[k / size()], k % size());
        }
    }

private:
    Matrix kernel_;
};

TEST(KernelFamily, IsReducedAlikeWhetherItIsKeptOrNot) {
    const Matrix kernel = support::random_definite(60, 0.1, 2);
    Matrix z = support::random_matrix(60, 8, 3).cwiseAbs();
    z = z.array().colwise() / z.rowwise().sum().array();
    Summary summary;
    GivenKernel kept(kernel, false);
    GivenKernel passing(kernel, true);
    const CsrMatrix<double> weights = support::csr_matrix(z);
    EXPECT_EQ(kept.whole(summary, {}).a->reduced(weights, {}).values,
              passing.whole(summary, {}).a->reduced(weights, {}).values);
}

Matrix product_of(SpectralFamily& family, const Matrix& x) {
    Summary summary;
    const SpectralProblem problem = family.whole(summary, {});
    MultiVector<double> out(problem.a->size(), static_cast<Index>(x.cols()));
    problem.a->apply(support::to_multi_vector(x), out, {});
    return support::to_matrix(out);
}

TEST(PointKernelFamily, LinearKernelsAreTheSameFormedOrNot) {
    const Points points = reference::random_points(70, 3, 1);
    const Matrix x = support::random_matrix(70, 2, 2);
    PointKernelFamily linear(
        points.view(), [](Summary&) { return KernelShape{.kind = KernelKind::Linear}; }, false);
    // (1 x.y + 1)^1 is the linear kernel but for a constant, which centring takes away, kept as a matrix.
    PointKernelFamily formed(
        points.view(), [](Summary&) { return KernelShape{.kind = KernelKind::Polynomial, .scale = 1.0, .degree = 1}; },
        false);
    EXPECT_LT(support::difference(product_of(linear, x), product_of(formed, x)), 1e-3);
}

}  // namespace

}  // namespace isogon::kernel_family_test
