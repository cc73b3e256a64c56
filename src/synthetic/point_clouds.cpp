#include "synthetic/point_clouds.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>

#include "core/elementary.hpp"
#include "core/random.hpp"
#include "core/trigonometry.hpp"

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

namespace {

constexpr double radian = std::numbers::pi / 180.0;

/// A string of beads on the unit circle or sphere, by arc length.
class BeadString {
public:
    explicit BeadString(const ArcsOptions& options) : options_(options) {
        if (options.shape == ArcShape::Circle) {
            length_ = options.angle * radian;
            return;
        }
        // A loxodrome crosses all meridians at one angle, so its length is (change of latitude) / cos(angle) and its
        // longitude is tan(angle) * asinh(tan(latitude)), the latitude of Mercator's map.
        tangent_ = std::numbers::pi * options.turns / elementary::asinh(elementary::tan(last_latitude));
        length_ = 2.0 * last_latitude * std::sqrt(1.0 + tangent_ * tangent_);
    }

    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] Index dimension() const { return options_.shape == ArcShape::Circle ? 2 : 3; }

    /// The place at a share of the length, 0 to 1.
    [[nodiscard]] std::array<double, 3> at(double share) const {
        if (options_.shape == ArcShape::Circle) {
            const double angle = (share - 0.5) * length_;
            return {elementary::sin(angle), elementary::cos(angle), 0.0};
        }
        const double latitude = (2.0 * share - 1.0) * last_latitude;
        const double longitude = tangent_ * elementary::asinh(elementary::tan(latitude));
        return {elementary::cos(latitude) * elementary::cos(longitude),
                elementary::cos(latitude) * elementary::sin(longitude), elementary::sin(latitude)};
    }

private:
    // Nearer to the poles the coil would wind about them closer than it is long.
    static constexpr double last_latitude = 75.0 * radian;

    ArcsOptions options_;
    double length_ = 0.0;
    double tangent_ = 0.0;
};

/// The fractional part of start / 2^64 + i * (golden ratio), exact in 64-bit fixed point. By the three-gap theorem the
/// gaps between any number of these have at most three lengths.
double golden_share(std::uint64_t start, std::uint64_t i) {
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15U;
    return static_cast<double>((start + i * golden_ratio) >> 11U) * 0x1.0p-53;
}

std::uint64_t random_start(std::uint64_t seed) {
    Random random(seed, RandomStream::Arcs, 0);
    const std::uint64_t high = random.bits();
    return high << 32U | random.bits();
}

}  // namespace

const OptionTable<ArcsOptions>& arcs_option_table() {
    static const auto table =
        OptionTable<ArcsOptions>()
            .choice("shape", &ArcsOptions::shape, {{"circle", ArcShape::Circle}, {"sphere", ArcShape::Sphere}},
                    "an arc of the unit circle (2 dimensions) or a coil on the unit sphere (3 dimensions)")
            .number("angle", &ArcsOptions::angle, {0.0, 360.0, true},
                    "degrees that the arc of the circle spans; more brings its two ends together")
            .only_with("shape", {"circle"})
            .number("turns", &ArcsOptions::turns, {0.0, 1000.0},
                    "turns of the coil about the axis of the sphere; more bring them closer")
            .only_with("shape", {"sphere"});
    return table;
}

PointMaker arcs_maker(std::uint64_t seed, const ArcsOptions& options, const RunContext& /*context*/) {
    arcs_option_table().validate(options);
    const BeadString string(options);
    const std::uint64_t start = random_start(seed);
    PointMaker maker{.dimension = string.dimension(), .truth_dimension = 1};
    maker.make = [string, start](Index i, std::span<float> point, std::span<float> truth) {
        const double share = golden_share(start, i);
        const auto place = string.at(share);
        for (std::size_t k = 0; k < point.size(); ++k) {
            point[k] = static_cast<float>(place.at(k));
        }
        truth[0] = static_cast<float>(share * string.length());
        return std::int64_t{0};
    };
    return maker;
}

namespace {

// Streams of the basis lie beyond all points': an Index has 32 bits.
constexpr std::uint64_t basis_stream = std::uint64_t{1} << 32U;

using Basis = std::vector<std::vector<double>>;

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

/// Uniform on the unit sphere: a Gaussian vector, scaled to length 1.
std::vector<double> random_direction(Random& random, std::size_t dimension) {
    std::vector<double> values(dimension);
    double length = 0.0;
    while (length < 1e-30) {  // a zero vector has no direction; its probability is zero to rounding
        for (double& value : values) {
            value = random.normal();
        }
        length = std::sqrt(dot(values, values));
    }
    for (double& value : values) {
        value /= length;
    }
    return values;
}

/// Subtracts from `row` its projections on the rows before it. Twice is enough (Kahan, in Parlett 1980).
void orthogonalize(std::vector<double>& row, const Basis& before) {
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& other : before) {
            const double along = dot(row, other);
            for (std::size_t k = 0; k < row.size(); ++k) {
                row[k] -= along * other[k];
            }
        }
    }
}

Basis random_basis(const SphereOptions& options, std::uint64_t seed) {
    Basis basis;
    Random random(seed, RandomStream::Sphere, basis_stream);
    while (basis.size() < static_cast<std::size_t>(options.rank)) {
        auto row = random_direction(random, static_cast<std::size_t>(options.dimension));
        orthogonalize(row, basis);
        const double length = std::sqrt(dot(row, row));
        if (length < 1e-6) {  // inside the span up to rounding: draw another
            continue;
        }
        for (double& value : row) {
            value /= length;
        }
        basis.push_back(std::move(row));
    }
    return basis;
}

void write_scaled(std::span<float> row, std::span<const double> values, double scale) {
    for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = static_cast<float>(scale * values[k]);
    }
}

std::vector<double> combine(const Basis& basis, std::span<const double> weights) {
    std::vector<double> sum(basis.front().size());
    for (std::size_t j = 0; j < basis.size(); ++j) {
        for (std::size_t k = 0; k < sum.size(); ++k) {
            sum[k] += weights[j] * basis[j][k];
        }
    }
    return sum;
}

}  // namespace

const OptionTable<SphereOptions>& sphere_option_table() {
    static const auto table =
        OptionTable<SphereOptions>()
            .integer("dimension", &SphereOptions::dimension, {1, 100000}, "dimension of the points")
            .integer("rank", &SphereOptions::rank, {0, 100000},
                     "dimension of the random subspace that holds the sphere, at most that of the points; 0 is all")
            .number("radius", &SphereOptions::radius, {1e-6, 1e6}, "length of every point");
    return table;
}

PointMaker sphere_maker(std::uint64_t seed, const SphereOptions& options, const RunContext& context) {
    sphere_option_table().validate(options);
    if (options.rank > options.dimension) {
        throw InvalidArgument("rank", std::to_string(options.rank),
                              "must be at most " + std::to_string(options.dimension) + ", the dimension");
    }
    const auto dimension = static_cast<Index>(options.dimension);
    const auto rank = static_cast<Index>(options.rank);
    PointMaker maker{.dimension = dimension, .truth_dimension = rank};
    maker.bytes = std::uint64_t{rank} * dimension * sizeof(double);
    require_memory_for(maker, 1, context);
    const auto basis = std::make_shared<const Basis>(random_basis(options, seed));
    maker.make = [=, radius = options.radius](Index i, std::span<float> point, std::span<float> truth) {
        Random random(seed, RandomStream::Sphere, i);
        const auto direction = random_direction(random, rank > 0 ? rank : dimension);
        if (rank == 0) {
            write_scaled(point, direction, radius);
            return std::int64_t{0};
        }
        write_scaled(truth, direction, radius);
        write_scaled(point, combine(*basis, direction), radius);
        return std::int64_t{0};
    };
    return maker;
}

namespace {

constexpr double first_angle = 1.5 * std::numbers::pi;  // begins where the layers are no longer close to the axis

/// Length of the spiral r = angle from its centre.
double arc_length(double angle) {
    return 0.5 * (angle * std::sqrt(1.0 + angle * angle) + elementary::asinh(angle));
}

/// The angle at which the spiral has that length, by Newton's method from where r is large: length = angle^2 / 2. The
/// function is convex and the start is above the root, so that the steps decrease to it monotonically.
double angle_at(double length) {
    double angle = std::sqrt(2.0 * length);
    for (int step = 0; step < 6; ++step) {
        angle -= (arc_length(angle) - length) / std::sqrt(1.0 + angle * angle);
    }
    return angle;
}

}  // namespace

const OptionTable<SwissRollOptions>& swiss_roll_option_table() {
    static const auto table =
        OptionTable<SwissRollOptions>()
            .number("noise", &SwissRollOptions::noise, {0.0, 1e6},
                    "standard deviation of Gaussian noise in each of the three coordinates; more blurs the sheet")
            .number("height", &SwissRollOptions::height, {0.0, 1e6}, "height of the sheet, along the axis of the roll")
            .number("turns", &SwissRollOptions::turns, {0.0, 1000.0, true},
                    "turns of the sheet about the axis; more bring more layers");
    return table;
}

PointMaker swiss_roll_maker(std::uint64_t seed, const SwissRollOptions& options, const RunContext& /*context*/) {
    swiss_roll_option_table().validate(options);
    const double begin = arc_length(first_angle);
    const double end = arc_length(first_angle + 2.0 * std::numbers::pi * options.turns);
    PointMaker maker{.dimension = 3, .truth_dimension = 2};
    maker.make = [seed, options, begin, end](Index i, std::span<float> point, std::span<float> truth) {
        Random random(seed, RandomStream::SwissRoll, i);
        const double along = random.uniform() * (end - begin);
        const double up = random.uniform() * options.height;
        const double angle = angle_at(begin + along);
        point[0] = static_cast<float>(angle * elementary::cos(angle) + options.noise * random.normal());
        point[1] = static_cast<float>(up + options.noise * random.normal());
        point[2] = static_cast<float>(angle * elementary::sin(angle) + options.noise * random.normal());
        truth[0] = static_cast<float>(along);
        truth[1] = static_cast<float>(up);
        return std::int64_t{0};
    };
    return maker;
}

Generated swiss_roll(Index count, std::uint64_t seed, const SwissRollOptions& options, const RunContext& context) {
    return make_points(swiss_roll_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
