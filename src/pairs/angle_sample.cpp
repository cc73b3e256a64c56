#include "isogon/pairs/angle_sample.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <string>

#include "isogon/core/communicator.hpp"
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

void require_sample_memory(const DistributedPoints& points, std::size_t rows, const RunContext& context) {
    const int threads = context.thread_count();
    const Index here = points.local().count;
    require_memory(
        context,
        {{"the directions of all points", PackedPoints::bytes(here, points.dimension())},
         {"the directions of the sample", 2 * PackedPoints::bytes(static_cast<Index>(rows), points.dimension())},
         {"bands of cosines", row_band_bytes(here, threads)},
         {"histograms", bin_count * 8 * (1 + static_cast<std::uint64_t>(threads))}},
        "take a smaller sample, fewer threads or fewer points");
}

/// The points of `list` among those of this rank, counted from its first.
std::vector<Index> own_among(const std::vector<Index>& list, Range own) {
    std::vector<Index> here;
    for (const Index point : list) {
        if (own.begin <= point && point < own.end) {
            here.push_back(static_cast<Index>(point - own.begin));
        }
    }
    return here;
}

/// The directions of points that may be any rank's.
PackedPoints directions_of(const DistributedPoints& points, const std::vector<Index>& list, const RunContext& context) {
    const Points rows = points.gather_rows(list);
    std::vector<Index> all(list.size());
    std::iota(all.begin(), all.end(), Index{0});
    return pack_directions(rows.view(), norms(rows.view()), all, context);
}

/// Each rank has compared the sample with its own points: afterwards all know of all.
void all_reduce_sum(const DistributedPoints& points, AngleSample& sample) {
    if (!points.is_distributed()) {
        return;
    }
    const Communicator& communicator = *points.communicator();
    all_reduce_sum(communicator, sample.bins);
    const std::size_t rows = sample.nearest.size();
    std::vector<float> all(rows * communicator.size());
    std::copy(sample.nearest.begin(), sample.nearest.end(),
              all.begin() + static_cast<std::ptrdiff_t>(communicator.rank() * rows));
    all_gather_parts(communicator, communicator.size(), rows * sizeof(float), std::as_writable_bytes(std::span(all)));
    for (std::size_t k = 0; k < all.size(); ++k) {
        sample.nearest[k % rows] = std::max(sample.nearest[k % rows], all[k]);
    }
}

/// Counts one row, all columns but its own (`self`, none where it is beyond them), and returns the largest cosine.
float count_row(std::span<const float> cosines, std::size_t self, std::vector<std::uint64_t>& bins) {
    float nearest = -1.0F;
    for (std::size_t j = 0; j < cosines.size(); ++j) {
        if (j != self) {
            ++bins[AngleSample::bin(cosines[j])];
            nearest = std::max(nearest, cosines[j]);
        }
    }
    return nearest;
}

}  // namespace

AngleSample sample_angles(const DistributedPoints& points, Index rows, std::uint64_t seed, const RunContext& context) {
    require_all_finite(points, "points");
    const auto lengths = norms_of_all(points);
    const auto alive = nonzero_points(lengths);
    if (alive.size() < 2) {
        throw InputError("points", "",
                         std::to_string(alive.size()) + " of " + std::to_string(points.count()) +
                             " are not zero vectors; angles need at least two");
    }
    const auto chosen = sample_rows(static_cast<Index>(alive.size()), rows, seed, RandomStream::ThresholdSample);
    require_sample_memory(points, chosen.size(), context);
    const Range own = points.local_range();
    const PackedPoints columns = pack_directions(points.local(), std::span(lengths).subspan(own.begin, own.size()),
                                                 own_among(alive, own), context);
    const PackedPoints sampled = directions_of(points, elements(alive, chosen), context);
    // Columns are the points from this one on among those that are not zero.
    const auto first =
        static_cast<std::size_t>(std::lower_bound(alive.begin(), alive.end(), own.begin) - alive.begin());

    AngleSample sample;
    sample.zero_vectors = static_cast<Index>(points.count() - alive.size());
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
                // Of an earlier rank's point the difference wraps round, to a place beyond all columns.
                const std::size_t self = std::size_t{chosen[band.first_row + r]} - first;
                sample.nearest[band.first_row + r] = count_row(cosines, self, bins);
            }
            const std::lock_guard lock(adding);
            std::transform(bins.begin(), bins.end(), sample.bins.begin(), sample.bins.begin(), std::plus<>{});
        },
        "threshold");
    all_reduce_sum(points, sample);
    return sample;
}

}  // namespace isogon
