#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"
#include "isogon/core/run_context.hpp"

/// Points for tests: random ones, and sets that are awkward on purpose.
namespace isogon::reference {

inline Points random_points(Index count, Index dimension, std::uint64_t seed, double shift = 0.0) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, Purpose::Test, i);
        for (float& value : points[i]) {
            value = static_cast<float>(random.normal() + shift);
        }
    }
    return points;
}

/// Whole numbers from 0 to `top`: products are exact in float32, and distances tie all the time.
inline Points whole_points(Index count, Index dimension, std::uint32_t top, std::uint64_t seed) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, Purpose::Test, i);
        for (float& value : points[i]) {
            value = static_cast<float>(random.below(top + 1));
        }
    }
    return points;
}

/// Random points of which every sixth is zero, equal to its predecessor, opposite to it, three times it, or tiny.
inline Points awkward_points(Index count, Index dimension, std::uint64_t seed) {
    Points points = random_points(count, dimension, seed, 0.5);
    for (Index i = 1; i < count; ++i) {
        const auto before = points[i - 1];
        const auto here = points[i];
        for (Index k = 0; k < dimension; ++k) {
            switch (i % 6) {
                case 0: here[k] = 0.0F; break;
                case 2: here[k] = before[k]; break;
                case 3: here[k] = -before[k]; break;
                case 4: here[k] = 3.0F * before[k]; break;
                case 5: here[k] *= 1e-30F; break;
                default: break;
            }
        }
    }
    return points;
}

inline Points equal_points(Index count, Index dimension) {
    Points points(count, dimension);
    std::fill(points.values().begin(), points.values().end(), 0.3F);
    return points;
}

inline Points scaled(const Points& points, float factor) {
    Points result = points;
    for (float& value : result.values()) {
        value *= factor;
    }
    return result;
}

/// The same without signs, for methods that take no negative numbers.
inline Points magnitudes(const Points& points) {
    Points result = points;
    for (float& value : result.values()) {
        value = std::abs(value);
    }
    return result;
}

/// Point i of the result is point order[i].
inline Points reordered(const Points& points, const std::vector<Index>& order) {
    Points result(points.count(), points.dimension());
    for (Index i = 0; i < points.count(); ++i) {
        std::copy(points[order[i]].begin(), points[order[i]].end(), result[i].begin());
    }
    return result;
}

/// A permutation of `count` numbers.
inline std::vector<Index> shuffled(Index count, std::uint64_t seed) {
    std::vector<Index> order(count);
    Random random(seed, Purpose::Test, 0);
    for (Index i = 0; i < count; ++i) {
        order[i] = i;
        std::swap(order[i], order[random.below(i + 1)]);
    }
    return order;
}

inline std::vector<Index> every_point(Index count) {
    std::vector<Index> all(count);
    for (Index i = 0; i < count; ++i) {
        all[i] = i;
    }
    return all;
}

/// The first `columns` coordinates: a crude embedding.
inline Points truncated(const Points& points, Index columns) {
    Points result(points.count(), columns);
    for (Index i = 0; i < points.count(); ++i) {
        std::copy_n(points[i].begin(), columns, result[i].begin());
    }
    return result;
}

inline RunContext on_threads(int threads) {
    RunContext context;
    context.threads = threads;
    return context;
}

}  // namespace isogon::reference
