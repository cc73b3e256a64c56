#include "linalg/nonnegative_factorization.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

NonnegativeRow::NonnegativeRow(const DenseMatrix& gram) : gram_(gram), gradient_(gram.rows) {
    constexpr double negligible = 1e-14;  // in squares
    for (std::size_t k = 0; k < gram.rows; ++k) {
        smallest_ = std::max(smallest_, gram(k, k) * negligible);
    }
}

bool NonnegativeRow::improve(std::span<const double> products, std::span<double> weights, const DescentEnd& end) {
    std::transform(products.begin(), products.end(), gradient_.begin(), [](double product) { return -product; });
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (weights[k] != 0.0) {
            const double* column = gram_.values.data() + k * gram_.rows;
            for (std::size_t l = 0; l < gradient_.size(); ++l) {
                gradient_[l] += weights[k] * column[l];
            }
        }
    }
    double enough = 0.0;
    for (int done = 0; done < end.sweeps; ++done) {
        const double moved = sweep(weights);
        if (done == 0) {
            enough = moved * end.share * end.share;
        }
        if (moved <= enough) {
            return true;
        }
    }
    return false;
}

/// Returns the sum of the squares of the moves.
double NonnegativeRow::sweep(std::span<double> weights) {
    double moved = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double* column = gram_.values.data() + k * gram_.rows;
        if (column[k] <= smallest_) {
            continue;
        }
        const double step = std::max(-weights[k], -gradient_[k] / column[k]);
        if (step == 0.0) {
            continue;
        }
        weights[k] = std::max(0.0, weights[k] + step);
        moved += step * step * column[k];
        for (std::size_t l = 0; l < gradient_.size(); ++l) {
            gradient_[l] += step * column[l];
        }
    }
    return moved;
}

namespace {

constexpr std::size_t factored_rows_in_block = 480;  // ten panels
constexpr std::size_t blocks_in_round = 16;          // sums are stored for each: the number of threads that can work
constexpr std::size_t features_in_block = 16;
// More sweeps for one product make fewer products; beyond these they cost more than they save (bench/nmf-quality).
constexpr DescentEnd inner_descent{.sweeps = 8, .share = 0.1};
// Squares of residuals below this share of |X|^2 are the rounding of float32.
constexpr double rounding = 1e-7;

/// The context of work inside a task, which has one thread.
RunContext one_thread() {
    RunContext alone;
    alone.threads = 1;
    return alone;
}

/// One row of a factor improved in place; `products` and `weights` are workspace.
void improve_row(NonnegativeRow& problem, std::span<const double> products, std::vector<double>& weights, float* row) {
    std::copy_n(row, weights.size(), weights.begin());
    problem.improve(products, weights, inner_descent);
    std::transform(weights.begin(), weights.end(), row, [](double value) { return static_cast<float>(value); });
}

void add(const DenseMatrix& part, DenseMatrix& sum) {
    std::transform(sum.values.begin(), sum.values.end(), part.values.begin(), sum.values.begin(), std::plus<double>());
}

}  // namespace

MultiVector<float> aligned_rows(const PointsView& x, Index first, Index count, std::span<const double> factors) {
    MultiVector<float> block(count, x.dimension);
    for (Index i = 0; i < count; ++i) {
        const auto source = x[first + i];
        if (factors.empty()) {
            std::copy(source.begin(), source.end(), block.row(i));
        } else {
            std::transform(source.begin(), source.end(), block.row(i),
                           [&](float value) { return static_cast<float>(double{value} * factors[i]); });
        }
    }
    return block;
}

/// Sums of a pass over X, for the update of H and the objective.
struct NonnegativeFactorization::Sums {
    DenseMatrix products{};      ///< X^T W, D x d
    DenseMatrix weights_gram{};  ///< W^T W
    DenseMatrix parts_gram{};    ///< H H^T
};

NonnegativeFactorization::NonnegativeFactorization(const PointsView& x, MultiVector<float> parts,
                                                   const RunContext& context)
    : x_(x), context_(context), weights_(x.count, parts.columns()), parts_(std::move(parts)) {
    squares_ = parallel_sum(context, x.count, factored_rows_in_block, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (const float value : x[static_cast<Index>(i)]) {
                sum += double{value} * double{value};
            }
        }
        return sum;
    });
}

Termination NonnegativeFactorization::run(const FactorizationEnd& end) {
    constexpr int small_changes_to_stop = 10;
    const auto began = std::chrono::steady_clock::now();
    int small_changes = 0;
    for (int done = 1; done <= end.iterations; ++done) {
        throw_if_cancelled(context_);
        const double before = residual_;
        update();
        const double change = before > 0.0 ? (before - residual_) / before : 0.0;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        trace_.push_back({done, residual_, change, seconds.count()});
        context_.report(
            {"factorization", static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(end.iterations), residual_});
        small_changes = change < end.tolerance ? small_changes + 1 : 0;
        if (small_changes == small_changes_to_stop || residual_ * residual_ < rounding) {
            return Termination::Converged;
        }
    }
    return Termination::IterationLimit;
}

/// One update, from an extrapolated H if there is a predecessor. Rejected if the objective increased: the next update
/// is then without extrapolation, which cannot increase it.
void NonnegativeFactorization::update() {
    MultiVector<float> parts = parts_;
    MultiVector<float> weights = weights_;
    const double residual = residual_;
    const bool extrapolated = previous_.rows() > 0;
    if (extrapolated) {
        extrapolate();
    }
    try {
        const Sums sums = update_weights();
        update_parts(sums);
        measure(sums);
    } catch (const Interruption&) {
        parts_ = std::move(parts);
        weights_ = std::move(weights);
        throw;
    }
    if (extrapolated && residual_ > residual) {
        parts_ = std::move(parts);
        weights_ = std::move(weights);
        residual_ = residual;
        previous_ = MultiVector<float>();
        momentum_.shrink();
        return;
    }
    if (extrapolated) {
        momentum_.grow();
    }
    previous_ = std::move(parts);
    normalize();
}

/// H + momentum (H - its predecessor), with zeros for what would be negative.
void NonnegativeFactorization::extrapolate() {
    for (std::size_t i = 0; i < parts_.rows(); ++i) {
        float* row = parts_.row(i);
        const float* before = previous_.row(i);
        for (std::size_t k = 0; k < parts_.columns(); ++k) {
            const double step = double{row[k]} - double{before[k]};
            row[k] = static_cast<float>(std::max(0.0, double{row[k]} + momentum_.value * step));
        }
    }
}

void NonnegativeFactorization::Momentum::grow() {
    value = std::min(1.05 * value, bound);
    bound = std::min(1.01 * bound, 1.0);
}

void NonnegativeFactorization::Momentum::shrink() {
    bound = value;
    value /= 1.5;
}

NonnegativeFactorization::Sums NonnegativeFactorization::update_weights() {
    const DenseMatrix factor = to_dense(parts_);
    const std::size_t d = factor.columns;
    Sums total{DenseMatrix(factor.rows, d), DenseMatrix(d, d), gram(parts_, parts_, context_)};
    const std::size_t blocks = block_count(x_.count, factored_rows_in_block);
    for (std::size_t first = 0; first < blocks; first += blocks_in_round) {
        throw_if_cancelled(context_);
        std::vector<Sums> sums(std::min(blocks_in_round, blocks - first));
        parallel_tasks(context_, sums.size(), [&](std::size_t b) {
            sums[b].parts_gram = total.parts_gram;
            update_block(first + b, factor, sums[b]);
        });
        for (const Sums& part : sums) {
            add(part.products, total.products);
            add(part.weights_gram, total.weights_gram);
        }
    }
    return total;
}

void NonnegativeFactorization::update_block(std::size_t block, const DenseMatrix& factor, Sums& sums) {
    const RunContext alone = one_thread();
    const Range rows = block_range(block, x_.count, factored_rows_in_block);
    const MultiVector<float> points = aligned_rows(x_, static_cast<Index>(rows.begin), static_cast<Index>(rows.size()));
    const MultiVector<float> products = multiply(points, factor, alone);
    MultiVector<float> weights(points.rows(), parts_.columns());
    NonnegativeRow problem(sums.parts_gram);
    std::vector<double> right(factor.columns);
    std::vector<double> row(factor.columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(products.row(i), right.size(), right.begin());
        improve_row(problem, right, row, weights_.row(rows.begin + i));
        std::copy_n(weights_.row(rows.begin + i), row.size(), weights.row(i));
    }
    sums.products = gram(points, weights, alone);
    sums.weights_gram = gram(weights, weights, alone);
}

/// Rows of H^T by the same least squares, with W in the place of H.
void NonnegativeFactorization::update_parts(const Sums& sums) {
    parallel_blocks(context_, parts_.rows(), features_in_block, [&](Range features) {
        NonnegativeRow problem(sums.weights_gram);
        std::vector<double> right(parts_.columns());
        std::vector<double> row(parts_.columns());
        for (std::size_t i = features.begin; i < features.end; ++i) {
            for (std::size_t k = 0; k < right.size(); ++k) {
                right[k] = sums.products(i, k);
            }
            improve_row(problem, right, row, parts_.row(i));
        }
    });
}

void NonnegativeFactorization::measure(const Sums& sums) {
    const DenseMatrix parts_gram = gram(parts_, parts_, context_);
    double squares = squares_;
    for (std::size_t k = 0; k < parts_gram.values.size(); ++k) {
        squares += sums.weights_gram.values[k] * parts_gram.values[k];
    }
    for (std::size_t k = 0; k < sums.products.columns; ++k) {
        for (std::size_t i = 0; i < sums.products.rows; ++i) {
            squares -= 2.0 * sums.products(i, k) * double{parts_.row(i)[k]};
        }
    }
    residual_ = squares_ > 0.0 ? std::sqrt(std::max(0.0, squares) / squares_) : 0.0;
}

/// Scales rows of H to unit length and columns of W by the inverse: the product is unchanged, and neither factor
/// diverges.
void NonnegativeFactorization::normalize() {
    std::vector<double> lengths(parts_.columns());
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        for (std::size_t i = 0; i < parts_.rows(); ++i) {
            lengths[k] += double{parts_.row(i)[k]} * double{parts_.row(i)[k]};
        }
        lengths[k] = lengths[k] > 0.0 ? std::sqrt(lengths[k]) : 1.0;
    }
    const auto scale_rows = [&](MultiVector<float>& block, bool divide) {
        parallel_blocks(context_, block.rows(), factored_rows_in_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (std::size_t k = 0; k < lengths.size(); ++k) {
                    const double factor = divide ? 1.0 / lengths[k] : lengths[k];
                    block.row(i)[k] = static_cast<float>(double{block.row(i)[k]} * factor);
                }
            }
        });
    };
    scale_rows(parts_, true);
    scale_rows(weights_, false);
}

std::uint64_t NonnegativeFactorization::bytes(Index count, Index dimension, Index rank) {
    const std::uint64_t sums = std::uint64_t{dimension + rank} * rank * sizeof(double);
    const std::uint64_t block = MultiVector<float>::bytes(factored_rows_in_block, dimension) +
                                3 * MultiVector<float>::bytes(factored_rows_in_block, rank);
    const std::uint64_t at_once = std::min(blocks_in_round, block_count(count, factored_rows_in_block));
    return 2 * MultiVector<float>::bytes(count, rank) + 4 * MultiVector<float>::bytes(dimension, rank) +
           (at_once + 2) * sums + at_once * block;
}

double squared_distance_to_product(const PointsView& x, const PointsView& weights, const MultiVector<float>& parts,
                                   const RunContext& context) {
    DenseMatrix factor(parts.columns(), parts.rows());
    for (std::size_t k = 0; k < factor.rows; ++k) {
        for (std::size_t i = 0; i < factor.columns; ++i) {
            factor(k, i) = double{parts.row(i)[k]};
        }
    }
    return parallel_sum(context, x.count, factored_rows_in_block, [&](Range rows) {
        const auto first = static_cast<Index>(rows.begin);
        const auto count = static_cast<Index>(rows.size());
        const MultiVector<float> products = multiply(aligned_rows(weights, first, count), factor, one_thread());
        double sum = 0.0;
        for (Index i = 0; i < count; ++i) {
            const auto row = x[first + i];
            for (Index k = 0; k < x.dimension; ++k) {
                const double difference = double{row[k]} - double{products.row(i)[k]};
                sum += difference * difference;
            }
        }
        return sum;
    });
}

}  // namespace isogon
