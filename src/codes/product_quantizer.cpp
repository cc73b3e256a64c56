#include "codes/product_quantizer.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "isogon/core/elementary.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/neighbors/k_means.hpp"

namespace isogon {

namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Map<const Rows, 0, Eigen::OuterStride<>>;

constexpr Index codewords = 256;
constexpr std::size_t rows_at_once = 4096;

ConstRows matrix(const PointsView& points) {
    return {points.data, static_cast<Eigen::Index>(points.count), static_cast<Eigen::Index>(points.dimension),
            Eigen::OuterStride<>(static_cast<Eigen::Index>(points.stride))};
}

PointsView columns(const PointsView& points, Range range) {
    return {points.data + range.begin, points.count, static_cast<Index>(range.size()), points.stride};
}

PointsView rows(const PointsView& points, Range range) {
    return {points.data + range.begin * points.stride, static_cast<Index>(range.size()), points.dimension,
            points.stride};
}

Points as_points(const DenseMatrix& values) {
    Points points(static_cast<Index>(values.rows), static_cast<Index>(values.columns));
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < points.dimension(); ++k) {
            points[i][k] = static_cast<float>(values(i, k));
        }
    }
    return points;
}

/// x^T z, in the order of blocks.
DenseMatrix cross_product(const PointsView& x, const PointsView& z, const RunContext& context) {
    const std::size_t blocks = block_count(x.count, rows_at_once);
    std::vector<Eigen::MatrixXd> parts(blocks);
    parallel_tasks(context, blocks, [&](std::size_t b) {
        const Range range = block_range(b, x.count, rows_at_once);
        parts[b] = matrix(rows(x, range)).cast<double>().transpose() * matrix(rows(z, range)).cast<double>();
    });
    DenseMatrix sum(x.dimension, z.dimension);
    Eigen::Map<Eigen::MatrixXd> total(sum.values.data(), x.dimension, z.dimension);
    for (const auto& part : parts) {
        total += part;
    }
    return sum;
}

DenseMatrix covariance(const PointsView& x, const RunContext& context) {
    std::vector<double> mean(x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        for (Index k = 0; k < x.dimension; ++k) {
            mean[k] += double{x[i][k]} / x.count;
        }
    }
    DenseMatrix result = cross_product(x, x, context);
    for (Index j = 0; j < x.dimension; ++j) {
        for (Index k = 0; k < x.dimension; ++k) {
            result(k, j) = result(k, j) / x.count - mean[k] * mean[j];
        }
    }
    return result;
}

/// Principal directions, the largest variance first, each to the part with the smallest product of variances that has
/// room (section 3.2.3 there: then the error bound of the product code is least).
Points first_rotation(const PointsView& x, Index parts, const RunContext& context) {
    const SmallEigen axes = symmetric_eigen(covariance(x, context), SpectrumOrder::Largest);
    const Index d = x.dimension;
    // In units of the least, so that no product falls: one that fell would attract all that is strong.
    const double largest = std::max(axes.values.front(), std::numeric_limits<double>::min());
    const double least = std::max(axes.values.back(), 1e-9 * largest);
    std::vector<double> logarithms(parts, 0.0);
    std::vector<Index> used(parts, 0);
    DenseMatrix rotation(d, d);
    for (Index a = 0; a < d; ++a) {
        Index chosen = parts;
        for (Index m = 0; m < parts; ++m) {
            const bool room = used[m] < columns_of_part(m, parts, d).size();
            if (room && (chosen == parts || logarithms[m] < logarithms[chosen])) {
                chosen = m;
            }
        }
        logarithms[chosen] += elementary::log(std::max(axes.values[a], least) / least);
        const std::size_t column = columns_of_part(chosen, parts, d).begin + used[chosen]++;
        std::copy_n(&axes.vectors.values[std::size_t{a} * d], d, &rotation.values[column * d]);
    }
    return as_points(rotation);
}

/// The orthogonal R with the least |x R - z|.
Points nearest_rotation(const PointsView& x, const PointsView& z, const RunContext& context) {
    return as_points(orthogonal_factor(cross_product(x, z, context)).matrix);
}

}  // namespace

Range columns_of_part(Index m, Index parts, Index dimension) {
    const Index longer = dimension % parts;
    const std::size_t length = dimension / parts;
    const std::size_t begin = m * length + std::min(m, longer);
    return {begin, begin + length + (m < longer ? 1 : 0)};
}

Points rotated(const PointsView& points, const Points& rotation, const RunContext& context) {
    TruncatedSvd onto;
    onto.directions = DenseMatrix(rotation.count(), rotation.dimension());
    for (Index i = 0; i < rotation.count(); ++i) {
        for (Index k = 0; k < rotation.dimension(); ++k) {
            onto.directions(i, k) = double{rotation[i][k]};
        }
    }
    return project(points, onto, context);
}

std::vector<std::uint8_t> nearest_codewords(const PointsView& rotated_points, const Points& centroids, Index parts,
                                            const RunContext& context) {
    std::vector<std::uint8_t> codes(std::size_t{rotated_points.count} * parts);
    for (Index m = 0; m < parts; ++m) {
        const Range part = columns_of_part(m, parts, rotated_points.dimension);
        const auto nearest = nearest_centroids(columns(rotated_points, part), columns(centroids.view(), part), context);
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            codes[i * parts + m] = static_cast<std::uint8_t>(nearest[i]);
        }
    }
    return codes;
}

Points codewords_of(const std::vector<std::uint8_t>& codes, const Points& centroids, Index parts) {
    Points words(static_cast<Index>(codes.size() / parts), centroids.dimension());
    for (Index m = 0; m < parts; ++m) {
        const Range part = columns_of_part(m, parts, centroids.dimension());
        for (Index i = 0; i < words.count(); ++i) {
            const auto word = centroids[codes[std::size_t{i} * parts + m]];
            std::copy(word.begin() + static_cast<std::ptrdiff_t>(part.begin),
                      word.begin() + static_cast<std::ptrdiff_t>(part.end),
                      words[i].begin() + static_cast<std::ptrdiff_t>(part.begin));
        }
    }
    return words;
}

namespace {

void put_columns(const Points& from, Range part, Points& into) {
    for (Index c = 0; c < from.count(); ++c) {
        std::copy(from[c].begin(), from[c].end(), into[c].begin() + static_cast<std::ptrdiff_t>(part.begin));
    }
}

/// Of every part of z, by Lloyd's algorithm.
Points first_codewords(const PointsView& z, Index parts, std::uint64_t seed, const RunContext& context) {
    constexpr int lloyd_rounds = 5;
    Points centroids(std::min(codewords, z.count), z.dimension);
    for (Index m = 0; m < parts; ++m) {
        const Range part = columns_of_part(m, parts, z.dimension);
        put_columns(k_means(columns(z, part), centroids.count(), lloyd_rounds, seed, context), part, centroids);
    }
    return centroids;
}

/// The means of what has each code.
Points codewords_for(const PointsView& z, const std::vector<std::uint8_t>& codes, const Points& before, Index parts) {
    Points centroids = before;
    std::vector<Index> cluster(z.count);
    for (Index m = 0; m < parts; ++m) {
        const Range part = columns_of_part(m, parts, z.dimension);
        for (Index i = 0; i < z.count; ++i) {
            cluster[i] = codes[std::size_t{i} * parts + m];
        }
        Points own(before.count(), static_cast<Index>(part.size()));
        for (Index c = 0; c < own.count(); ++c) {
            std::copy_n(before[c].begin() + static_cast<std::ptrdiff_t>(part.begin), part.size(), own[c].begin());
        }
        put_columns(centroids_of(columns(z, part), cluster, own), part, centroids);
    }
    return centroids;
}

}  // namespace

ProductQuantizer learn_product_quantizer(const PointsView& sample, Index parts, int rounds, std::uint64_t seed,
                                         const RunContext& context) {
    ProductQuantizer found{first_rotation(sample, parts, context), {}};
    Points z = rotated(sample, found.rotation, context);
    found.centroids = first_codewords(z.view(), parts, seed, context);
    for (int round = 0; round < rounds; ++round) {
        throw_if_cancelled(context);
        const auto codes = nearest_codewords(z.view(), found.centroids, parts, context);
        found.rotation = nearest_rotation(sample, codewords_of(codes, found.centroids, parts).view(), context);
        z = rotated(sample, found.rotation, context);
        found.centroids = codewords_for(z.view(), codes, found.centroids, parts);
        context.report({"codes", static_cast<std::uint64_t>(round) + 1, static_cast<std::uint64_t>(rounds), 0.0});
    }
    return found;
}

}  // namespace isogon
