#include "graph/reconstruction_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include "core/parallel.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

// In float32 a cosine is off by some 1e-7, which a ridge of 1e-4 covers and one of 1e-6 does not.
constexpr double smallest_ridge_of_float32 = 1e-5;

/// A vector's direction as vector `place` of the packed ones. Multiplied in float64, which holds the inverse of every
/// length that float32 vectors can have.
void write_direction(std::span<const float> values, double length, Index place, PackedPoints& packed) {
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    float* component = &packed.at(place, 0);
    for (std::size_t k = 0; k < values.size(); ++k) {
        component[k * panel_width] = static_cast<float>(double{values[k]} * inverse);
    }
}

double length_of(std::span<const double> vector) {
    double sum = 0.0;
    for (const double value : vector) {
        sum += value * value;
    }
    return std::sqrt(sum);
}

}  // namespace

ReconstructionRow::ReconstructionRow(Index neighbors, Index dimension, double ridge)
    : size_(neighbors),
      ridge_(ridge),
      directions_(neighbors + 1, dimension),
      cosines_(neighbors + 1),
      factor_(neighbors + 1),
      weights_(std::size_t{factor_.panels()} * panel_width),
      remainder_(dimension),
      residual_(weights_.size()),
      correction_(weights_.size()) {}

std::uint64_t ReconstructionRow::bytes(Index neighbors, Index dimension) {
    // One copy of the directions and two square matrices; the fallback in float64 takes four times such a matrix.
    return PackedPoints::bytes(neighbors + 1, dimension) + 2 * PanelMatrix::bytes(neighbors + 1) +
           std::uint64_t{neighbors} * (2 * std::uint64_t{neighbors} + 4) * sizeof(double);
}

std::span<const double> ReconstructionRow::solve(std::span<const float> row, double row_length,
                                                 const PointsView& points, std::span<const double> lengths,
                                                 std::span<const Index> neighbors) {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    if (row_length == 0.0) {
        return std::span(weights_).first(size_);
    }
    for (Index j = 0; j < size_; ++j) {
        write_direction(points[neighbors[j]], lengths[neighbors[j]], j, directions_);
    }
    write_direction(row, row_length, size_, directions_);
    if (ridge_ < smallest_ridge_of_float32) {
        solve_in_float64();
        return std::span(weights_).first(size_);
    }
    fill_cosines();
    if (!solve_in_float32()) {
        solve_in_float64();
    }
    return std::span(weights_).first(size_);
}

/// products := U^T `along`, the products of all neighbours' directions with a vector, in float64.
void ReconstructionRow::multiply_directions(std::span<const double> along, std::vector<double>& products) const {
    std::fill(products.begin(), products.end(), 0.0);
    for (Index p = 0; p < directions_.panels(); ++p) {
        const float* components = directions_.panel(p).data;
        double* sums = products.data() + std::size_t{p} * panel_width;
        for (Index k = 0; k < directions_.depth(); ++k) {
            for (std::size_t r = 0; r < panel_width; ++r) {
                sums[r] += along[k] * double{components[k * panel_width + r]};
            }
        }
    }
}

/// remainder_ := u - U v, the residual of the row's own direction.
void ReconstructionRow::subtract_mixture() {
    constexpr std::size_t lanes = 8;
    for (Index k = 0; k < directions_.depth(); ++k) {
        std::array<double, lanes> sums{};
        for (Index p = 0; p < directions_.panels(); ++p) {
            const float* components = directions_.panel(p).data + std::size_t{k} * panel_width;
            const double* weights = weights_.data() + std::size_t{p} * panel_width;
            for (std::size_t r = 0; r < panel_width; r += lanes) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    sums[lane] += double{components[r + lane]} * weights[r + lane];
                }
            }
        }
        remainder_[k] = std::accumulate(sums.begin(), sums.end(), double{directions_.at(size_, k)}, std::minus<>());
    }
}

/// C + ridge I. The last row, the products with the row itself, becomes one of the identity, as the padding rows of the
/// last panel are.
void ReconstructionRow::fill_cosines() {
    for (Index p = 0; p < cosines_.panels(); ++p) {
        for (Index q = 0; q <= p; ++q) {
            multiply_panels(directions_.panel(q), directions_.panel(p), directions_.depth(),
                            cosines_.row_panel(p) + std::size_t{q} * panel_width * panel_width, panel_width);
        }
    }
    for (Index j = 0; j < size_; ++j) {
        cosines_.at(size_, j) = 0.0F;
        // A direction's product with itself is 1. That of a zero vector is 0; any number above 0 is valid, because the
        // other entries of its row are zero, and so is its weight.
        cosines_.at(j, j) = static_cast<float>(1.0 + ridge_);
    }
    for (Index j = size_; j < cosines_.panels() * panel_width; ++j) {
        cosines_.at(j, j) = 1.0F;
    }
}

/// Factors in float32 and refines the weights iteratively until they converge, in one to three steps. The residual,
/// U^T (u - U v) - ridge v, is computed from the directions and not from the cosines. With more neighbours than
/// dimensions C has a null space, in which only the ridge determines the weights; there the rounding of float32 cosines
/// would appear as noise in the weights, amplified by 1 / ridge. Returns false if the weights do not converge.
bool ReconstructionRow::solve_in_float32() {
    constexpr int most_corrections = 10;
    constexpr double settled = 1e-3;
    if (!factor_cholesky(cosines_, factor_)) {
        return false;
    }
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step <= most_corrections; ++step) {
        subtract_mixture();
        multiply_directions(remainder_, residual_);
        for (Index j = 0; j < size_; ++j) {
            residual_[j] -= ridge_ * weights_[j];
        }
        // The error of the weights is at most that much, for no eigenvalue of C + ridge I is below the ridge.
        const double error = length_of(std::span(residual_).first(size_)) / ridge_;
        if (error <= settled * length_of(std::span(weights_).first(size_))) {
            return true;
        }
        if (!(error < 0.5 * std::exchange(before, error))) {
            return false;
        }
        std::transform(residual_.begin(), residual_.end(), correction_.begin(),
                       [](double value) { return static_cast<float>(value); });
        correction_[size_] = 0.0F;
        solve_cholesky(factor_, correction_);
        for (Index j = 0; j < size_; ++j) {
            weights_[j] += double{correction_[j]};
        }
    }
    return false;
}

/// The fallback where float32 is not accurate enough: cosines and factor in float64.
void ReconstructionRow::solve_in_float64() {
    const auto depth = static_cast<Eigen::Index>(directions_.depth());
    Eigen::MatrixXd columns(depth, size_ + 1);
    for (Index j = 0; j <= size_; ++j) {
        for (Index k = 0; k < directions_.depth(); ++k) {
            columns(k, j) = double{directions_.at(j, k)};
        }
        const double length = columns.col(j).norm();
        columns.col(j) /= length > 0.0 ? length : 1.0;
    }
    const auto near = columns.leftCols(size_);
    Eigen::MatrixXd matrix = near.transpose() * near;
    matrix.diagonal().array() += ridge_;
    const Eigen::VectorXd solution = matrix.ldlt().solve(near.transpose() * columns.col(size_));
    std::copy(solution.begin(), solution.end(), weights_.begin());
}

namespace {

constexpr std::size_t reconstruction_rows_of_task = 16;

void require_reconstruction_sizes(const NeighborMixtures& mixtures) {
    const auto& [rows, points, lists, ridge, self] = mixtures;
    if (!(ridge > 0.0 && ridge < 1e30)) {
        throw InvalidArgument("ridge", to_text(OptionValue{ridge}), "must be a number above 0");
    }
    if (rows.dimension != points.dimension) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(points.dimension) + ", that of the points");
    }
    if (lists.size > most_reconstruction_neighbors) {
        throw InvalidArgument("neighbors", std::to_string(lists.size),
                              "must be at most " + std::to_string(most_reconstruction_neighbors) +
                                  ", for each row costs a dense system of as many unknowns");
    }
}

/// Sorts the columns of every row, so that the system of a row, and with it the order of its sums, is that of its
/// columns, and fills in the weights with one workspace. The lengths are those of the rows and of the points.
void fill_rows(Range range, const NeighborMixtures& mixtures, std::span<const double> row_lengths,
               std::span<const double> lengths, CsrMatrix<float>& weights) {
    const auto& [rows, points, lists, ridge, self] = mixtures;
    ReconstructionRow solver(lists.size, points.dimension, ridge);
    for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
        const std::span<Index> columns(weights.indices.data() + weights.offsets[i], lists.size);
        std::sort(columns.begin(), columns.end());
        const auto solution = solver.solve(rows[i], row_lengths[i], points, lengths, columns);
        std::transform(solution.begin(), solution.end(), weights.values.begin() + weights.offsets[i],
                       [](double value) { return static_cast<float>(value); });
    }
}

CsrMatrix<float> weights_of(const NeighborMixtures& mixtures, const RunContext& context) {
    const auto& [rows, points, lists, ridge, self] = mixtures;
    require_reconstruction_sizes(mixtures);
    mixtures.require_valid();
    require_memory(context,
                   {{"the weights",
                     reconstruction_weights_bytes(rows.count, points.count, points.dimension, lists.size, context)}},
                   "raise the limit or take fewer neighbors");
    CsrMatrix<float> weights = zeros_at<float>(lists, points.count);
    const std::vector<double> row_lengths = norms(rows);
    const std::vector<double> lengths = norms(points);
    const std::size_t tasks = block_count(rows.count, reconstruction_rows_of_task);
    parallel_groups(context, tasks, {.tasks = 64, .phase = "weights"}, [&](Range task) {
        fill_rows(block_range(task.begin, mixtures.rows.count, reconstruction_rows_of_task), mixtures, row_lengths,
                  lengths, weights);
    });
    return weights;
}

}  // namespace

CsrMatrix<float> reconstruction_weights(const PointsView& rows, const PointsView& points, const NeighborLists& lists,
                                        double ridge, const RunContext& context) {
    return weights_of({rows, points, lists, ridge, SelfAllowed::Yes}, context);
}

CsrMatrix<float> reconstruction_weights(const PointsView& points, const NeighborLists& lists, double ridge,
                                        const RunContext& context) {
    return weights_of({points, points, lists, ridge, SelfAllowed::No}, context);
}

std::uint64_t reconstruction_weights_bytes(Index rows, Index points, Index dimension, Index neighbors,
                                           const RunContext& context) {
    const std::uint64_t matrix =
        (std::uint64_t{rows} + 1) * sizeof(Offset) + std::uint64_t{rows} * neighbors * (sizeof(Index) + sizeof(float));
    return matrix + (std::uint64_t{rows} + points) * sizeof(double) +
           static_cast<std::uint64_t>(context.thread_count()) * ReconstructionRow::bytes(neighbors, dimension);
}

}  // namespace isogon
