#include "isogon/synthetic/blobs.hpp"

#include <cmath>
#include <memory>

#include "isogon/core/random.hpp"

namespace isogon {

namespace {

// Streams of the centres lie beyond all points': an Index has 32 bits.
constexpr std::uint64_t centre_stream = std::uint64_t{1} << 32U;

Points random_centres(const BlobsOptions& options, std::uint64_t seed) {
    // The difference of two independent Gaussians of deviation s in D dimensions has a mean square length of 2 D s^2.
    const double deviation = options.separation / std::sqrt(2.0 * options.dimension);
    Points centres(static_cast<Index>(options.classes), static_cast<Index>(options.dimension));
    for (Index c = 0; c < centres.count(); ++c) {
        Random random(seed, RandomStream::Blobs, centre_stream + c);
        for (float& value : centres[c]) {
            value = static_cast<float>(deviation * random.normal());
        }
    }
    return centres;
}

}  // namespace

const OptionTable<BlobsOptions>& blobs_option_table() {
    static const auto table =
        OptionTable<BlobsOptions>()
            .integer("classes", &BlobsOptions::classes, {1, 10000}, "number of blobs")
            .integer("dimension", &BlobsOptions::dimension, {1, 100000}, "dimension of the points")
            .number("spread", &BlobsOptions::spread, {0.0, 1e6},
                    "standard deviation of every coordinate about the centre of its blob; more makes them overlap")
            .number("separation", &BlobsOptions::separation, {0.0, 1e6},
                    "root mean square of the distance between two centres; more pulls the blobs apart");
    return table;
}

PointMaker blobs_maker(std::uint64_t seed, const BlobsOptions& options, const RunContext& context) {
    blobs_option_table().validate(options);
    const auto classes = static_cast<std::uint32_t>(options.classes);
    const auto dimension = static_cast<Index>(options.dimension);
    PointMaker maker{.dimension = dimension, .labelled = true};
    maker.bytes = std::uint64_t{classes} * dimension * sizeof(float);
    require_memory_for(maker, 1, context);
    const auto centres = std::make_shared<const Points>(random_centres(options, seed));
    maker.make = [seed, classes, spread = options.spread, centres](Index i, std::span<float> point, std::span<float>) {
        Random random(seed, RandomStream::Blobs, i);
        const std::uint32_t blob = random.below(classes);
        for (std::size_t k = 0; k < point.size(); ++k) {
            point[k] = static_cast<float>((*centres)[blob][k] + spread * random.normal());
        }
        return std::int64_t{blob};
    };
    return maker;
}

Generated blobs(Index count, std::uint64_t seed, const BlobsOptions& options, const RunContext& context) {
    return make_points(blobs_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
