#include "methods/kernel_family.hpp"

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
    const CsrMatrix<double> weights = support::wide_sparse(z);
    EXPECT_EQ(kept.whole(summary, {}).a->reduced(weights, {}).values,
              passing.whole(summary, {}).a->reduced(weights, {}).values);
}

}  // namespace
}  // namespace isogon::kernel_family_test
