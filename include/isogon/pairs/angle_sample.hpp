#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Cosines between a sample of points and all other points, as counts; zero vectors take no part.
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
    /// The bin of a cosine; rounding beyond -1 and 1 is forgiven.
    [[nodiscard]] static constexpr std::size_t bin(float cosine) {
        const double place = (double{std::clamp(cosine, -1.0F, 1.0F)} + 1.0) / bin_width;
        const auto whole = static_cast<std::size_t>(place);
        return static_cast<double>(whole) < place ? whole + 1 : whole;
    }
};

/// Takes the sample: `rows` points that are not zero, or all of them. The same for any number of threads. Throws
/// InputError if fewer than two points are not zero, or a value is not finite; LimitExceeded; Interruption.
/// O(rows n D) time, O(n D) memory; of divided points each rank compares the sample with its own, and all get all of
/// it.
[[nodiscard]] AngleSample sample_angles(const DistributedPoints& points, Index rows, std::uint64_t seed,
                                        const RunContext& context);

}  // namespace isogon
