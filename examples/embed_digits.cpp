// The whole of the library's use: points in, a method by name, coordinates out, and how faithful they are.
#include <cstdio>

#include "isogon/core/error.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/synthetic/generator.hpp"

namespace {

int embed_and_score() {
    const auto digits = isogon::find_generator("drawn-digits").generate(500, 0, {}, {});
    const auto embedding = isogon::find_method("tsm").embed(digits.points.view(),
                                                            {{"dimension", std::int64_t{16}}, {"threshold", 0.75}}, {});
    if (!embedding.summary.usable()) {
        std::fprintf(stderr, "no coordinates: %s\n", embedding.summary.message.c_str());
        return 1;
    }
    const auto score =
        isogon::score(digits.points.view(), embedding.coordinates.view(), digits.labels, {.threshold = 0.75});
    std::printf("%u points, %u -> %u dimensions: angles off by %.2f degrees, lengths by %.1f%%\n", score.points,
                digits.points.dimension(), embedding.coordinates.dimension(), score.mean_angular_deviation_degrees,
                100.0 * score.norm_deviation_mean);
    return 0;
}

}  // namespace

int main() {
    try {
        return embed_and_score();
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
