// Every rank makes the same problem, solves it alone and together with the others, and compares the bits.
#include <cstdio>
#include <cstring>
#include <vector>

#include "decomposition/riemannian_lbfgs.hpp"
#include "decomposition/sphere_objective.hpp"
#include "mpi_communicator.hpp"
#include "support/dense_matrices.hpp"

namespace {

using namespace isogon;

bool same(const MultiVector<float>& a, const MultiVector<float>& b) {
    return std::memcmp(a.row(0), b.row(0), a.rows() * a.stride() * sizeof(float)) == 0;
}

/// Where some steps lead from a random start.
MultiVector<float> descended(const Similarities& s) {
    constexpr Index dimension = 6;
    const std::vector<float> lengths(s.size(), 1.0F);
    support::Matrix start = support::random_matrix(s.size(), dimension, 4);
    start.rowwise().normalize();
    const RunContext context = s.ranks.agreeing({.threads = 1});
    SphereObjective objective(s, lengths, {});
    RiemannianLbfgs descent(objective, support::to_block(start), {.shared_from = 0}, context);
    descent.run_to(12);
    return descent.position();
}

/// S of points that travel round the ring, against the entries of the whole that have an own point.
bool same_similarities(const Points& x, const Similarities& whole, const Communicator& communicator) {
    const DistributedPoints shared = distributed({x.view(), communicator});
    const RunContext context = RankGroup(communicator).agreeing({.threads = 1});
    const Similarities s = thresholded_similarities(shared, whole.threshold, context);
    const Range own = shared.local_range();
    const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
    std::size_t at = 0;
    bool alike = s.squared_norm == whole.squared_norm && s.pairs() == whole.pairs();
    for (Index i = 0; i < whole.size(); ++i) {
        for (std::size_t k = 0; k < whole.upper.row_indices(i).size(); ++k) {
            const Index j = whole.upper.row_indices(i)[k];
            if (is_own(i) || is_own(j)) {
                alike = alike && at < s.upper.entries() && s.upper.indices[at] == j &&
                        s.upper.values[at] == whole.upper.row_values(i)[k];
                ++at;
            }
        }
    }
    return alike && at == s.upper.entries();
}

bool ranks_get_the_bits_of_one(Index count, const Communicator& communicator) {
    support::Matrix x = support::random_matrix(count, 12, 3);
    x.rowwise().normalize();
    const Points points = support::to_points(x);
    const Similarities s = thresholded_similarities(points.view(), 0.4, {.threads = 1});
    Similarities shared = s;
    shared.ranks = RankGroup(communicator);
    bool alike = same_similarities(points, s, communicator);
    // Not ended by the first difference: the others would wait for this rank.
    alike = same(descended(s), descended(shared)) && alike;
    return alike;
}

}  // namespace

int main(int argc, char** argv) {
    const MpiSession session(argc, argv);
    MpiCommunicator communicator;
    for (const Index count : {2U, 100U, 3000U}) {
        if (!ranks_get_the_bits_of_one(count, communicator)) {
            std::fprintf(stderr, "rank %zu of %zu: other bits for %u points\n", communicator.rank(),
                         communicator.size(), count);
            return 1;
        }
    }
    return 0;
}
