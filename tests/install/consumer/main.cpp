// A program outside the project: it sees only what is installed. It fails when an answer is wrong.
#include <cstdio>
#include <isogon/core/parallel.hpp>
#include <isogon/core/points.hpp>

int main() {
    isogon::Points points(2, 2);
    points[1][0] = 3.0F;
    points[1][1] = 4.0F;
    const auto lengths = isogon::norms(points.view());
    isogon::RunContext context;
    context.threads = 2;
    const double sum =
        isogon::parallel_sum(context, lengths.size(), 1, [&](isogon::Range range) { return lengths[range.begin]; });
    std::printf("sum of lengths: %g\n", sum);
    return sum == 5.0 ? 0 : 1;
}
