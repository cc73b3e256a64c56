#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

struct BlobsOptions {
    int classes = 10;
    int dimension = 16;
    double spread = 1.0;       ///< standard deviation of every coordinate about the centre of its blob
    double separation = 10.0;  ///< root mean square of the distance between two centres; 10 hardly overlap by default
};

[[nodiscard]] const OptionTable<BlobsOptions>& blobs_option_table();

/// Round Gaussian blobs about centres that are themselves Gaussian about the origin. Labels are the blobs, 0 up to
/// classes - 1, each point's drawn at random with equal chances; no truth. The centres depend on the seed and their
/// number alone. Throws InvalidArgument and LimitExceeded as every generator. O(count * dimension) time,
/// 4 * classes * dimension bytes besides the result.
[[nodiscard]] Generated blobs(Index count, std::uint64_t seed = 0, const BlobsOptions& options = {},
                              const RunContext& context = {});
/// The same set as an infinite sequence.
[[nodiscard]] PointMaker blobs_maker(std::uint64_t seed, const BlobsOptions& options, const RunContext& context);

}  // namespace isogon
