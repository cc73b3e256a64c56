#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"

namespace isogon {

/// Histogram of the cosines between a sample of points and all other points; zero vectors are excluded.
struct AngleSample {
    /// Width of the bins of cosines. A power of two, so that the edges are exact in float32 and "at or below the edge"
    /// means the same for a count of bins as for a comparison.
    static constexpr double bin_width = 0x1.0p-17;

    std::vector<std::uint64_t> bins;  ///< pairs with a cosine in (edge(b) - bin_width, edge(b)]; the first holds -1
    std::vector<float> nearest;       ///< cosine to the nearest neighbour of every sampled point
    std::uint64_t pairs = 0;          ///< sum of the bins
    Index zero_vectors = 0;           ///< among all points

    /// Upper edge of a bin.
    [[nodiscard]] static constexpr double edge(std::size_t bin) { return static_cast<double>(bin) * bin_width - 1.0; }
    /// The bin of a cosine, which is clamped to [-1, 1].
    [[nodiscard]] static constexpr std::size_t bin(float cosine) {
        const double place = (double{std::clamp(cosine, -1.0F, 1.0F)} + 1.0) / bin_width;
        const auto whole = static_cast<std::size_t>(place);
        return static_cast<double>(whole) < place ? whole + 1 : whole;
    }
};

/// Compares a sample of `rows` nonzero points, or all of them, with all points. The same for any number of threads.
/// Throws InputError if fewer than two points are nonzero or a value is not finite; LimitExceeded; Interruption.
/// O(rows n D) time, O(n D) memory. With distributed points each rank compares the sample with its local points, and
/// all ranks receive the whole result.
[[nodiscard]] AngleSample sample_angles(const DistributedPoints& points, Index rows, std::uint64_t seed,
                                        const RunContext& context);

struct ThresholdOptions {
    double sparsity = 0.99;  ///< share of pairs at or below tau; a larger share gives a larger tau
    double isolated = 0.25;  ///< largest share of points without a neighbour above tau; matters below some 1,000 points
    int sample = 2000;       ///< rows compared with all points
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<ThresholdOptions>& threshold_option_table();

/// Figure 2 of Saul 2022: angles to the nearest neighbour against all angles, from a sample of rows.
struct AngleHistograms {
    double threshold = 0.0;          ///< cosine tau: the requested share of pairs lies at or below it
    double advised_threshold = 0.0;  ///< tau for the sparsity of the options; 0 if no tau in (0, 1) has it
    double threshold_degrees = 0.0;  ///< acos(tau)
    double sparsity = 0.0;           ///< the share reached
    double isolated_share = 0.0;     ///< share of sampled points whose nearest neighbour is not above tau
    Index sampled_rows = 0;
    Index zero_vectors = 0;
    double bin_degrees = 1.0;
    std::vector<double> nearest;  ///< share of sampled points by angle to their nearest neighbour, 180 bins
    std::vector<double> all;      ///< share of sampled pairs by angle, 180 bins
};

/// Chooses tau: the smallest multiple of 2^-17 at or below which the requested share of the sampled pairs lies,
/// lowered (but not to 0) until at most the allowed share of sampled points is isolated. The sample is the same for
/// any number of threads; zero vectors are excluded. Throws InputError if a value is not finite, fewer than two points
/// are nonzero, all points have the same direction, or no angle is below 90 degrees; InvalidArgument if this sparsity
/// would put tau outside (0, 1), naming one that does not; LimitExceeded; Interruption, for there is no partial
/// result. Time O(sample n D), memory O(n D); with distributed points each rank does its share.
[[nodiscard]] AngleHistograms choose_threshold(const DistributedPoints& points, const ThresholdOptions& options = {},
                                               const RunContext& context = {});

/// The same histograms and shares for a given threshold in (0, 1); the sparsity is exact to one bin of 2^-17 of
/// cosine. Throws as above, except for the errors of choosing.
[[nodiscard]] AngleHistograms describe_threshold(const DistributedPoints& points, double threshold,
                                                 const ThresholdOptions& options = {}, const RunContext& context = {});

}  // namespace isogon
