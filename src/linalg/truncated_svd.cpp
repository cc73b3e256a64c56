#include "isogon/linalg/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/block_eigensolver.hpp"
#include "isogon/linalg/tall_products.hpp"

namespace isogon {

namespace {

// Where the D x D eigenproblem (some 10 D^3 operations) begins to cost more than products with X.
constexpr Index largest_explicit_dimension = 1536;
constexpr std::size_t rows_in_block = 512;

std::vector<double> mean_of(const PointsView& x) {
    std::vector<double> mean(x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        const auto row = x[i];
        for (Index k = 0; k < x.dimension; ++k) {
            mean[k] += double{row[k]};
        }
    }
    for (double& value : mean) {
        value /= x.count;
    }
    return mean;
}

/// Some points as a block, centred.
BlockVectors load_block(const PointsView& x, const std::vector<double>& center, Range rows) {
    BlockVectors block(static_cast<Index>(rows.size()), x.dimension);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto source = x[static_cast<Index>(rows.begin + i)];
        for (Index k = 0; k < x.dimension; ++k) {
            block.row(i)[k] = center.empty() ? source[k] : static_cast<float>(double{source[k]} - center[k]);
        }
    }
    return block;
}

BlockVectors to_block(const DenseMatrix& matrix) {
    BlockVectors block(static_cast<Index>(matrix.rows), static_cast<Index>(matrix.columns));
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            block.row(i)[j] = static_cast<float>(matrix(i, j));
        }
    }
    return block;
}

DenseMatrix to_dense(const BlockVectors& block, std::size_t columns) {
    DenseMatrix matrix(block.rows(), columns);
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            matrix(i, j) = double{block.row(i)[j]};
        }
    }
    return matrix;
}

/// v -> X^T (X v), one block of points after the other.
class GramOperator : public LinearOperator {
public:
    using BlockLoader = std::function<BlockVectors(Range rows)>;

    GramOperator(Index count, Index dimension, BlockLoader load)
        : count_(count), dimension_(dimension), load_(std::move(load)) {}
    [[nodiscard]] Index size() const override { return dimension_; }

    void apply(const BlockVectors& in, BlockVectors& out, const RunContext& context) const override {
        const DenseMatrix factor = to_dense(in, in.columns());
        DenseMatrix sum(dimension_, in.columns());
        for (std::size_t b = 0; b < block_count(count_, rows_in_block); ++b) {
            stop_if_asked(context);
            const BlockVectors rows = load_(block_range(b, count_, rows_in_block));
            const DenseMatrix part = gram(rows, multiply(rows, factor, context), context);
            for (std::size_t k = 0; k < sum.values.size(); ++k) {
                sum.values[k] += part.values[k];
            }
        }
        out = to_block(sum);
    }

private:
    Index count_;
    Index dimension_;
    BlockLoader load_;
};

double sum_of_squares(const PointsView& x, const std::vector<double>& center, Range rows) {
    double sum = 0.0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const auto row = x[static_cast<Index>(i)];
        for (Index k = 0; k < x.dimension; ++k) {
            const double value = double{row[k]} - (center.empty() ? 0.0 : center[k]);
            sum += value * value;
        }
    }
    return sum;
}

double sum_of_squares(const PointsView& x, const std::vector<double>& center, const RunContext& context) {
    return parallel_sum(context, x.count, rows_in_block, [&](Range rows) { return sum_of_squares(x, center, rows); });
}

/// Block by block as above, each of them by every rank as it passes by.
double sum_of_squares(const DividedPoints& x) {
    double sum = 0.0;
    for (std::size_t b = 0; b < block_count(x.count(), rows_in_block); ++b) {
        const Points some = x.some(block_range(b, x.count(), rows_in_block));
        sum += sum_of_squares(some.view(), {}, Range{0, some.count()});
    }
    return sum;
}

/// Keeps the first `rank` columns, each with its component of largest magnitude positive.
void take_directions(const DenseMatrix& vectors, const std::vector<double>& values, Index rank, TruncatedSvd& svd) {
    svd.directions = DenseMatrix(vectors.rows, rank);
    for (std::size_t j = 0; j < rank; ++j) {
        svd.singular_values.push_back(std::sqrt(std::max(0.0, values[j])));
        double largest = 0.0;
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            largest = std::abs(vectors(i, j)) > std::abs(largest) ? vectors(i, j) : largest;
        }
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            svd.directions(i, j) = largest < 0.0 ? -vectors(i, j) : vectors(i, j);
        }
    }
}

TruncatedSvd by_products(const GramOperator& matrix, Index rank, TruncatedSvd svd, const RunContext& context) {
    BlockEigenOptions options;
    options.rank = rank;
    options.order = SpectrumOrder::Largest;
    const BlockEigenpairs pairs = block_eigensolve(matrix, options, nullptr, context);
    take_directions(to_dense(pairs.vectors, rank), pairs.values, rank, svd);
    return svd;
}

void require_rank(Index rank, Index dimension) {
    if (rank < 1 || rank > dimension) {
        throw InvalidArgument(
            "dimension", std::to_string(rank),
            "must be at least 1 and at most " + std::to_string(dimension) + ", the dimension of the input");
    }
}

double sum_of_squares(Index count, Index dimension, const RowLoader& load, const RunContext& context) {
    return parallel_sum(context, count, rows_in_block, [&](Range rows) {
        std::vector<float> row(dimension);
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            load(static_cast<Index>(i), row);
            for (const float value : row) {
                sum += double{value} * double{value};
            }
        }
        return sum;
    });
}

}  // namespace

TruncatedSvd truncated_svd(Index count, Index dimension, const RowLoader& load, Index rank, const RunContext& context) {
    require_rank(rank, dimension);
    if (dimension > largest_explicit_dimension) {
        Points rows(count, dimension);
        parallel_blocks(context, count, rows_in_block, [&](Range range) {
            for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
                load(i, rows[i]);
            }
        });
        return truncated_svd(rows.view(), rank, false, context);
    }
    TruncatedSvd svd;
    svd.total_squares = sum_of_squares(count, dimension, load, context);
    const SmallEigen eigen = symmetric_eigen(gram_of_rows(count, dimension, load, context), SpectrumOrder::Largest);
    take_directions(eigen.vectors, eigen.values, rank, svd);
    return svd;
}

TruncatedSvd truncated_svd(const PointsView& x, Index rank, bool centered, const RunContext& context) {
    require_rank(rank, x.dimension);
    TruncatedSvd svd;
    if (centered) {
        svd.center = mean_of(x);
    }
    svd.total_squares = sum_of_squares(x, svd.center, context);
    if (x.dimension <= largest_explicit_dimension) {
        const SmallEigen eigen = symmetric_eigen(gram_of_points(x, svd.center, context), SpectrumOrder::Largest);
        take_directions(eigen.vectors, eigen.values, rank, svd);
        return svd;
    }
    const GramOperator matrix(x.count, x.dimension, [&](Range rows) { return load_block(x, svd.center, rows); });
    return by_products(matrix, rank, svd, context);
}

TruncatedSvd truncated_svd(const DividedPoints& x, Index rank, const RunContext& context) {
    if (!x.divided()) {
        return truncated_svd(x.here(), rank, false, context);
    }
    require_rank(rank, x.dimension());
    TruncatedSvd svd;
    svd.total_squares = sum_of_squares(x);
    if (x.dimension() <= largest_explicit_dimension) {
        const SmallEigen eigen = symmetric_eigen(gram_of_points(x, context), SpectrumOrder::Largest);
        take_directions(eigen.vectors, eigen.values, rank, svd);
        return svd;
    }
    const GramOperator matrix(x.count(), x.dimension(), [&](Range rows) {
        const Points some = x.some(rows);
        return load_block(some.view(), {}, {0, some.count()});
    });
    return by_products(matrix, rank, svd, context);
}

std::uint64_t truncated_svd_bytes(Index dimension, Index rank) {
    constexpr std::uint64_t matrices = 6;  // of D x D in float64: the product, its eigenvectors, the solver's own
    constexpr std::uint64_t blocks = 8;    // of the block eigensolver, and the sums of its operator, twice as wide
    const std::uint64_t d = dimension;
    return d <= largest_explicit_dimension ? matrices * d * d * sizeof(double)
                                           : blocks * d * (rank + BlockEigenOptions().guard) * sizeof(double);
}

Points project(const PointsView& x, const TruncatedSvd& svd, const RunContext& context) {
    const auto rank = static_cast<Index>(svd.directions.columns);
    Points result(x.count, rank);
    parallel_blocks(context, x.count, rows_in_block, [&](Range rows) {
        RunContext alone;
        alone.threads = 1;
        const BlockVectors part = multiply(load_block(x, svd.center, rows), svd.directions, alone);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::copy_n(part.row(i), rank, result[static_cast<Index>(rows.begin + i)].data());
        }
    });
    return result;
}

Points project(const DividedPoints& x, const TruncatedSvd& svd, const RunContext& context) {
    Points own = project(x.here(), svd, context);
    if (!x.divided()) {
        return own;
    }
    Points all(x.count(), own.dimension());
    std::copy(own.values().begin(), own.values().end(),
              all.values().begin() + static_cast<std::ptrdiff_t>(x.own().begin * own.dimension()));
    x.gather(std::as_writable_bytes(all.values()));
    return all;
}

}  // namespace isogon
