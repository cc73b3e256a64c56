#include "isogon/linalg/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/tridiagonal_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"
#include "linalg/block_lanczos.hpp"
#include "linalg/wide_rows.hpp"

namespace isogon {

namespace {

// Where reducing X^T X or X X^T to a tridiagonal matrix (4/3 m^3 operations) begins to cost more than products with X.
constexpr Index largest_dense = 1536;

// Eigenvalues of X^T X are right to some 1e-15 of the largest: directions whose squared length is at least this share
// of it to 1e-9. Shorter ones are looked for again in what X is without those found.
constexpr double share_of_stage = 1e-6;

// Beside the longest direction: shorter ones are what rounding in float64 leaves of nothing.
constexpr double nothing = 1e-14;

/// The data in the forms that the search reads.
struct Data {
    WideRows rows;
    std::function<PointsView()> whole;  ///< all points at once; ranks meet
    std::span<const double> center;
};

struct Directions {
    WideVectors vectors;            ///< orthonormal
    std::vector<double> squares;    ///< lengths of X v, squared
    std::vector<double> residuals;  ///< |X^T X v - square v| / square
    Index stages = 0;

    void add(const WideVectors& more, const std::vector<double>& values, const std::vector<double>& errors) {
        const Spans both{&vectors, &more};
        vectors = side_by_side(both);
        squares.insert(squares.end(), values.begin(), values.end());
        residuals.insert(residuals.end(), errors.begin(), errors.end());
        ++stages;
    }
};

WideVectors to_wide(const DenseMatrix& matrix) {
    WideVectors result(static_cast<Index>(matrix.rows), static_cast<Index>(matrix.columns));
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            result.at(i, j) = matrix(i, j);
        }
    }
    return result;
}

/// The largest eigenpairs of a Gram matrix that this stage can tell, and how well they fulfil their equation.
struct StagePairs {
    WideVectors vectors;
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
    eigen.vectors.columns = count;
    eigen.vectors.values.resize(matrix.rows * count);
    eigen.values.resize(count);
    WideVectors rows;  // a symmetric matrix is its own transpose
    rows.rows = rows.columns = static_cast<Index>(matrix.rows);
    rows.values = std::move(matrix.values);
    StagePairs pairs{to_wide(eigen.vectors), eigen.values, {}};
    WideVectors differences = combination(rows, eigen.vectors, context);
    for (std::size_t i = 0; i < differences.rows; ++i) {
        for (Index k = 0; k < count; ++k) {
            differences.at(i, k) -= pairs.squares[k] * pairs.vectors.at(i, k);
        }
    }
    pairs.residuals = column_lengths(differences, context);
    for (Index k = 0; k < count; ++k) {
        pairs.residuals[k] /= pairs.squares[k];
    }
    return pairs;
}

/// Stage after stage, each in what X is without the directions of those before.
class StagedSearch {
public:
    StagedSearch(Data& data, Index rank, const RunContext& context) : data_(data), rank_(rank), context_(context) {
        found_.vectors = WideVectors(data.rows.width, 0);
        start_ = WideVectors(data.rows.width, 0);
    }

    Directions run() {
        const Index smaller = std::min(data_.rows.count, data_.rows.width);
        const std::size_t most = std::min(rank_, smaller);
        bool more = true;
        while (more && found_.squares.size() < most) {
            const auto wanted = static_cast<Index>(most - found_.squares.size());
            more = smaller > largest_dense               ? stage_by_products(wanted)
                   : data_.rows.count < data_.rows.width ? stage_by_points(wanted)
                                                         : stage_by_dimensions(wanted);
        }
        if (found_.stages > 1) {
            refine();
        }
        fill_up();
        return std::move(found_);
    }

private:
    /// False when a stage found nothing but rounding.
    bool is_something(const std::vector<double>& squares) const {
        const double largest = found_.squares.empty() ? 0.0 : found_.squares[0];
        return !squares.empty() && squares[0] > nothing * nothing * largest && squares[0] > 0.0;
    }

    /// By X^T X.
    bool stage_by_dimensions(Index wanted) {
        const bool first = found_.stages == 0;
        const WideRows rows = first ? data_.rows : without_directions(data_.rows, found_.vectors);
        const StagePairs pairs = stage_pairs(gram(rows, context_), wanted, context_);
        return is_something(pairs.squares) && take(pairs, pairs.vectors);
    }

    /// By X X^T: u is an eigenvector of it where X^T u / |X^T u| is one of X^T X.
    bool stage_by_points(Index wanted) {
        const PointsView points = data_.whole();
        WideRows columns = columns_of(points, data_.center);
        WideVectors images;
        if (found_.stages > 0) {
            images = images_of(points);
            columns = without_product(columns, found_.vectors, images);
        }
        const StagePairs pairs = stage_pairs(gram(columns, context_), wanted, context_);
        return is_something(pairs.squares) &&
               take(pairs, transposed_product(rows_of(points, data_.center), pairs.vectors, context_));
    }

    /// X V
    WideVectors images_of(const PointsView& points) {
        WideVectors images(points.count, found_.vectors.columns);
        visit_product(
            rows_of(points, data_.center), found_.vectors,
            [&](Index row, const double* y) { std::copy_n(y, images.columns, images.row(row)); }, context_);
        return images;
    }

    bool take(const StagePairs& pairs, const WideVectors& vectors) {
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

    /// v -> X^T (X v) in the complement of the directions found.
    class Deflated : public SymmetricOperator {
    public:
        Deflated(const WideRows& rows, const WideVectors& found) : rows_(rows), found_(found) {}
        [[nodiscard]] Index size() const override { return rows_.width; }
        void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
            out = normal_product(rows_, in, context).product;
            if (found_.columns > 0) {
                subtract_combination(found_, cross_product(found_, out, context), out, context);
            }
        }

    private:
        const WideRows& rows_;
        const WideVectors& found_;
    };

    bool stage_by_products(Index wanted) {
        LanczosOptions options;
        options.rank = wanted;
        options.share = share_of_stage;
        options.max_products = std::max(1, most_products - products_);
        const LanczosPairs pairs =
            block_lanczos(Deflated(data_.rows, found_.vectors), found_.vectors, start_, options, context_);
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

    static constexpr int most_products = 300;
    Data& data_;
    Index rank_;
    const RunContext& context_;
    Directions found_;
    WideVectors start_;
    int products_ = 0;
};

/// Jacobi's method on (X V)^T X V, whose entries are small beside the lengths of the two columns they belong to: what
/// stages have left of one's directions in another's is turned out, to rounding of either.
DenseMatrix jacobi_rotations(DenseMatrix& squares, const RunContext& context) {
    constexpr double tolerance = 1e-15;
    constexpr int most_sweeps = 12;
    const std::size_t size = squares.rows;
    DenseMatrix turned(size, size);
    for (std::size_t k = 0; k < size; ++k) {
        turned(k, k) = 1.0;
    }
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
        rotated = false;
        for (std::size_t p = 0; p < size; ++p) {
            stop_if_asked(context);
            for (std::size_t q = p + 1; q < size; ++q) {
                const double off = squares(p, q);
                if (std::abs(off) <= tolerance * std::sqrt(squares(p, p)) * std::sqrt(squares(q, q))) {
                    continue;
                }
                rotated = true;
                const double theta = (squares(q, q) - squares(p, p)) / (2.0 * off);
                const double t = std::copysign(1.0 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
                const double c = 1.0 / std::hypot(t, 1.0);
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
    NormalProduct normal = normal_product(data_.rows, found_.vectors, context_);
    const DenseMatrix turned = jacobi_rotations(normal.squares, context_);
    found_.vectors = combination(found_.vectors, turned, context_);
    WideVectors outside = combination(normal.product, turned, context_);
    for (int pass = 0; pass < 2; ++pass) {
        subtract_combination(found_.vectors, cross_product(found_.vectors, outside, context_), outside, context_);
    }
    found_.residuals = column_lengths(outside, context_);
    for (std::size_t k = 0; k < found_.squares.size(); ++k) {
        found_.squares[k] = normal.squares(k, k);
        found_.residuals[k] = found_.squares[k] > 0.0 ? found_.residuals[k] / found_.squares[k] : 0.0;
    }
    std::vector<Index> order(found_.squares.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return found_.squares[a] > found_.squares[b]; });
    const Directions unordered = found_;
    found_.vectors = chosen_columns(unordered.vectors, order);
    for (std::size_t k = 0; k < order.size(); ++k) {
        found_.squares[k] = unordered.squares[order[k]];
        found_.residuals[k] = unordered.residuals[order[k]];
    }
}

/// Where X has fewer directions than were asked for, any others will do: X is zero along them.
void StagedSearch::fill_up() {
    const Index missing = rank_ - found_.vectors.columns;
    if (missing == 0) {
        return;
    }
    const WideVectors none(data_.rows.width, 0);
    const WideVectors others = filled_up({&found_.vectors}, none, missing, context_);
    found_.add(others, std::vector<double>(others.columns), std::vector<double>(others.columns));
}

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
double sum_of_squares(const WideRows& rows, const RunContext& context) {
    constexpr std::size_t rows_in_block = 2048;
    constexpr std::size_t rows_in_part = 64;
    double sum = 0.0;
    for (std::size_t b = 0; b < block_count(rows.count, rows_in_block); ++b) {
        stop_if_asked(context);
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

/// Each column with its component of largest magnitude positive.
DenseMatrix with_signs(const WideVectors& vectors) {
    DenseMatrix directions(vectors.rows, vectors.columns);
    for (std::size_t j = 0; j < vectors.columns; ++j) {
        double largest = 0.0;
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            largest = std::abs(vectors.at(i, j)) > std::abs(largest) ? vectors.at(i, j) : largest;
        }
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            directions(i, j) = largest < 0.0 ? -vectors.at(i, j) : vectors.at(i, j);
        }
    }
    return directions;
}

void solve(Data& data, Index rank, TruncatedSvd& svd, const RunContext& context) {
    svd.total_squares = sum_of_squares(data.rows, context);
    const Directions found = StagedSearch(data, rank, context).run();
    svd.directions = with_signs(found.vectors);
    svd.residuals = found.residuals;
    for (const double square : found.squares) {
        svd.singular_values.push_back(std::sqrt(std::max(0.0, square)));
    }
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

}  // namespace

std::size_t TruncatedSvd::unresolved() const {
    return static_cast<std::size_t>(
        std::count_if(residuals.begin(), residuals.end(), [](double value) { return !(value <= tolerance); }));
}

TruncatedSvd truncated_svd(Index count, Index dimension, const RowLoader& load, Index rank, const RunContext& context) {
    require_rank(rank, dimension);
    if (dimension > largest_dense || count < dimension) {
        const Points rows = made_points(count, dimension, load, context);
        return truncated_svd(rows.view(), rank, false, context);
    }
    TruncatedSvd svd;
    Data data{rows_of(count, dimension, load), {}, {}};
    solve(data, rank, svd, context);
    return svd;
}

TruncatedSvd truncated_svd(const PointsView& x, Index rank, bool centered, const RunContext& context) {
    require_rank(rank, x.dimension);
    TruncatedSvd svd;
    if (centered) {
        svd.center = mean_of(x, context);
    }
    Data data{rows_of(x, svd.center), [&] { return x; }, svd.center};
    solve(data, rank, svd, context);
    return svd;
}

TruncatedSvd truncated_svd(const DividedPoints& x, Index rank, const RunContext& context) {
    if (!x.divided()) {
        return truncated_svd(x.here(), rank, false, context);
    }
    require_rank(rank, x.dimension());
    TruncatedSvd svd;
    Points all;
    const auto whole = [&] {
        if (all.empty()) {
            all = x.some({0, x.count()});
        }
        return all.view();
    };
    Data data{rows_of(x), whole, {}};
    solve(data, rank, svd, context);
    return svd;
}

std::uint64_t truncated_svd_bytes(Index count, Index dimension, Index rank) {
    const std::uint64_t d = dimension;
    const std::uint64_t smaller = std::min(count, dimension);
    const std::uint64_t found =
        4 * d * rank * sizeof(double);  // directions, with a copy of each form they pass through
    const std::uint64_t rows = wide_rows_bytes(count, dimension, rank);
    if (smaller > largest_dense) {
        return found + lanczos_vectors(rank) * d * sizeof(double) + rows;
    }
    const std::uint64_t square = smaller * smaller * sizeof(double);
    const std::uint64_t reduction = 2 * square + 4 * std::uint64_t{rank} * smaller * sizeof(double);
    const bool by_points = count < dimension;
    const std::uint64_t product = square + (by_points ? wide_rows_bytes(dimension, count, rank) : rows);
    return found + std::max({reduction, product, by_points ? rows : 0});
}

Points project(const PointsView& x, const TruncatedSvd& svd, const RunContext& context) {
    Points result(x.count, static_cast<Index>(svd.directions.columns));
    visit_product(
        rows_of(x, svd.center), to_wide(svd.directions),
        [&](Index row, const double* y) {
            for (float& value : result[row]) {
                value = static_cast<float>(*y++);
            }
        },
        context);
    return result;
}

Points project(const DividedPoints& x, const TruncatedSvd& svd, const RunContext& context) {
    if (!x.divided()) {
        return project(x.here(), svd, context);
    }
    stop_if_asked(context);
    const RunContext alone{.threads =
                               context.threads};  // ranks have different numbers of blocks: none may ask the others
    const Points own = project(x.here(), svd, alone);
    Points all(x.count(), own.dimension());
    std::copy(own.values().begin(), own.values().end(),
              all.values().begin() + static_cast<std::ptrdiff_t>(x.own().begin * own.dimension()));
    x.gather(std::as_writable_bytes(all.values()));
    return all;
}

}  // namespace isogon
