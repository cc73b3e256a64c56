#include "pairs/threshold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <mutex>
#include <numbers>
#include <span>
#include <string>

#include "core/trigonometry.hpp"
#include "distributed/rank_group.hpp"
#include "isogon/core/error.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"

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

/// The points of `list` that are local to this rank, as local indices.
std::vector<Index> own_among(const std::vector<Index>& list, Range own) {
    std::vector<Index> here;
    for (const Index point : list) {
        if (own.begin <= point && point < own.end) {
            here.push_back(static_cast<Index>(point - own.begin));
        }
    }
    return here;
}

/// The directions of points of any rank.
PackedPoints directions_of(const DistributedPoints& points, const std::vector<Index>& list, const RunContext& context) {
    const Points rows = points.gather_rows(list);
    return pack_directions(rows.view(), norms(rows.view()), numbers_below(list.size()), context);
}

/// Combines the results of all ranks, each for its local points; every rank receives the sum.
void all_reduce_sum(const DistributedPoints& points, AngleSample& sample) {
    if (!points.is_distributed()) {
        return;
    }
    const RankGroup ranks = ranks_of(points);
    ranks.all_reduce_sum(sample.bins);
    const std::size_t rows = sample.nearest.size();
    std::vector<float> all(rows * ranks.size());
    std::copy(sample.nearest.begin(), sample.nearest.end(),
              all.begin() + static_cast<std::ptrdiff_t>(ranks.rank() * rows));
    ranks.all_gather_parts(ranks.size(), rows * sizeof(float), std::as_writable_bytes(std::span(all)));
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
    const auto lengths = norms_of_all(points, context);
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
                // For a point of an earlier rank the unsigned difference wraps to an index beyond all columns.
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

namespace {

constexpr std::size_t degree_bins = 180;

/// The bins of right angles and of equal directions, whose edges are the bounds of tau.
constexpr std::size_t zero = AngleSample::bin(0.0F);
constexpr std::size_t one = AngleSample::bin(1.0F);

bool is_inside(std::size_t bin) {
    return zero < bin && bin < one;
}

double degrees(double cosine) {
    return elementary::acos(std::clamp(cosine, -1.0, 1.0)) * (180.0 / std::numbers::pi);
}

std::size_t degree_bin(double cosine) {
    return std::min(degree_bins - 1, static_cast<std::size_t>(degrees(cosine)));
}

/// Share of the sampled pairs with a cosine at or below the edge of `bin`.
double share_up_to(const AngleSample& sample, std::size_t bin) {
    std::uint64_t count = 0;
    for (std::size_t b = 0; b <= bin; ++b) {
        count += sample.bins[b];
    }
    return static_cast<double>(count) / static_cast<double>(sample.pairs);
}

AngleHistograms describe(const AngleSample& sample, double threshold, double advised) {
    AngleHistograms result;
    result.threshold = threshold;
    result.advised_threshold = advised;
    result.threshold_degrees = degrees(threshold);
    result.sampled_rows = static_cast<Index>(sample.nearest.size());
    result.zero_vectors = sample.zero_vectors;
    result.nearest.resize(degree_bins);
    result.all.resize(degree_bins);
    // The last bin whose pairs are all at or below the threshold.
    const auto last = static_cast<std::size_t>((threshold + 1.0) / AngleSample::bin_width);
    result.sparsity = share_up_to(sample, last);
    for (std::size_t b = 0; b < sample.bins.size(); ++b) {
        const double middle = AngleSample::edge(b) - AngleSample::bin_width / 2.0;
        result.all[degree_bin(middle)] += static_cast<double>(sample.bins[b]) / static_cast<double>(sample.pairs);
    }
    for (const float cosine : sample.nearest) {
        result.nearest[degree_bin(double{cosine})] += 1.0 / result.sampled_rows;
        result.isolated_share += double{cosine} <= threshold ? 1.0 / result.sampled_rows : 0.0;
    }
    return result;
}

/// A share with six digits, rounded in the direction that keeps it a bound.
std::string share_text(double share, double (*round)(double)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6f", round(share * 1e6) / 1e6);
    return text.data();
}

double floor_of(double value) {
    return std::floor(value);
}

double ceiling_of(double value) {
    return std::ceil(value);
}

std::string number_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

/// Refuses data for which no threshold in (0, 1) exists at all.
void require_choice(const AngleSample& sample) {
    if (sample.bins[one] == sample.pairs) {
        throw InputError("points", "",
                         "all points have the same direction, so no threshold can tell pairs apart; subtract the mean "
                         "first, or check the data");
    }
    if (share_up_to(sample, zero) >= 1.0) {
        throw InputError("points", "",
                         "no two points are less than 90 degrees apart, so no threshold above 0 leaves a pair; check "
                         "the data, or give a larger sample");
    }
}

/// Refuses a sparsity whose quantile lies outside (0, 1), and names the shares that do not.
void require_inside(const AngleSample& sample, double sparsity, std::size_t chosen) {
    if (chosen <= zero) {
        throw InvalidArgument("sparsity", number_text(sparsity),
                              "must be above " + share_text(share_up_to(sample, zero), ceiling_of) +
                                  " for these points: that share of pairs is 90 degrees or more apart, and the "
                                  "threshold must be above 0");
    }
    if (chosen >= one) {
        throw InvalidArgument("sparsity", number_text(sparsity),
                              "must be at most " + share_text(share_up_to(sample, one - 1), floor_of) +
                                  " for these points: all other pairs have the same direction, and the threshold must "
                                  "be below 1");
    }
}

/// The first bin with the requested share of pairs at or below its edge.
std::size_t quantile_bin(const AngleSample& sample, double sparsity) {
    const double requested = sparsity * static_cast<double>(sample.pairs);
    const std::size_t last = sample.bins.size() - 1;
    std::uint64_t count = 0;
    std::size_t bin = 0;
    for (; bin < last; ++bin) {
        count += sample.bins[bin];
        if (static_cast<double>(count) >= requested) {
            break;
        }
    }
    return bin;
}

/// The last bin whose edge, as a threshold, leaves at most the allowed share of sampled points without a neighbour
/// above it.
std::size_t isolation_bin(const AngleSample& sample, double isolated) {
    std::vector<float> nearest = sample.nearest;
    const std::size_t never = sample.bins.size() - 1;
    const auto allowed = static_cast<std::size_t>(isolated * static_cast<double>(nearest.size()));
    if (allowed >= nearest.size()) {
        return never;
    }
    std::nth_element(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(allowed), nearest.end());
    // If even nearest neighbours are at right angles no threshold above 0 helps: keep the one of the requested
    // sparsity.
    const std::size_t bin = AngleSample::bin(nearest[allowed]);
    return bin > zero + 1 ? bin - 1 : never;
}

/// The quantile of the requested sparsity, lowered if it isolates too many points: with a few hundred points, 1% of
/// all pairs is less than one neighbour for most.
std::size_t chosen_bin(const AngleSample& sample, const ThresholdOptions& options) {
    const std::size_t requested = quantile_bin(sample, options.sparsity);
    return requested > zero ? std::min(requested, isolation_bin(sample, options.isolated)) : requested;
}

AngleSample take_sample(const DistributedPoints& points, const ThresholdOptions& options, const RunContext& context) {
    threshold_option_table().validate(options);
    return sample_angles(points, static_cast<Index>(options.sample), options.seed, context);
}

}  // namespace

const OptionTable<ThresholdOptions>& threshold_option_table() {
    static const OptionTable<ThresholdOptions> table = [] {
        OptionTable<ThresholdOptions> t;
        t.number(
            "sparsity", &ThresholdOptions::sparsity, {.minimum = 0.0, .maximum = 1.0, .open = true},
            "Share of pairs that should lie at or below the threshold; a higher share makes the threshold higher.");
        t.number("isolated", &ThresholdOptions::isolated, {.minimum = 0.0, .maximum = 1.0},
                 "Largest share of points that may be left without a neighbour above the threshold, which is lowered "
                 "until no more are; 1: never lowered.");
        t.integer("sample", &ThresholdOptions::sample, {.minimum = 1},
                  "Number of points compared with all others; more makes the choice steadier and slower.");
        t.integer("seed", &ThresholdOptions::seed, {}, "Seed of the sample.");
        return t;
    }();
    return table;
}

AngleHistograms choose_threshold(const DistributedPoints& points, const ThresholdOptions& options,
                                 const RunContext& context) {
    const AngleSample sample = take_sample(points, options, context);
    const std::size_t chosen = chosen_bin(sample, options);
    require_choice(sample);
    require_inside(sample, options.sparsity, chosen);
    return describe(sample, AngleSample::edge(chosen), AngleSample::edge(chosen));
}

AngleHistograms describe_threshold(const DistributedPoints& points, double threshold, const ThresholdOptions& options,
                                   const RunContext& context) {
    if (!(threshold > 0.0 && threshold < 1.0)) {
        throw InvalidArgument("threshold", number_text(threshold), "must be above 0 and below 1, a cosine");
    }
    const AngleSample sample = take_sample(points, options, context);
    const std::size_t advised = chosen_bin(sample, options);
    return describe(sample, threshold, is_inside(advised) ? AngleSample::edge(advised) : 0.0);
}

}  // namespace isogon
