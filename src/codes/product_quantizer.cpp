#include "codes/product_quantizer.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/k_means.hpp"

namespace isogon {

namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Map<const Rows, 0, Eigen::OuterStride<>>;

constexpr Index codewords = 256;
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

/// x^T z, in panels of columns, so that a wide one can be ended. Only the last may have another width: Eigen adds in
/// another order where columns are left over from groups of four.
Eigen::MatrixXd cross_product_of_rows(const PointsView& x, const PointsView& z, const RunContext& context) {
    constexpr std::size_t panel_columns = 64;
    using WideRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const WideRows left = matrix(x).cast<double>();
    const WideRows right = matrix(z).cast<double>();
    Eigen::MatrixXd result(left.cols(), right.cols());
    const std::size_t panels = std::max<std::size_t>(1, z.dimension / panel_columns);
    for (std::size_t p = 0; p < panels; ++p) {
        throw_if_cancelled_in_task(context);
        const auto begin = static_cast<Eigen::Index>(p * panel_columns);
        const auto columns = p + 1 < panels ? static_cast<Eigen::Index>(panel_columns) : result.cols() - begin;
        result.middleCols(begin, columns).noalias() = left.transpose() * right.middleCols(begin, columns);
    }
    return result;
}

/// x^T z, in the order of blocks.
DenseMatrix cross_product(const PointsView& x, const PointsView& z, const RunContext& context) {
    const std::size_t blocks = block_count(x.count, product_rows_at_once);
    std::vector<Eigen::MatrixXd> parts(blocks);
    parallel_tasks(context, blocks, [&](std::size_t b) {
        const Range range = block_range(b, x.count, product_rows_at_once);
        parts[b] = cross_product_of_rows(rows(x, range), rows(z, range), context);
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

/// work(matrix), on a thread of its own where it takes long, as no decomposition can be stopped. If the run ends
/// before, the thread keeps what it holds until it is done, and nobody sees its result.
template <class Work>
auto while_run_goes_on(DenseMatrix matrix, const RunContext& context, Work work) {
    constexpr std::size_t quickly_done = 256;  // rows: a tenth of a second
    constexpr auto between_looks = std::chrono::milliseconds(20);
    throw_if_cancelled_in_task(context);
    if (matrix.rows <= quickly_done) {
        return work(matrix);
    }
    const auto shared = std::make_shared<const DenseMatrix>(std::move(matrix));
    std::packaged_task<decltype(work(*shared))()> task([shared, work] { return work(*shared); });
    auto result = task.get_future();
    try {
        std::thread(std::move(task)).detach();
    } catch (const std::system_error&) {  // no more threads: then it cannot be ended
        return work(*shared);
    }
    while (result.wait_for(between_looks) != std::future_status::ready) {
        throw_if_cancelled_in_task(context);
    }
    return result.get();
}

/// Principal directions, the largest variance first, each to the part with the smallest product of variances that has
/// room (section 3.2.3 there: then the error bound of the product code is least).
Points first_rotation(const PointsView& x, Index parts, const RunContext& context) {
    const SmallEigen axes = while_run_goes_on(covariance(x, context), context, [](const DenseMatrix& matrix) {
        return symmetric_eigen(matrix, SpectrumOrder::Largest);
    });
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
    const OrthogonalFactor factor = while_run_goes_on(cross_product(x, z, context), context, orthogonal_factor);
    return as_points(factor.matrix);
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
        throw_if_cancelled_in_task(context);
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

/// Finds the first codewords of every part of z by Lloyd's algorithm.
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
