#include "spectral/dense_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

/// Powers of values far from 1 leave float32: the power of two, even so that its power has a root, that values are
/// divided by before. 1 where the largest power is not far from 1.
double base_unit(double largest, int degree) {
    constexpr int most = 64;
    if (!(largest > 0.0 && std::isfinite(largest))) {
        return 1.0;
    }
    const int exponent = std::ilogb(largest);
    return std::abs(exponent) * degree <= most ? 1.0 : std::ldexp(1.0, exponent / 2 * 2);
}

double square(std::span<const float> x) {
    double sum = 0.0;
    for (const float value : x) {
        sum += double{value} * double{value};
    }
    return sum;
}

std::vector<double> mean_of(const PointsView& points) {
    std::vector<double> mean(points.dimension, 0.0);
    for (Index i = 0; i < points.count; ++i) {
        for (Index k = 0; k < points.dimension; ++k) {
            mean[k] += double{points[i][k]};
        }
    }
    for (double& value : mean) {
        value /= std::max<Index>(points.count, 1);
    }
    return mean;
}

std::vector<float> about_mean(const PointsView& points) {
    const std::vector<double> mean = mean_of(points);
    std::vector<float> centred;
    centred.reserve(std::size_t{points.count} * points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        std::transform(points[i].begin(), points[i].end(), mean.begin(), std::back_inserter(centred),
                       [](float value, double middle) { return static_cast<float>(double{value} - middle); });
    }
    return centred;
}

}  // namespace

void require_kernel_table(const PointsView& values) {
    constexpr double most_apart = 1e-5;  // share of |x||y|: tables come from sums in different orders
    const auto place = [](Index i, Index j) { return "row " + std::to_string(i) + ", column " + std::to_string(j); };
    if (values.count != values.dimension) {
        throw InputError("input", "",
                         std::to_string(values.count) + " x " + std::to_string(values.dimension) +
                             ": a table of kernel values has as many columns as rows");
    }
    require_finite(values, "input");
    for (Index i = 0; i < values.count; ++i) {
        if (values[i][i] < 0.0F) {
            throw InputError("input", place(i, i),
                             "the kernel of a point with itself is " + std::to_string(values[i][i]) + ", below 0");
        }
        for (Index j = 0; j < i; ++j) {
            const double here = values[i][j];
            const double back = values[j][i];
            const double lengths = std::sqrt(double{values[i][i]} * double{values[j][j]});
            if (std::abs(here - back) > most_apart * std::max({std::abs(here), std::abs(back), lengths})) {
                throw InputError("input", place(i, j),
                                 "the kernel is " + std::to_string(here) + ", the other way " + std::to_string(back) +
                                     "; a table of kernel values must be symmetric");
            }
        }
    }
}

PointKernel::PointKernel(const PointsView& points, const KernelShape& shape, const RunContext& context)
    : shape_(shape),
      centred_(shape.kind == KernelKind::Gaussian ? about_mean(points) : std::vector<float>()),
      points_(centred_.empty() ? points : PointsView(centred_.data(), points.count, points.dimension)),
      packed_(pack(points_, {}, {}, context)),
      squares_(points.count) {
    if (shape.kind == KernelKind::Precomputed) {
        throw InvalidArgument("kernel", "precomputed", "is none between points; give its values themselves");
    }
    for (Index i = 0; i < points.count; ++i) {
        squares_[i] = square(points_[i]);
    }
    if (shape.kind == KernelKind::Polynomial && points.count > 0) {
        base_unit_ = base_unit(shape.scale * *std::ranges::max_element(squares_) + 1.0, shape.degree);
        unit_ = elementary::integer_power(base_unit_, shape.degree);
    }
}

double PointKernel::value(double product, double left, double right) const {
    switch (shape_.kind) {
        case KernelKind::Linear: return product;
        case KernelKind::Cosine: return left > 0.0 && right > 0.0 ? product / std::sqrt(left * right) : 0.0;
        case KernelKind::Polynomial:
            return elementary::integer_power((shape_.scale * product + 1.0) / base_unit_, shape_.degree);
        case KernelKind::Precomputed:
        case KernelKind::Gaussian: break;
    }
    // A width whose square vanishes tells all points apart that differ.
    const double width = std::max(shape_.sigma * shape_.sigma, std::numeric_limits<double>::min());
    return elementary::exp(-std::max(0.0, left + right - 2.0 * product) / width);
}

void PointKernel::rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const {
    const Points chosen = read_rows(ViewRows(points_), sources);
    const PackedPoints left = pack(chosen.view(), {}, {}, context);
    const std::size_t size = points_.count;
    parallel_tasks(context, packed_.panels(), [&](std::size_t task) {
        const auto q = static_cast<Index>(task);
        alignas(64) std::array<float, panel_width * panel_width> tile;  // NOLINT(*-member-init): filled before each use
        const std::size_t columns = std::min(panel_width, size - q * panel_width);
        for (Index p = 0; p < left.panels(); ++p) {
            multiply_panels(left.panel(p), packed_.panel(q), left.depth(), tile.data(), panel_width);
            const std::size_t count = std::min(panel_width, sources.size() - p * panel_width);
            for (std::size_t r = 0; r < count; ++r) {
                const Index i = sources[p * panel_width + r];
                double* row = values.data() + (p * panel_width + r) * size + q * panel_width;
                for (std::size_t c = 0; c < columns; ++c) {
                    const std::size_t j = q * panel_width + c;
                    const double product = i == j ? squares_[i] : double{tile[r * panel_width + c]};
                    row[c] = value(product, squares_[i], squares_[j]);
                }
            }
        }
    });
}

double PointKernel::largest_value() const {
    const auto largest = std::max_element(squares_.begin(), squares_.end());
    return largest == squares_.end() ? 0.0 : value(*largest, *largest, *largest) * unit_;
}

double mean_square(const PointsView& points) {
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        sum += square(points[i]);
    }
    return points.count == 0 ? 0.0 : sum / points.count;
}

double mean_distance(const PointsView& points) {
    const std::vector<double> mean = mean_of(points);
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        for (Index k = 0; k < points.dimension; ++k) {
            const double difference = double{points[i][k]} - mean[k];  // squares of points less theirs would cancel
            sum += difference * difference;
        }
    }
    return points.count == 0 ? 0.0 : std::sqrt(2.0 * sum / points.count);
}

namespace {

/// Rows that are in float64 at a time, some 32 MB.
Index rows_at_a_time(Index size) {
    constexpr std::size_t numbers = 1 << 22;
    return static_cast<Index>(std::clamp<std::size_t>(numbers / size, 1, size));
}

std::uint64_t block_bytes(Index size) {
    return std::uint64_t{rows_at_a_time(size)} * size * sizeof(double);
}

template <class Visit>
void for_each_row_block(Index size, const KernelRows& rows, const RunContext& context, const Visit& visit) {
    const Index block = rows_at_a_time(size);
    const RunContext rest = beside(context, block_bytes(size));
    std::vector<double> values(std::size_t{block} * size);
    for (Index first = 0; first < size; first += block) {
        throw_if_cancelled(context);
        const Range some{first, std::min<std::size_t>(std::size_t{first} + block, size)};
        const std::span<double> part(values.data(), some.size() * size);
        rows(first, part, rest);
        visit(some, part);
        context.report({"kernel", some.end, size, 0.0});
    }
}

/// All entries stored.
CsrMatrix<double> to_sparse(const DenseMatrix& matrix) {
    CsrMatrix<double> result{.rows = static_cast<Index>(matrix.rows), .columns = static_cast<Index>(matrix.columns)};
    result.indices.reserve(matrix.values.size());
    result.values.reserve(matrix.values.size());
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            result.indices.push_back(static_cast<Index>(j));
            result.values.push_back(matrix(i, j));
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

/// The means of a sparse matrix's columns.
std::vector<double> column_means(const CsrMatrix<double>& z) {
    std::vector<double> means(z.columns, 0.0);
    for (std::size_t k = 0; k < z.values.size(); ++k) {
        means[z.indices[k]] += z.values[k];
    }
    for (double& mean : means) {
        mean /= z.rows;
    }
    return means;
}

/// Z with a column of ones as its last.
CsrMatrix<double> with_ones(const CsrMatrix<double>& z) {
    CsrMatrix<double> result{.rows = z.rows, .columns = z.columns + 1};
    result.indices.reserve(z.entries() + z.rows);
    result.values.reserve(z.entries() + z.rows);
    for (Index i = 0; i < z.rows; ++i) {
        result.indices.insert(result.indices.end(), z.row_indices(i).begin(), z.row_indices(i).end());
        result.values.insert(result.values.end(), z.row_values(i).begin(), z.row_values(i).end());
        result.indices.push_back(z.columns);
        result.values.push_back(1.0);
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

/// Z^T J K J Z from [Z 1]^T K [Z 1] and the means m of Z's columns: exactly symmetric, all entries stored.
CsrMatrix<double> centred_reduction(const DenseMatrix& sums, const std::vector<double>& means) {
    const std::size_t size = means.size();
    DenseMatrix result(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            const double entry = (sums(i, j) + sums(j, i)) / 2.0;
            const double along = (sums(i, size) + sums(size, i)) / 2.0;
            const double across = (sums(j, size) + sums(size, j)) / 2.0;
            result(i, j) = entry - (along * means[j] + means[i] * across) + sums(size, size) * means[i] * means[j];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            result(j, i) = result(i, j);
        }
    }
    return to_sparse(result);
}

/// out += row Z, for one row of n numbers.
void mix_row(std::span<const double> row, const CsrMatrix<double>& z, std::span<double> out) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        for (Offset k = z.offsets[i]; k < z.offsets[i + 1]; ++k) {
            out[z.indices[k]] += row[i] * z.values[k];
        }
    }
}

/// out += sum over some points i of Z's entry (i, l) times the row of `mixed` that is theirs, for Z^T = `turned`.
void add_mixed_rows(const CsrMatrix<double>& turned, Index l, Range some, const std::vector<double>& mixed,
                    std::span<double> out) {
    const auto points = turned.row_indices(l);
    const auto begin = std::lower_bound(points.begin(), points.end(), some.begin);
    for (auto point = begin; point != points.end() && *point < some.end; ++point) {
        const double weight = turned.row_values(l)[point - points.begin()];
        const double* row = mixed.data() + (*point - some.begin) * out.size();
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] += weight * row[j];
        }
    }
}

/// M M^T for the rows of M.
DenseMatrix cross_product_of_rows(const MultiVector<double>& m, const RunContext& context) {
    DenseMatrix result(m.rows(), m.rows());
    constexpr std::size_t rows_in_block = 16;
    parallel_blocks(context, m.rows(), rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t j = 0; j < m.rows(); ++j) {
                // The smaller index comes first, so that both halves agree to the bit.
                const double* x = m.row(std::min(i, j));
                const double* y = m.row(std::max(i, j));
                double sum = 0.0;
                for (std::size_t k = 0; k < m.columns(); ++k) {
                    sum += x[k] * y[k];
                }
                result(i, j) = sum;
            }
        }
    });
    return result;
}

/// Z^T K Z by rows of K: sum over i of z_i (K_i Z). States Z, too, which is made for this.
DenseMatrix reduce(Index size, const KernelRows& rows, const CsrMatrix<double>& z, const RunContext& context) {
    const std::size_t landmarks = z.columns;
    const std::uint64_t mixed_bytes = std::uint64_t{rows_at_a_time(size)} * landmarks * sizeof(double);
    const std::uint64_t sum_bytes = std::uint64_t{landmarks} * landmarks * sizeof(double);
    require_memory(context,
                   {{"rows of the kernel", block_bytes(size)},
                    {"the same by landmarks", mixed_bytes},
                    {"the kernel among landmarks", sum_bytes},
                    {"weights of landmarks, twice", 2 * z.bytes()}},
                   "raise the limit, or take fewer landmarks");
    const RunContext rest = beside(context, mixed_bytes + sum_bytes + 2 * z.bytes());
    const CsrMatrix<double> turned = transpose(z);
    DenseMatrix sums(landmarks, landmarks);  // symmetric: rows are columns
    std::vector<double> mixed;
    for_each_row_block(size, rows, rest, [&](Range some, std::span<const double> values) {
        mixed.assign(some.size() * landmarks, 0.0);
        parallel_blocks(context, some.size(), 1, [&](Range range) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                mix_row(values.subspan(i * size, size), z, std::span(mixed).subspan(i * landmarks, landmarks));
            }
        });
        constexpr std::size_t landmarks_in_block = 16;
        parallel_blocks(context, landmarks, landmarks_in_block, [&](Range range) {
            for (std::size_t l = range.begin; l < range.end; ++l) {
                add_mixed_rows(turned, static_cast<Index>(l), some, mixed,
                               std::span(sums.values).subspan(l * landmarks, landmarks));
            }
        });
    });
    return sums;
}

class CentredKernel : public SpectralMatrix {
public:
    CentredKernel(Index size, KernelRows rows, std::unique_ptr<const KernelMatrix> matrix)
        : size_(size), rows_(std::move(rows)), matrix_(std::move(matrix)) {}

    [[nodiscard]] Index size() const override { return size_; }

    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override {
        MultiVector<double> centred = in;
        remove_means(centred);
        matrix_->apply(centred, out, context);
        remove_means(out);
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        // J Z takes from every column of Z its mean: Z^T J K J Z = Z^T K Z - s m^T - m s^T + t m m^T, where m are the
        // means of Z's columns, s = Z^T K 1 and t = 1^T K 1; all from K reduced by Z with a column of ones beside it.
        const DenseMatrix sums = reduce(size_, rows_, with_ones(z), context);
        return centred_reduction(sums, column_means(z));
    }

private:
    Index size_;
    KernelRows rows_;
    std::unique_ptr<const KernelMatrix> matrix_;
};

/// J X X^T J by products with X.
class CentredGram : public SpectralMatrix {
public:
    CentredGram(const PointsView& points, bool directions) : points_(points.count, points.dimension) {
        for (Index i = 0; i < points.count; ++i) {
            const double length = square(points[i]);
            const double factor = !directions ? 1.0 : length > 0.0 ? 1.0 / std::sqrt(length) : 0.0;
            std::transform(points[i].begin(), points[i].end(), points_.row(i),
                           [&](float value) { return factor * double{value}; });
        }
        remove_means(points_);
    }

    [[nodiscard]] Index size() const override { return points_.rows(); }

    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override {
        out = multiply(points_, gram(points_, in, context), context);
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        require_memory(context,
                       {{"weights of points by landmark", z.bytes()},
                        {"points by landmark", MultiVector<double>::bytes(z.columns, points_.columns())}},
                       "raise the limit or take fewer landmarks");
        MultiVector<double> mixed(z.columns, points_.columns());
        multiply(transpose(z), points_, mixed, context);
        return to_sparse(cross_product_of_rows(mixed, context));
    }

private:
    MultiVector<double> points_;
};

}  // namespace

KernelMatrix::KernelMatrix(Index size, const KernelRows& rows, const RunContext& context) : lower_(size) {
    for_each_row_block(size, rows, context, [&](Range some, std::span<const double> values) {
        parallel_blocks(context, some.size(), 1, [&](Range range) {
            for (std::size_t r = range.begin; r < range.end; ++r) {
                const auto i = static_cast<Index>(some.begin + r);
                for (Index j = 0; j <= i; ++j) {
                    lower_.at(i, j) = static_cast<float>(values[r * size + j]);
                }
            }
        });
    });
}

void KernelMatrix::apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const {
    multiply_symmetric(lower_, in, out, context);
}

std::uint64_t KernelMatrix::bytes(Index size) {
    return PanelMatrix::bytes(size);
}

std::unique_ptr<const SpectralMatrix> centred_kernel(Index size, KernelRows rows, const RunContext& context) {
    require_memory(context, {{"the kernel of all pairs", KernelMatrix::bytes(size)}, {"rows of it", block_bytes(size)}},
                   "use landmarks, or raise the limit");
    auto matrix = std::make_unique<const KernelMatrix>(size, rows, beside(context, KernelMatrix::bytes(size)));
    return std::make_unique<CentredKernel>(size, std::move(rows), std::move(matrix));
}

std::unique_ptr<const SpectralMatrix> reducible_kernel(Index size, KernelRows rows) {
    return std::make_unique<CentredKernel>(size, std::move(rows), nullptr);
}

std::unique_ptr<const SpectralMatrix> centred_gram(const PointsView& points, bool directions,
                                                   const RunContext& context) {
    require_memory(context, {{"the centred points", MultiVector<double>::bytes(points.count, points.dimension)}},
                   "raise the limit or take fewer points");
    return std::make_unique<CentredGram>(points, directions);
}

}  // namespace isogon
