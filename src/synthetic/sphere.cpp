#include "isogon/synthetic/sphere.hpp"

#include <cmath>
#include <memory>
#include <span>

#include "isogon/core/random.hpp"

namespace isogon {

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
    while (length < 1e-30) {  // a zero vector has no direction; the chance of one is nil
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

/// Takes out of `row` what lies along the rows before it. Twice is enough (Kahan, in Parlett 1980).
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
        if (length < 1e-6) {  // as good as inside the span already: mostly rounding, so draw another
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

Generated sphere(Index count, std::uint64_t seed, const SphereOptions& options, const RunContext& context) {
    return make_points(sphere_maker(seed, options, context), 0, count, context);
}

}  // namespace isogon
