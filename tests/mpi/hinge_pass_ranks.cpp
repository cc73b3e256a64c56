// Every rank makes the same problem, passes over all pairs alone and together with the others, and compares the bits.
#include <cstdio>
#include <cstring>
#include <vector>

#include "isogon/pairs/hinge_pass.hpp"
#include "mpi_team.hpp"
#include "support/dense_matrices.hpp"

namespace {

using namespace isogon;

/// About one pair in ten, with targets around zero.
SparseMatrix some_targets(Index count) {
    SparseMatrix targets{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(2, Purpose::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            if (random.below(10) == 0) {
                targets.indices.push_back(j);
                targets.values.push_back(static_cast<float>(random.uniform(-0.2, 0.4)));
            }
        }
        targets.offsets.push_back(targets.indices.size());
    }
    return targets;
}

bool same(const BlockVectors& a, const BlockVectors& b) {
    return std::memcmp(a.row(0), b.row(0), a.rows() * a.stride() * sizeof(float)) == 0;
}

bool same(const HingeSums& a, const HingeSums& b) {
    return a.support_squares == b.support_squares && a.hinge_squares == b.hinge_squares && a.hinge == b.hinge &&
           a.support_difference == b.support_difference && a.violations == b.violations;
}

bool ranks_get_the_bits_of_one(Index count, const Team& team) {
    const SparseMatrix targets = some_targets(count);
    const Points points = support::to_points(support::random_matrix(count, 8, 3));
    const std::vector<float> ones(count, 1.0F);
    const std::vector<float> thresholds(count, -0.3F);
    const PackedPoints left = pack(points.view(), {}, ones, {});
    const PackedPoints right = pack(points.view(), {}, thresholds, {});
    const BlockVectors in = support::random_block(count, 9, 4);
    BlockVectors alone(count, 9);
    BlockVectors together(count, 9);
    HingePass pass(targets);
    const HingeSums of_one = pass.apply(left, right, 0.5, in, alone, nullptr, {.threads = 1});
    const HingeSums of_all = pass.apply(left, right, 0.5, in, together, nullptr, {.threads = 1}, &team);
    return same(alone, together) && same(of_one, of_all);
}

}  // namespace

int main(int argc, char** argv) {
    const MpiSession session(argc, argv);
    const MpiTeam team;
    for (const Index count : {1U, 100U, 3000U}) {
        if (!ranks_get_the_bits_of_one(count, team)) {
            std::fprintf(stderr, "rank %zu of %zu: other bits for %u points\n", team.rank(), team.size(), count);
            return 1;
        }
    }
    return 0;
}
