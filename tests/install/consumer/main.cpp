// A program outside the project: it sees only what is installed. It fails when an answer is wrong.
#include <cmath>
#include <cstdio>
#include <isogon/registry/registry.hpp>
#include <numeric>

namespace {

/// Points of rank 2 in 5 dimensions: the SVD to two must keep their lengths.
isogon::Points flat_points() {
    isogon::Points points(40, 5);
    for (isogon::Index i = 0; i < points.count(); ++i) {
        for (isogon::Index j = 0; j < points.dimension(); ++j) {
            points[i][j] =
                std::sin(static_cast<float>(i)) * static_cast<float>(j) + std::cos(3.0F * static_cast<float>(i));
        }
    }
    return points;
}

double sum_of_lengths(const isogon::Points& points) {
    const auto lengths = isogon::norms(points.view());
    return std::accumulate(lengths.begin(), lengths.end(), 0.0);
}

}  // namespace

int main() {
    const isogon::Points points = flat_points();
    const auto embedding = isogon::find_method("svd").embed(points.view(), {{"dimension", std::int64_t{2}}}, {});
    const double before = sum_of_lengths(points);
    const double after = sum_of_lengths(embedding.coordinates);
    std::printf("sum of lengths: %g, embedded %g\n", before, after);
    return after > 0.999 * before && after < 1.001 * before ? 0 : 1;
}
