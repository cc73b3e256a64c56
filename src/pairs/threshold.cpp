#include "isogon/pairs/threshold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

#include "isogon/pairs/angle_sample.hpp"

namespace isogon {

namespace {

constexpr std::size_t degree_bins = 180;

/// The bins of right angles and of equal directions, whose edges are the bounds of tau.
constexpr std::size_t zero = AngleSample::bin(0.0F);
constexpr std::size_t one = AngleSample::bin(1.0F);

bool is_inside(std::size_t bin) {
    return zero < bin && bin < one;
}

double degrees(double cosine) {
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * (180.0 / std::numbers::pi);
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

/// A share with six digits, rounded up or down so that a bound stays one.
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

/// The first bin at or below whose edge the wished share of pairs lies.
std::size_t quantile_bin(const AngleSample& sample, double sparsity) {
    const double wished = sparsity * static_cast<double>(sample.pairs);
    const std::size_t last = sample.bins.size() - 1;
    std::uint64_t count = 0;
    std::size_t bin = 0;
    for (; bin < last; ++bin) {
        count += sample.bins[bin];
        if (static_cast<double>(count) >= wished) {
            break;
        }
    }
    return bin;
}

/// The last bin whose edge, as a threshold, leaves at most the wished share of sampled points without a neighbour above
/// it.
std::size_t isolation_bin(const AngleSample& sample, double isolated) {
    std::vector<float> nearest = sample.nearest;
    const std::size_t never = sample.bins.size() - 1;
    const auto allowed = static_cast<std::size_t>(isolated * static_cast<double>(nearest.size()));
    if (allowed >= nearest.size()) {
        return never;
    }
    std::nth_element(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(allowed), nearest.end());
    // Where even neighbours stand at right angles no threshold above 0 helps: leave it where the sparsity wants it.
    const std::size_t bin = AngleSample::bin(nearest[allowed]);
    return bin > zero + 1 ? bin - 1 : never;
}

/// The quantile of the wished sparsity, lowered where it would isolate too many points: with a few hundred points, 1%
/// of all pairs is less than one neighbour for most.
std::size_t chosen_bin(const AngleSample& sample, const ThresholdOptions& options) {
    const std::size_t wished = quantile_bin(sample, options.sparsity);
    return wished > zero ? std::min(wished, isolation_bin(sample, options.isolated)) : wished;
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
