#include "methods/spectral/kernel_family.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"
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

TEST(KernelFamily, NystromFromLandmarksThatSpanItIsExact) {
    const Matrix points = support::centred(support::random_matrix(90, 3, 1));
    GivenKernel family(points * points.transpose(), true);
    std::vector<Index> landmarks(20);
    std::iota(landmarks.begin(), landmarks.end(), Index{5});
    Summary summary;
    SpectralSolution solution = solve_exactly(family.among(landmarks, summary, {}), {.count = 3}, {});
    solution.landmarks = solution.coordinates;
    const Matrix x = support::to_matrix(family.nystrom(landmarks, solution, summary, {.threads = 3}));
    EXPECT_LT(support::procrustes_error(x, points), 1e-5);
    // The formula gives landmarks what they have: rows around them are of the same map.
    EXPECT_LT(support::difference(x.row(5), support::to_matrix(solution.landmarks).row(0)), 1e-12);
}

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

TEST(TableFamily, OfDistancesIsTheGramMatrixOfTheCentredPoints) {
    Points table(3, 3);  // distances between points on a line, at 0, 3 and 7
    table[0][1] = table[1][0] = 3.0F;
    table[1][2] = table[2][1] = 4.0F;
    table[0][2] = table[2][0] = 7.0F;
    TableFamily family(table.view(), TableFamily::of_distance, false);
    Summary summary;
    const SpectralProblem problem = family.whole(summary, {});
    MultiVector<double> in(3, 1);
    in.at(0, 0) = 1.0;
    MultiVector<double> out(3, 1);
    problem.a->apply(in, out, {});
    const double mean = 10.0 / 3.0;
    EXPECT_NEAR(out.at(0, 0), mean * mean, 1e-5);
    EXPECT_NEAR(out.at(1, 0), -mean * (3.0 - mean), 1e-5);
    EXPECT_NEAR(out.at(2, 0), -mean * (7.0 - mean), 1e-5);
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
