#include "isogon/pairs/angle_sample.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr std::size_t bin_count = static_cast<std::size_t>(2.0 / AngleSample::bin_width) + 1;

std::vector<Index> nonzero_points(const std::vector<double>& lengths) {
    std::vector<Index> list;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > 0.0) {
            list.push_back(static_cast<Index>(i));
        }
    }
    return list;
}

std::vector<Index> elements(const std::vector<Index>& list, const std::vector<Index>& places) {
    std::vector<Index> chosen;
    chosen.reserve(places.size());
    for (const Index place : places) {
        chosen.push_back(list[place]);
    }
    return chosen;
}

void require_sample_memory(const PointsView& points, std::size_t rows, const RunContext& context) {
    const int threads = context.thread_count();
    require_memory(context,
                   {{"the directions of all points", PackedPoints::bytes(points.count, points.dimension)},
                    {"the directions of the sample", PackedPoints::bytes(static_cast<Index>(rows), points.dimension)},
                    {"bands of cosines", row_band_bytes(points.count, threads)},
                    {"histograms", bin_count * 8 * (1 + static_cast<std::uint64_t>(threads))}},
                   "take a smaller sample, fewer threads or fewer points");
}

/// Counts one row, all columns but its own, and returns the largest cosine.
float count_row(std::span<const float> cosines, Index self, std::vector<std::uint64_t>& bins) {
    float nearest = -1.0F;
    for (Index j = 0; j < cosines.size(); ++j) {
        if (j != self) {
            ++bins[AngleSample::bin(cosines[j])];
            nearest = std::max(nearest, cosines[j]);
        }
    }
    return nearest;
}

}  // namespace

AngleSample sample_angles(const PointsView& points, Index rows, std::uint64_t seed, const RunContext& context) {
    require_finite(points, "points");
    const auto lengths = norms(points);
    const auto alive = nonzero_points(lengths);
    if (alive.size() < 2) {
        throw InputError("points", "",
                         std::to_string(alive.size()) + " of " + std::to_string(points.count) +
                             " are not zero vectors; angles need at least two");
    }
    const auto chosen = sample_rows(static_cast<Index>(alive.size()), rows, seed, Purpose::ThresholdSample);
    require_sample_memory(points, chosen.size(), context);
    const PackedPoints columns = pack_directions(points, lengths, alive, context);
    const PackedPoints sampled = pack_directions(points, lengths, elements(alive, chosen), context);

    AngleSample sample;
    sample.zero_vectors = static_cast<Index>(points.count - alive.size());
    sample.bins.resize(bin_count);
    sample.nearest.resize(chosen.size());
    sample.pairs = std::uint64_t{chosen.size()} * (alive.size() - 1);
    std::mutex adding;  // whole numbers: their sum does not depend on the order
    for_each_row_band(
        sampled, columns, context,
        [&](RowBand& band) {
            std::vector<std::uint64_t> bins(bin_count);
            for (Index r = 0; r < band.rows; ++r) {
                const std::span<const float> cosines(band.values + r * band.stride, band.columns);
                sample.nearest[band.first_row + r] = count_row(cosines, chosen[band.first_row + r], bins);
            }
            const std::lock_guard lock(adding);
            std::transform(bins.begin(), bins.end(), sample.bins.begin(), sample.bins.begin(), std::plus<>{});
        },
        "threshold");
    return sample;
}

}  // namespace isogon
