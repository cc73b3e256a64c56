#include "reference/point_sets.hpp"

#include <numeric>
#include <stop_token>

namespace isogon::reference {

Points random_points(Index count, Index dimension, std::uint64_t seed, double shift) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (float& value : points[i]) {
            value = static_cast<float>(random.normal() + shift);
        }
    }
    return points;
}

Points whole_points(Index count, Index dimension, std::uint32_t top, std::uint64_t seed) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (float& value : points[i]) {
            value = static_cast<float>(random.below(top + 1));
        }
    }
    return points;
}

Points awkward_points(Index count, Index dimension, std::uint64_t seed) {
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

Points equal_points(Index count, Index dimension) {
    Points points(count, dimension);
    std::fill(points.values().begin(), points.values().end(), 0.3F);
    return points;
}

Points scaled(const Points& points, float factor) {
    Points result = points;
    for (float& value : result.values()) {
        value *= factor;
    }
    return result;
}

Points magnitudes(const Points& points) {
    Points result = points;
    for (float& value : result.values()) {
        value = std::abs(value);
    }
    return result;
}

Points reordered(const Points& points, const std::vector<Index>& order) {
    Points result(static_cast<Index>(order.size()), points.dimension());
    for (Index i = 0; i < result.count(); ++i) {
        std::copy(points[order[i]].begin(), points[order[i]].end(), result[i].begin());
    }
    return result;
}

std::vector<Index> shuffled(Index count, std::uint64_t seed) {
    std::vector<Index> order(count);
    Random random(seed, RandomStream::Test, 0);
    for (Index i = 0; i < count; ++i) {
        order[i] = i;
        std::swap(order[i], order[random.below(i + 1)]);
    }
    return order;
}

std::vector<Index> every_point(Index count) {
    std::vector<Index> all(count);
    for (Index i = 0; i < count; ++i) {
        all[i] = i;
    }
    return all;
}

Points truncated(const Points& points, Index columns) {
    Points result(points.count(), columns);
    for (Index i = 0; i < points.count(); ++i) {
        std::copy_n(points[i].begin(), columns, result[i].begin());
    }
    return result;
}

Points turned(const Points& points, std::uint64_t seed) {
    const Index d = points.dimension();
    Random random(seed, RandomStream::Test, 0);
    std::vector<std::vector<double>> axes;
    for (Index a = 0; a < d; ++a) {
        std::vector<double> axis(d);
        for (double& value : axis) {
            value = random.normal();
        }
        for (int twice = 0; twice < 2; ++twice) {
            for (const auto& other : axes) {
                const double along = std::inner_product(axis.begin(), axis.end(), other.begin(), 0.0);
                for (Index k = 0; k < d; ++k) {
                    axis[k] -= along * other[k];
                }
            }
        }
        const double length = std::sqrt(std::inner_product(axis.begin(), axis.end(), axis.begin(), 0.0));
        for (double& value : axis) {
            value /= length;
        }
        axes.push_back(axis);
    }
    Points result(points.count(), d);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index a = 0; a < d; ++a) {
            result[i][a] =
                static_cast<float>(std::inner_product(points[i].begin(), points[i].end(), axes[a].begin(), 0.0));
        }
    }
    return result;
}

RunContext on_threads(int threads) {
    RunContext context;
    context.threads = threads;
    return context;
}

RunContext cancelled(int threads) {
    std::stop_source source;
    source.request_stop();
    RunContext context = on_threads(threads);
    context.stop = source.get_token();
    return context;
}

}  // namespace isogon::reference
