#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "isogon/faithful/faithful_path.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

/// Problems for tests of FaithfulPath, and the comparison of two runs.
namespace isogon::support::faithful_paths {

/// S, lengths, and a start on the spheres.
struct Problem {
    Similarities s;
    std::vector<float> lengths;
    Matrix start;

    Problem(const Matrix& x, double tau, const Matrix& directions)
        : s(thresholded_similarities(to_points(x).view(), tau, {})), start(directions) {
        start.rowwise().normalize();
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            lengths.push_back(static_cast<float>(x.row(i).norm()));
            start.row(i) *= x.row(i).norm();
        }
    }

    [[nodiscard]] FaithfulPath path(const FaithfulPathOptions& options, RunContext context) const {
        return {s, lengths, to_block(start), options, std::move(context)};
    }
    [[nodiscard]] FaithfulPath path(const FaithfulPathOptions& options, const Archive& saved) const {
        return {s, lengths, to_block(start), options, saved, reference::on_threads(3)};
    }
};

/// Points in a space of 4 dimensions within one of 9, started near: 4 numbers hold them exactly.
inline Problem solvable(Index count = 120) {
    const Matrix flat = to_matrix(clustered_points(count, 4, 20, 0.6, 1));
    const Matrix x = flat * random_orthonormal(9, 4, 2).transpose();
    return {x, 0.6, flat + 0.3 * random_matrix(count, 4, 3)};
}

/// Points in all directions of 12 dimensions, to be held by 2 numbers each.
inline Problem unsolvable(Index count = 120) {
    const Matrix x = to_matrix(clustered_points(count, 12, count, 0.1, 4));
    return {x, 0.3, x.leftCols(2)};
}

/// That two paths stand at the same place, bit for bit; their seconds may differ.
inline void expect_same(const FaithfulPath& a, const FaithfulPath& b) {
    EXPECT_EQ(a.stage(), b.stage());
    EXPECT_EQ(a.trial_residual(), b.trial_residual());
    EXPECT_EQ(to_matrix(a.descent().position()), to_matrix(b.descent().position()));
    EXPECT_EQ(to_matrix(a.outputs({})), to_matrix(b.outputs({})));
    const auto first = a.trace();
    const auto second = b.trace();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].iteration, second[i].iteration);
        EXPECT_EQ(first[i].objective, second[i].objective);
        EXPECT_EQ(first[i].change, second[i].change);
    }
}

}  // namespace isogon::support::faithful_paths
