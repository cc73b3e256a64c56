#include "isogon/graph/reach.hpp"

#include <gtest/gtest.h>

#include "isogon/core/random.hpp"

namespace isogon::reach_test {
namespace {

using Edges = std::vector<std::pair<Index, Index>>;

CsrMatrix<float> matrix_of(Index size, const Edges& edges, float value = 1.0F) {
    CsrMatrix<float> matrix{.rows = size, .columns = size};
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
            if (std::find(edges.begin(), edges.end(), std::pair{i, j}) != edges.end()) {
                matrix.indices.push_back(j);
                matrix.values.push_back(value);
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

/// Spreads from the sources until nothing changes.
std::vector<Index> spread(Index size, const Edges& edges, const std::vector<Index>& sources) {
    std::vector<bool> reached(size);
    for (const Index s : sources) {
        reached[s] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [i, j] : edges) {
            if (reached[i] != reached[j]) {
                reached[i] = reached[j] = true;
                changed = true;
            }
        }
    }
    std::vector<Index> missed;
    for (Index i = 0; i < size; ++i) {
        if (!reached[i]) {
            missed.push_back(i);
        }
    }
    return missed;
}

TEST(Reach, FollowsEntriesBothWays) {
    const CsrMatrix<float> matrix = matrix_of(6, {{0, 1}, {2, 1}, {3, 4}});
    EXPECT_EQ(unreached_rows(matrix, std::vector<Index>{2}), (std::vector<Index>{3, 4, 5}));
    EXPECT_EQ(unreached_rows(matrix, std::vector<Index>{4, 5}), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(unreached_rows(matrix, {}).size(), 6);
}

TEST(Reach, ZerosJoinNothing) {
    EXPECT_EQ(unreached_rows(matrix_of(2, {{0, 1}}, 0.0F), std::vector<Index>{0}), (std::vector<Index>{1}));
    EXPECT_TRUE(unreached_rows(CsrMatrix<float>(), {}).empty());
}

TEST(Reach, IsWhatSpreadingFinds) {
    constexpr Index size = 40;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed, RandomStream::Test, 0);
        Edges edges;
        for (int e = 0; e < 25; ++e) {
            edges.emplace_back(random.below(size), random.below(size));
        }
        const std::vector<Index> sources{random.below(size), random.below(size)};
        const CsrMatrix<float> narrow = matrix_of(size, edges);
        const CsrMatrix<double> wide{.rows = size,
                                     .columns = size,
                                     .offsets = narrow.offsets,
                                     .indices = narrow.indices,
                                     .values = {narrow.values.begin(), narrow.values.end()}};
        EXPECT_EQ(unreached_rows(wide, sources), spread(size, edges, sources));
        EXPECT_EQ(unreached_rows(matrix_of(size, edges), sources), spread(size, edges, sources));
    }
}

}  // namespace
}  // namespace isogon::reach_test
