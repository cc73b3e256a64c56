#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "pairs/tile_kernel.hpp"
#include "verlet/local_pass.hpp"

/// Points that move, for tests of lists of pairs.
namespace isogon::support {

/// No near pairs, and squared radii up to `most`.
inline LocalTargets targets_without_near(Index count, double most) {
    LocalTargets targets;
    targets.near = {.rows = count, .columns = count, .offsets = std::vector<Offset>(std::size_t{count} + 1)};
    for (Index i = 0; i < count; ++i) {
        targets.radii.push_back(static_cast<float>(Random(3, RandomStream::Test, i).uniform(0.0, most)));
    }
    return targets;
}

inline void move_point(MultiVector<float>& y, Index i, double step, std::uint64_t seed) {
    Random random(seed, RandomStream::Test, i);
    for (Index k = 0; k < y.columns(); ++k) {
        y.row(i)[k] += static_cast<float>(step * random.normal());
    }
}

inline void move_all(MultiVector<float>& y, double step, std::uint64_t seed) {
    for (Index i = 0; i < y.rows(); ++i) {
        move_point(y, i, step, seed);
    }
}

/// |y_i - y_j|^2, to the bits of the passes.
inline float squared(const MultiVector<float>& y, Index i, Index j) {
    const std::array<Index, 1> other{j};
    float result = 0.0F;
    square_listed_differences(y.row(i), y, other, &result);
    return result;
}

}  // namespace isogon::support
