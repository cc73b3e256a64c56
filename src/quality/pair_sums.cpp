#include "quality/pair_sums.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace isogon {

namespace {

std::uint64_t count_above(const float* values, float threshold) {
    std::uint32_t count = 0;
    for (std::size_t place = 0; place < tile_size; ++place) {
        count += values[place] > threshold ? 1U : 0U;
    }
    return count;
}

void collect_above(const float* values, float threshold, TileEntries& hits) {
    alignas(64) std::array<float, tile_size> above;  // NOLINT(*-member-init): filled below
    for (std::size_t place = 0; place < tile_size; ++place) {
        above[place] = values[place] - threshold;
    }
    collect_positive(above.data(), hits);
}

}  // namespace

void PairSums::add(const PairSums& other) {
    deviation += other.deviation;
    in_x += other.in_x;
    in_y += other.in_y;
    in_both += other.in_both;
}

double PairSums::mean_degrees() const {
    return in_x == 0 ? 0.0 : deviation / static_cast<double>(in_x) * (180.0 / std::numbers::pi);
}

double PairSums::jaccard() const {
    const std::uint64_t in_either = in_x + in_y - in_both;
    return in_either == 0 ? 1.0 : static_cast<double>(in_both) / static_cast<double>(in_either);
}

void add_tile(TileAngles& x_angle, TileAngles& y_angle, float threshold, PairSums& sums, TileEntries& hits) {
    collect_above(x_angle.cosines(), threshold, hits);
    sums.in_x += hits.count;
    sums.in_y += count_above(y_angle.cosines(), threshold);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const Index i = hits.places[h] >> tile_place_shift;
        const Index j = hits.places[h] & tile_place_mask;
        const double deviation = std::abs(x_angle(i, j) - y_angle(i, j));
        sums.deviation += deviation;
        hits.values[h] = static_cast<float>(deviation);
        sums.in_both += y_angle.cosines()[i * tile_width + j] > threshold ? 1U : 0U;
    }
}

}  // namespace isogon
