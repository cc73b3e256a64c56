#include "spectral/block_iteration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "isogon/core/random.hpp"
#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"
#include "spectral/chebyshev_filter.hpp"

namespace isogon {

namespace {

WideVectors random_vectors(Index rows, Index columns, std::uint64_t seed) {
    WideVectors result(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        Random random(seed, RandomStream::SpectralStart, i);
        for (Index j = 0; j < columns; ++j) {
            result.at(i, j) = random.normal();
        }
    }
    return result;
}

/// Rows `begin` to `end` and columns `first` to `last`.
DenseMatrix part(const DenseMatrix& matrix, std::size_t begin, std::size_t end, std::size_t first, std::size_t last) {
    DenseMatrix result(end - begin, last - first);
    for (std::size_t j = first; j < last; ++j) {
        std::copy_n(&matrix.values[j * matrix.rows + begin], end - begin, &result.values[(j - first) * result.rows]);
    }
    return result;
}

/// Orthonormal coefficients of the step that leads from the old block to the new one: what `chosen`, the new block's
/// coefficients, has outside the first `kept` basis vectors, made orthogonal to it.
DenseMatrix step_coefficients(const DenseMatrix& chosen, std::size_t kept, const std::vector<Index>& moving,
                              const RunContext& context) {
    WideVectors step(static_cast<Index>(chosen.rows), static_cast<Index>(moving.size()));
    BlockWithImage block{WideVectors(step.rows, static_cast<Index>(chosen.columns)), {}};
    for (std::size_t i = 0; i < chosen.rows; ++i) {
        for (std::size_t j = 0; j < chosen.columns; ++j) {
            block.vectors.at(i, j) = chosen(i, j);
        }
        for (std::size_t j = 0; i >= kept && j < moving.size(); ++j) {
            step.at(i, j) = chosen(i, moving[j]);
        }
    }
    const BlockWithImage basis = orthonormal_to({&block}, step, nullptr, context);
    DenseMatrix result(chosen.rows, basis.vectors.columns);
    for (std::size_t i = 0; i < result.rows; ++i) {
        for (std::size_t j = 0; j < result.columns; ++j) {
            result(i, j) = basis.vectors.at(i, j);
        }
    }
    return result;
}

/// The mean of a matrix and its transpose, which rounding has set apart.
void symmetrise(DenseMatrix& matrix) {
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            matrix(i, j) = (matrix(i, j) + matrix(j, i)) / 2.0;
            matrix(j, i) = matrix(i, j);
        }
    }
}

}  // namespace

BlockIteration::BlockIteration(const SymmetricOperator& a, const SymmetricOperator* b, const WideVectors& deflation,
                               Index columns, const EigenOptions& options, const RunContext& context)
    : a_(a), b_(b), options_(options), context_(context) {
    if (deflation.columns > 0) {
        deflation_ = orthonormal_to({}, deflation, b, context);
    }
    block_ = orthonormal_to({&deflation_}, random_vectors(a.size(), columns, options.seed), b, context);
    product_ = multiplied(block_.vectors);
    take_directions({});
}

WideVectors BlockIteration::multiplied(const WideVectors& in) {
    WideVectors out(in.rows, in.columns);
    if (in.columns > 0) {
        a_.apply(in, out, context_);
        ++products_;
    }
    return out;
}

void BlockIteration::improve(const Preconditioner* preconditioner) {
    const std::vector<Index> moving = unfinished();
    WideVectors directions = chosen_columns(residual_, moving);
    for (std::size_t i = 0; i < directions.rows; ++i) {
        for (std::size_t j = 0; j < moving.size(); ++j) {
            directions.at(i, j) /= std::max(residual_lengths_[moving[j]], 1e-300);
        }
    }
    if (preconditioner != nullptr) {
        preconditioner->apply(directions, context_);
    }
    take_directions(directions);
}

double BlockIteration::cut(double bound) const {
    constexpr double most = 0.9;  // a random start's values may lie anywhere
    return std::min(values_.back(), most * bound);
}

void BlockIteration::improve_by_filter(int degree, double bound) {
    const std::vector<Index> moving = unfinished();
    const WideVectors filtered = chebyshev_filter(a_, chosen_columns(block_.vectors, moving), degree, cut(bound), bound,
                                                  std::min(values_.front(), 0.0), context_);
    products_ += degree;
    take_directions(filtered);
}

/// Rayleigh and Ritz in the span of block, step and directions.
void BlockIteration::take_directions(const WideVectors& directions) {
    const std::vector<Index> moving = values_.empty() ? std::vector<Index>{} : unfinished();
    BlockWithImage added;
    if (directions.columns > 0) {
        added = orthonormal_to({&deflation_, &block_, &step_}, directions, b_, context_);
        exhausted_ = added.vectors.columns == 0;
    }
    const WideVectors added_product = multiplied(added.vectors);

    const WideVectors basis =
        side_by_side(std::array<const WideVectors*, 3>{&block_.vectors, &step_.vectors, &added.vectors});
    const WideVectors product =
        side_by_side(std::array<const WideVectors*, 3>{&product_, &step_product_, &added_product});
    DenseMatrix projected = cross_product(basis, product, context_);
    symmetrise(projected);
    const SmallEigen eigen = symmetric_eigen(projected, SpectrumOrder::Smallest);

    const std::size_t columns = block_.vectors.columns;
    const DenseMatrix chosen = part(eigen.vectors, 0, basis.columns, 0, columns);
    const DenseMatrix step = step_coefficients(chosen, columns, moving, context_);
    values_.assign(eigen.values.begin(), eigen.values.begin() + static_cast<std::ptrdiff_t>(columns));
    if (b_ != nullptr) {
        const WideVectors image =
            side_by_side(std::array<const WideVectors*, 3>{&block_.image, &step_.image, &added.image});
        block_.image = combination(image, chosen, context_);
        step_.image = combination(image, step, context_);
    }
    block_.vectors = combination(basis, chosen, context_);
    step_.vectors = combination(basis, step, context_);
    product_ = combination(product, chosen, context_);
    step_product_ = combination(product, step, context_);
    measure();
}

void BlockIteration::measure() {
    residual_ = product_;
    const WideVectors& image = block_.through_b();
    for (std::size_t i = 0; i < residual_.rows; ++i) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            residual_.at(i, j) -= values_[j] * image.at(i, j);
        }
    }
    residual_lengths_ = column_lengths(residual_, context_);
    scales_ = column_lengths(image, context_);
    const std::vector<double> lengths = column_lengths(product_, context_);
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        size_of_a_ = std::max(size_of_a_, lengths[j] / scales_[j]);
    }
}

double BlockIteration::relative(std::size_t j) const {
    constexpr double rounding = 1e-13;
    if (residual_lengths_[j] == 0.0) {
        return 0.0;
    }
    const double allowed = std::max(options_.tolerance * std::abs(values_[j]), rounding * size_of_a_) * scales_[j];
    return options_.tolerance * residual_lengths_[j] / allowed;
}

Index BlockIteration::found() const {
    Index count = 0;
    while (count < options_.count && relative(count) <= options_.tolerance) {
        ++count;
    }
    return count;
}

double BlockIteration::largest_relative_residual() const {
    double largest = 0.0;
    for (std::size_t j = 0; j < options_.count; ++j) {
        largest = std::max(largest, relative(j));
    }
    return largest;
}

std::vector<Index> BlockIteration::unfinished() const {
    std::vector<Index> columns;
    for (Index j = 0; j < values_.size(); ++j) {
        if (relative(j) > options_.tolerance) {
            columns.push_back(j);
        }
    }
    return columns;
}

}  // namespace isogon
