#include "linalg/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "linalg/block_lanczos.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/sparse_algebra.hpp"
#include "linalg/streamed_matrix.hpp"

namespace isogon {

namespace {

std::vector<double> mean_of(const PointsView& x, const RunContext& context) {
    constexpr std::size_t rows_in_block = 4096;
    std::vector<std::vector<double>> sums(block_count(x.count, rows_in_block));
    parallel_tasks(context, sums.size(), [&](std::size_t b) {
        sums[b].resize(x.dimension);
        const Range rows = block_range(b, x.count, rows_in_block);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = x[static_cast<Index>(i)];
            for (Index k = 0; k < x.dimension; ++k) {
                sums[b][k] += double{row[k]};
            }
        }
    });
    std::vector<double> mean(x.dimension);
    for (const auto& sum : sums) {
        std::transform(sum.begin(), sum.end(), mean.begin(), mean.begin(), std::plus<>());
    }
    for (double& value : mean) {
        value /= x.count;
    }
    return mean;
}

/// Each block by itself, in their order.
double sum_of_squares(const StreamedMatrix& rows, const RunContext& context) {
    constexpr std::size_t rows_in_block = 2048;
    constexpr std::size_t rows_in_part = 64;
    double sum = 0.0;
    for (std::size_t b = 0; b < block_count(rows.count, rows_in_block); ++b) {
        throw_if_cancelled(context);
        const Range block = block_range(b, rows.count, rows_in_block);
        if (rows.fetch) {
            rows.fetch(block);
        }
        sum += parallel_sum(context, block.size(), rows_in_part, [&](Range part) {
            std::vector<double> values(part.size() * rows.width);
            rows.load({block.begin + part.begin, block.begin + part.end}, values.data());
            return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
        });
    }
    return sum;
}

/// Each column with its component of largest magnitude positive. Components far below rounding are 0: projections on
/// them would leave float32's normal numbers in some units of length and not in others.
DenseMatrix with_signs(const MultiVector<double>& vectors) {
    constexpr double below_rounding = 0x1p-100;
    DenseMatrix directions(vectors.rows(), vectors.columns());
    for (std::size_t j = 0; j < vectors.columns(); ++j) {
        double largest = 0.0;
        for (std::size_t i = 0; i < vectors.rows(); ++i) {
            largest = std::abs(vectors.at(i, j)) > std::abs(largest) ? vectors.at(i, j) : largest;
        }
        for (std::size_t i = 0; i < vectors.rows(); ++i) {
            const double value = std::abs(vectors.at(i, j)) < below_rounding ? 0.0 : vectors.at(i, j);
            directions(i, j) = largest < 0.0 ? -value : value;
        }
    }
    return directions;
}

void take_directions(const SingularDirections& found, TruncatedSvd& svd) {
    svd.directions = with_signs(found.vectors);
    svd.residuals = found.residuals;
    for (const double square : found.squares) {
        svd.singular_values.push_back(std::sqrt(std::max(0.0, square)));
    }
}

void solve(SvdData& data, Index rank, TruncatedSvd& svd, const RunContext& context) {
    svd.total_squares = sum_of_squares(data.rows, context);
    take_directions(singular_directions(data, rank, context), svd);
}

void require_rank(Index rank, Index dimension) {
    if (rank < 1 || rank > dimension) {
        throw InvalidArgument(
            "dimension", std::to_string(rank),
            "must be at least 1 and at most " + std::to_string(dimension) + ", the dimension of the input");
    }
}

Points made_points(Index count, Index dimension, const RowLoader& load, const RunContext& context) {
    Points rows(count, dimension);
    parallel_blocks(context, count, 64, [&](Range range) {
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            load(i, rows[i]);
        }
    });
    return rows;
}

MultiVector<double> as_column(std::vector<double> values) {
    const auto rows = static_cast<Index>(values.size());
    return {rows, 1, std::move(values)};
}

/// (X - 1 center^T) V
MultiVector<double> images_of(const CsrMatrix<double>& x, const MultiVector<double>& v,
                              const std::vector<double>& center, const RunContext& context) {
    MultiVector<double> y(x.rows, v.columns());
    multiply(x, v, y, context);
    if (!center.empty()) {
        const DenseMatrix shift = gram(as_column(center), v, context);
        subtract_product(as_column(std::vector<double>(x.rows, 1.0)), shift, y, context);
    }
    return y;
}

/// (X - 1 center^T)^T Y, by the transpose of X.
MultiVector<double> transposed_images_of(const CsrMatrix<double>& columns, const MultiVector<double>& y,
                                         const std::vector<double>& center, const RunContext& context) {
    MultiVector<double> v(columns.rows, y.columns());
    multiply(columns, y, v, context);
    if (!center.empty()) {
        const DenseMatrix sums = gram(as_column(std::vector<double>(columns.columns, 1.0)), y, context);
        subtract_product(as_column(center), sums, v, context);
    }
    return v;
}

/// From X^T U of left singular vectors U: orthonormal right ones, and any others beyond the rank of X.
SingularDirections right_directions(const MultiVector<double>& images, std::vector<double> squares, Index rank,
                                    const RunContext& context) {
    SingularDirections right{filled_up({}, images, rank, context), std::move(squares), {}};
    right.squares.resize(rank);
    return right;
}

/// |X^T X v - s^2 v| / s^2 for each direction, where `products` are X^T X v; 0 where s is.
std::vector<double> residuals_of(MultiVector<double>& products, const SingularDirections& found,
                                 const RunContext& context) {
    for (std::size_t i = 0; i < products.rows(); ++i) {
        for (std::size_t k = 0; k < found.squares.size(); ++k) {
            products.at(i, k) -= found.squares[k] * found.vectors.at(i, k);
        }
    }
    std::vector<double> residuals = column_norms(products, context);
    for (std::size_t k = 0; k < residuals.size(); ++k) {
        residuals[k] = found.squares[k] > 0.0 ? residuals[k] / found.squares[k] : 0.0;
    }
    return residuals;
}

/// The mean of the rows, by the columns.
std::vector<double> mean_of_columns(const CsrMatrix<double>& transposed, const RunContext& context) {
    constexpr std::size_t columns_in_block = 256;
    std::vector<double> mean(transposed.rows);
    parallel_blocks(context, mean.size(), columns_in_block, [&](Range columns) {
        for (auto c = static_cast<Index>(columns.begin); c < columns.end; ++c) {
            const auto values = transposed.row_values(c);
            mean[c] = std::accumulate(values.begin(), values.end(), 0.0) / transposed.columns;
        }
    });
    return mean;
}

/// |X - 1 center^T|_F^2: the entries, and the zeros of each column.
double sum_of_squares(const CsrMatrix<double>& transposed, std::span<const double> center) {
    double sum = 0.0;
    for (Index c = 0; c < transposed.rows; ++c) {
        const double mean = center.empty() ? 0.0 : center[c];
        const auto values = transposed.row_values(c);
        for (const double value : values) {
            sum += (value - mean) * (value - mean);
        }
        sum += mean * mean * static_cast<double>(transposed.columns - values.size());
    }
    return sum;
}

}  // namespace

std::size_t TruncatedSvd::unresolved() const {
    return static_cast<std::size_t>(
        std::count_if(residuals.begin(), residuals.end(), [](double value) { return !(value <= tolerance); }));
}

TruncatedSvd truncated_svd(Index count, Index dimension, const RowLoader& load, Index rank, const RunContext& context) {
    require_rank(rank, dimension);
    if (dimension > largest_dense_gram || count < dimension) {
        const Points rows = made_points(count, dimension, load, context);
        return truncated_svd(rows.view(), rank, false, context);
    }
    TruncatedSvd svd;
    SvdData data{rows_of(count, dimension, load), {}, {}};
    solve(data, rank, svd, context);
    return svd;
}

TruncatedSvd truncated_svd(const PointsView& x, Index rank, bool centered, const RunContext& context) {
    require_rank(rank, x.dimension);
    TruncatedSvd svd;
    if (centered) {
        svd.center = mean_of(x, context);
    }
    SvdData data{rows_of(x, svd.center), [&] { return x; }, svd.center};
    solve(data, rank, svd, context);
    return svd;
}

TruncatedSvd truncated_svd(const DistributedPoints& x, Index rank, const RunContext& context) {
    if (!x.is_distributed()) {
        return truncated_svd(x.local(), rank, false, context);
    }
    require_rank(rank, x.dimension());
    TruncatedSvd svd;
    Points all;
    const auto whole = [&] {
        if (all.empty()) {
            all = x.gather_range({0, x.count()});
        }
        return all.view();
    };
    SvdData data{rows_of(x), whole, {}};
    solve(data, rank, svd, context);
    return svd;
}

TruncatedSvd truncated_svd(const CsrMatrix<double>& x, Index rank, bool centered, const RunContext& context) {
    require_rank(rank, x.columns);
    // Many directions of counts lie close together and never settle, and what they keep soon does: bench/sparse.
    constexpr int most_products_of_many = 60;
    constexpr double least_gain_of_many = 1e-3;
    const CsrMatrix<double> columns = transpose(x, context);
    TruncatedSvd svd;
    if (centered) {
        svd.center = mean_of_columns(columns, context);
    }
    svd.total_squares = sum_of_squares(columns, svd.center);
    const auto times = [&](const MultiVector<double>& v) { return images_of(x, v, svd.center, context); };
    const auto transposed_times = [&](const MultiVector<double>& y) {
        return transposed_images_of(columns, y, svd.center, context);
    };
    // The smaller side: vectors of fewer numbers are made orthonormal.
    const bool by_rows = x.rows < x.columns;
    const Index size = by_rows ? x.rows : x.columns;
    SvdData data{.rows = {by_rows ? x.columns : x.rows, size}, .whole = {}, .center = {}};
    if (size > largest_dense_gram) {
        data.most_products = most_products_of_many;
        data.least_gain = least_gain_of_many;
    }
    data.product = [&](const MultiVector<double>& v, DenseMatrix* squares) {
        const MultiVector<double> y = by_rows ? transposed_times(v) : times(v);
        if (squares != nullptr) {
            *squares = gram(y, y, context);
        }
        return by_rows ? times(y) : transposed_times(y);
    };
    SingularDirections found = singular_directions(data, std::min(rank, size), context);
    if (by_rows) {
        found = right_directions(transposed_times(found.vectors), found.squares, rank, context);
        MultiVector<double> outside = transposed_times(times(found.vectors));
        found.residuals = residuals_of(outside, found, context);
    }
    take_directions(found, svd);
    return svd;
}

std::uint64_t sparse_svd_bytes(const CsrMatrix<double>& x, Index rank) {
    const std::uint64_t smaller = std::min(x.rows, x.columns);
    const std::uint64_t block = std::max<std::uint64_t>(48, rank);  // of a product, and of the images at the end
    return x.bytes() + (4ULL * x.columns * rank + lanczos_vectors(rank) * smaller) * sizeof(double) +
           block * (x.rows + 2ULL * x.columns) * sizeof(double);
}

std::uint64_t truncated_svd_bytes(Index count, Index dimension, Index rank) {
    const std::uint64_t d = dimension;
    const std::uint64_t smaller = std::min(count, dimension);
    const std::uint64_t found =
        4 * d * rank * sizeof(double);  // directions, with a copy of each form they pass through
    const std::uint64_t rows = streamed_matrix_bytes(count, dimension, rank);
    if (smaller > largest_dense_gram) {
        return found + lanczos_vectors(rank) * d * sizeof(double) + rows;
    }
    const std::uint64_t square = smaller * smaller * sizeof(double);
    const std::uint64_t reduction = 2 * square + 4 * std::uint64_t{rank} * smaller * sizeof(double);
    const bool by_points = count < dimension;
    const std::uint64_t product = square + (by_points ? streamed_matrix_bytes(dimension, count, rank) : rows);
    return found + std::max({reduction, product, by_points ? rows : 0});
}

Points project(const PointsView& x, const TruncatedSvd& svd, const RunContext& context) {
    Points result(x.count, static_cast<Index>(svd.directions.columns));
    visit_product(
        rows_of(x, svd.center), to_multi_vector(svd.directions),
        [&](Index row, const double* y) {
            for (float& value : result[row]) {
                value = static_cast<float>(*y++);
            }
        },
        context);
    return result;
}

Points project(const CsrMatrix<double>& x, const TruncatedSvd& svd, const RunContext& context) {
    return to_points(images_of(x, to_multi_vector(svd.directions), svd.center, context));
}

Points project(const DistributedPoints& x, const TruncatedSvd& svd, const RunContext& context) {
    if (!x.is_distributed()) {
        return project(x.local(), svd, context);
    }
    throw_if_cancelled(context);
    // Without agree_on_stop: ranks have different numbers of blocks, so there must be no collective call within.
    const RunContext alone{.threads = context.threads};
    const Points own = project(x.local(), svd, alone);
    Points all(x.count(), own.dimension());
    std::copy(own.values().begin(), own.values().end(),
              all.values().begin() + static_cast<std::ptrdiff_t>(x.local_range().begin * own.dimension()));
    x.all_gather(std::as_writable_bytes(all.values()));
    return all;
}

}  // namespace isogon
