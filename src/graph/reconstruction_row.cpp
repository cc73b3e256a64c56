#include "graph/reconstruction_row.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

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
      right_(neighbors),
      weights_(neighbors),
      residual_(neighbors + 1),
      correction_(std::size_t{factor_.panels()} * panel_width) {}

std::uint64_t ReconstructionRow::bytes(Index neighbors, Index dimension) {
    // Once for the directions and twice for square matrices; what the float64 way takes is four times such a matrix.
    return PackedPoints::bytes(neighbors + 1, dimension) + 2 * PanelMatrix::bytes(neighbors + 1) +
           std::uint64_t{neighbors} * (2 * std::uint64_t{neighbors} + 4) * sizeof(double);
}

std::span<const double> ReconstructionRow::solve(std::span<const float> row, double row_length,
                                                 const PointsView& points, std::span<const double> lengths,
                                                 std::span<const Index> neighbors) {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    if (row_length == 0.0) {
        return weights_;
    }
    for (Index j = 0; j < size_; ++j) {
        write_direction(points[neighbors[j]], lengths[neighbors[j]], j, directions_);
    }
    write_direction(row, row_length, size_, directions_);
    if (ridge_ < smallest_ridge_of_float32) {
        solve_in_float64();
        return weights_;
    }
    fill_cosines();
    if (!solve_in_float32()) {
        solve_in_float64();
    }
    return weights_;
}

/// All cosines, those with the row itself among them as the last row, which is then read and replaced by one of the
/// identity, as those are that only fill the last panel.
void ReconstructionRow::fill_cosines() {
    for (Index p = 0; p < cosines_.panels(); ++p) {
        for (Index q = 0; q <= p; ++q) {
            multiply_panels(directions_.panel(q), directions_.panel(p), directions_.depth(),
                            cosines_.row_panel(p) + std::size_t{q} * panel_width * panel_width, panel_width);
        }
    }
    for (Index j = 0; j < size_; ++j) {
        right_[j] = double{cosines_.at(size_, j)};
        cosines_.at(size_, j) = 0.0F;
        // A direction's product with itself is 1. That of a zero vector is 0, and anything above 0 serves: the rest of
        // its row is zero, and so is its weight.
        cosines_.at(j, j) = static_cast<float>(1.0 + ridge_);
    }
    for (Index j = size_; j < cosines_.panels() * panel_width; ++j) {
        cosines_.at(j, j) = 1.0F;
    }
}

/// A factor in float32, and corrections by it until the residual in float64 is small: one or two. False if they do not
/// lead there.
bool ReconstructionRow::solve_in_float32() {
    constexpr int most_corrections = 10;
    constexpr double small = 1e-6;
    if (!factor_cholesky(cosines_, factor_)) {
        return false;
    }
    const double rounding = 1.0 + ridge_ - double{static_cast<float>(1.0 + ridge_)};
    const double length = length_of(right_);
    double left = length;
    std::copy(right_.begin(), right_.end(), residual_.begin());
    for (int step = 0; step < most_corrections && left > small * length; ++step) {
        for (Index j = 0; j < size_; ++j) {
            correction_[j] = static_cast<float>(residual_[j]);
        }
        correction_[size_] = 0.0F;
        solve_cholesky(factor_, correction_);
        for (Index j = 0; j < size_; ++j) {
            weights_[j] += double{correction_[j]};
        }
        weights_.push_back(0.0);  // the row of the identity; the capacity is there after the first time
        multiply_symmetric(cosines_, weights_, residual_);
        weights_.pop_back();
        for (Index j = 0; j < size_; ++j) {
            residual_[j] = right_[j] - residual_[j] - rounding * weights_[j];
        }
        const double before = left;
        left = length_of(std::span(residual_).first(size_));
        if (!(left < 0.5 * before)) {
            break;
        }
    }
    return left <= small * length;
}

/// The slow way, for what float32 cannot hold: cosines and factor in float64.
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

}  // namespace isogon
