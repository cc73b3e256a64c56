#include "linalg/streamed_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/hypotenuse.hpp"
#include "linalg/block_lanczos.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

// Eigenvalues of X^T X have an error of about 1e-15 of the largest: those of at least this share of it are accurate to
// 1e-9. Smaller ones are computed in the next stage.
constexpr double share_of_stage = 1e-6;

// Relative to the largest singular value: smaller ones are float64 rounding.
constexpr double nothing = 1e-14;

/// The largest eigenpairs of a Gram matrix that this stage resolves, and their residuals.
struct StagePairs {
    MultiVector<double> vectors;
    std::vector<double> squares;
    std::vector<double> residuals;
};

StagePairs stage_pairs(DenseMatrix matrix, Index wanted, const RunContext& context) {
    SmallEigen eigen = largest_eigenpairs(matrix, std::min<std::size_t>(wanted, matrix.rows), context);
    Index count = 0;
    while (count < eigen.values.size() && eigen.values[count] > 0.0 &&
           eigen.values[count] >= share_of_stage * eigen.values[0]) {
        ++count;
    }
    eigen.keep(count);
    const auto size = static_cast<Index>(matrix.rows);
    const MultiVector<double> rows(size, size, std::move(matrix.values));  // a symmetric matrix is its own transpose
    StagePairs pairs{to_multi_vector(eigen.vectors), eigen.values, {}};
    MultiVector<double> differences = multiply(rows, eigen.vectors, context);
    for (std::size_t i = 0; i < differences.rows(); ++i) {
        for (Index k = 0; k < count; ++k) {
            differences.at(i, k) -= pairs.squares[k] * pairs.vectors.at(i, k);
        }
    }
    pairs.residuals = column_norms(differences, context);
    for (Index k = 0; k < count; ++k) {
        pairs.residuals[k] /= pairs.squares[k];
    }
    return pairs;
}

/// The stages, each in the complement of the directions before.
class StagedSearch {
public:
    StagedSearch(SvdData& data, Index rank, const RunContext& context) : data_(data), rank_(rank), context_(context) {
        found_.vectors = MultiVector<double>(data.rows.width, 0);
        start_ = MultiVector<double>(data.rows.width, 0);
    }

    SingularDirections run() {
        const Index smaller = std::min(data_.rows.count, data_.rows.width);
        const std::size_t most = std::min(rank_, smaller);
        bool more = true;
        while (more && found_.squares.size() < most) {
            const auto wanted = static_cast<Index>(most - found_.squares.size());
            more = smaller > largest_dense_gram || data_.product ? stage_by_products(wanted)
                   : data_.rows.count < data_.rows.width         ? stage_by_points(wanted)
                                                                 : stage_by_dimensions(wanted);
        }
        if (found_.stages > 1) {
            refine();
        }
        fill_up();
        return std::move(found_);
    }

private:
    /// False if a stage found rounding only.
    bool is_something(const std::vector<double>& squares) const {
        const double largest = found_.squares.empty() ? 0.0 : found_.squares[0];
        return !squares.empty() && squares[0] > nothing * nothing * largest && squares[0] > 0.0;
    }

    /// Adds directions by X^T X.
    bool stage_by_dimensions(Index wanted) {
        const bool first = found_.stages == 0;
        const StreamedMatrix rows = first ? data_.rows : without_directions(data_.rows, found_.vectors);
        const StagePairs pairs = stage_pairs(gram(rows, context_), wanted, context_);
        return is_something(pairs.squares) && take(pairs, pairs.vectors);
    }

    /// Adds directions by X X^T: u is an eigenvector of it where X^T u / |X^T u| is one of X^T X.
    bool stage_by_points(Index wanted) {
        const PointsView points = data_.whole();
        StreamedMatrix columns = columns_of(points, data_.center);
        MultiVector<double> images;
        if (found_.stages > 0) {
            images = images_of(points);
            columns = without_product(columns, found_.vectors, images);
        }
        const StagePairs pairs = stage_pairs(gram(columns, context_), wanted, context_);
        return is_something(pairs.squares) &&
               take(pairs, transposed_product(rows_of(points, data_.center), pairs.vectors, context_));
    }

    /// X V
    MultiVector<double> images_of(const PointsView& points) {
        MultiVector<double> images(points.count, found_.vectors.columns());
        visit_product(
            rows_of(points, data_.center), found_.vectors,
            [&](Index row, const double* y) { std::copy_n(y, images.columns(), images.row(row)); }, context_);
        return images;
    }

    bool take(const StagePairs& pairs, const MultiVector<double>& vectors) {
        const OrthonormalColumns columns = orthonormal_beyond({&found_.vectors}, vectors, context_);
        std::vector<double> squares;
        std::vector<double> residuals;
        for (const Index k : columns.kept) {
            squares.push_back(pairs.squares[k]);
            residuals.push_back(pairs.residuals[k]);
        }
        found_.add(columns.basis, squares, residuals);
        return !squares.empty();
    }

    bool stage_by_products(Index wanted) {
        LanczosOptions options;
        options.rank = wanted;
        options.share = share_of_stage;
        options.max_products = std::max(1, data_.most_products - products_);
        options.least_gain = data_.least_gain;
        // v -> X^T (X v) in the complement of the directions found.
        const FunctionOperator<double> deflated(
            data_.rows.width,
            [this](const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) {
                out = data_.product ? data_.product(in, nullptr) : normal_product(data_.rows, in, context).product;
                if (found_.vectors.columns() > 0) {
                    subtract_product(found_.vectors, gram(found_.vectors, out, context), out, context);
                }
            });
        const LanczosPairs pairs = block_lanczos(deflated, found_.vectors, start_, options, context_);
        products_ += pairs.products;
        start_ = pairs.rest;
        if (!is_something(pairs.values)) {
            return false;
        }
        found_.add(pairs.vectors, pairs.values, pairs.residuals);
        return true;
    }

    void refine();
    void fill_up();

    SvdData& data_;
    Index rank_;
    const RunContext& context_;
    SingularDirections found_;
    MultiVector<double> start_;
    int products_ = 0;
};

/// Jacobi's method on (X V)^T X V. Its off-diagonal entries are small relative to the lengths of both columns; the
/// rotations remove the remaining components of one direction in another, to rounding of either.
DenseMatrix jacobi_rotations(DenseMatrix& squares, const RunContext& context) {
    constexpr double tolerance = 1e-15;
    constexpr int most_sweeps = 12;
    const std::size_t size = squares.rows;
    DenseMatrix turned = identity_matrix(size);
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
        rotated = false;
        for (std::size_t p = 0; p < size; ++p) {
            throw_if_cancelled(context);
            for (std::size_t q = p + 1; q < size; ++q) {
                const double off = squares(p, q);
                if (std::abs(off) <= tolerance * std::sqrt(squares(p, p)) * std::sqrt(squares(q, q))) {
                    continue;
                }
                rotated = true;
                const double theta = (squares(q, q) - squares(p, p)) / (2.0 * off);
                const double t = std::copysign(1.0 / (std::abs(theta) + hypotenuse(theta, 1.0)), theta);
                const double c = 1.0 / hypotenuse(t, 1.0);
                const double s = c * t;
                squares(p, p) -= t * off;
                squares(q, q) += t * off;
                squares(p, q) = squares(q, p) = 0.0;
                for (std::size_t k = 0; k < size; ++k) {
                    if (k != p && k != q) {
                        const double kp = squares(k, p);
                        const double kq = squares(k, q);
                        squares(k, p) = squares(p, k) = c * kp - s * kq;
                        squares(k, q) = squares(q, k) = s * kp + c * kq;
                    }
                    const double vp = turned(k, p);
                    const double vq = turned(k, q);
                    turned(k, p) = c * vp - s * vq;
                    turned(k, q) = s * vp + c * vq;
                }
            }
        }
    }
    return turned;
}

/// Lengths, directions and residuals measured on X itself.
void StagedSearch::refine() {
    NormalProduct normal;
    if (data_.product) {
        normal.product = data_.product(found_.vectors, &normal.squares);
    } else {
        normal = normal_product(data_.rows, found_.vectors, context_);
    }
    const DenseMatrix turned = jacobi_rotations(normal.squares, context_);
    found_.vectors = multiply(found_.vectors, turned, context_);
    MultiVector<double> outside = multiply(normal.product, turned, context_);
    for (int pass = 0; pass < 2; ++pass) {
        subtract_product(found_.vectors, gram(found_.vectors, outside, context_), outside, context_);
    }
    found_.residuals = column_norms(outside, context_);
    for (std::size_t k = 0; k < found_.squares.size(); ++k) {
        found_.squares[k] = normal.squares(k, k);
        found_.residuals[k] = found_.squares[k] > 0.0 ? found_.residuals[k] / found_.squares[k] : 0.0;
    }
    std::vector<Index> order(found_.squares.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return found_.squares[a] > found_.squares[b]; });
    const SingularDirections unordered = found_;
    found_.vectors = select_columns(unordered.vectors, order);
    for (std::size_t k = 0; k < order.size(); ++k) {
        found_.squares[k] = unordered.squares[order[k]];
        found_.residuals[k] = unordered.residuals[order[k]];
    }
}

/// Fills up with any orthonormal directions beyond the rank of X: X is zero along them.
void StagedSearch::fill_up() {
    const Index missing = rank_ - found_.vectors.columns();
    if (missing == 0) {
        return;
    }
    const MultiVector<double> none(data_.rows.width, 0);
    const MultiVector<double> others = filled_up({&found_.vectors}, none, missing, context_);
    found_.add(others, std::vector<double>(others.columns()), std::vector<double>(others.columns()));
}

}  // namespace

void SingularDirections::add(const MultiVector<double>& more, const std::vector<double>& values,
                             const std::vector<double>& errors) {
    const Spans both{&vectors, &more};
    vectors = concatenate_columns(both);
    squares.insert(squares.end(), values.begin(), values.end());
    residuals.insert(residuals.end(), errors.begin(), errors.end());
    ++stages;
}

SingularDirections singular_directions(SvdData& data, Index rank, const RunContext& context) {
    return StagedSearch(data, rank, context).run();
}

}  // namespace isogon
