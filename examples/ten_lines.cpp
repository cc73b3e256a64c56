#include <cstdio>

#include "isogon/faithful/faithful.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/synthetic/generator.hpp"

int main() {
    const isogon::Points x = isogon::drawn_digits(1000).points;
    const isogon::Embedding y = isogon::faithful(x.view(), {.dimension = 16, .seed = 7});
    const isogon::Score score = isogon::score(x.view(), y.coordinates.view(), {});
    std::printf("%s\nangles off by %.2f degrees\n", y.summary.message.c_str(), score.mean_angular_deviation_degrees);
}
