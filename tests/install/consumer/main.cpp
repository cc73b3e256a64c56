// A program outside the project: it sees only what is installed. It fails when an answer is wrong.
#include <core/parallel.hpp>
#include <core/random.hpp>
#include <cstdio>
#include <isogon/registry/registry.hpp>

namespace {

/// Points of rank 2 in 5 dimensions: the SVD must keep their lengths.
isogon::Points flat_points() {
    isogon::Points points(40, 5);
    for (isogon::Index i = 0; i < points.count(); ++i) {
        isogon::Random random(1, isogon::RandomStream::Test, i);
        const double first = random.normal();
        const double second = random.normal();
        for (isogon::Index j = 0; j < points.dimension(); ++j) {
            points[i][j] = static_cast<float>(first * j + second);
        }
    }
    return points;
}

double sum_of_lengths(const isogon::Points& points) {
    const auto lengths = isogon::norms(points.view());
    isogon::RunContext context;
    context.threads = 2;
    return isogon::parallel_sum(context, lengths.size(), 1, [&](isogon::Range range) { return lengths[range.begin]; });
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
