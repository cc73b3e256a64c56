#include "linalg/block_eigensolver.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::size_t row_block = 1024;

/// Copies columns [first, first + source columns) of `target` from `source`.
void place_columns(const MultiVector<float>& source, Index first, MultiVector<float>& target,
                   const RunContext& context) {
    parallel_blocks(context, source.rows(), row_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::copy_n(source.row(i), source.columns(), target.row(i) + first);
        }
    });
}

MultiVector<float> join(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) {
    MultiVector<float> result(a.rows(), a.columns() + b.columns());
    place_columns(a, 0, result, context);
    place_columns(b, a.columns(), result, context);
    return result;
}

DenseMatrix row_part(const DenseMatrix& matrix, std::size_t first_row, std::size_t rows) {
    DenseMatrix part(rows, matrix.columns);
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
            part(i, j) = matrix(first_row + i, j);
        }
    }
    return part;
}

/// Lengths of the columns of AX - X diag(values).
std::vector<double> residual_lengths(const MultiVector<float>& ax, const MultiVector<float>& x,
                                     const std::vector<double>& values, const RunContext& context) {
    std::vector<double> lengths(x.columns());
    for (Index j = 0; j < x.columns(); ++j) {
        lengths[j] = std::sqrt(parallel_sum(context, x.rows(), row_block, [&](Range rows) {
            double sum = 0.0;
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const double difference = double{ax.row(i)[j]} - values[j] * double{x.row(i)[j]};
                sum += difference * difference;
            }
            return sum;
        }));
    }
    return lengths;
}

/// For each row the number of the first that equals it; `own` has its own.
std::vector<Index> first_equal_rows(const std::vector<Index>& own, const MultiVector<float>& block) {
    const auto compare = [&](Index a, Index b) {
        return std::lexicographical_compare_three_way(block.row(a), block.row(a) + block.columns(), block.row(b),
                                                      block.row(b) + block.columns());
    };
    std::vector<Index> sorted = own;
    std::ranges::stable_sort(sorted, [&](Index a, Index b) { return std::is_lt(compare(a, b)); });
    std::vector<Index> first = own;
    for (std::size_t k = 1; k < sorted.size(); ++k) {
        if (std::is_eq(compare(sorted[k - 1], sorted[k]))) {
            first[sorted[k]] = first[sorted[k - 1]];
        }
    }
    return first;
}

/// `columns` random vectors of length about one, whose rows are equal where their numbers are.
MultiVector<float> random_vectors(const std::vector<Index>& numbers, Index columns, std::uint64_t seed,
                                  std::uint64_t attempt, const RunContext& context) {
    const std::size_t size = numbers.size();
    MultiVector<float> vectors(static_cast<Index>(size), columns);
    const double scale = 1.0 / std::sqrt(static_cast<double>(size));
    parallel_blocks(context, size, row_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            Random random(seed, RandomStream::SubspaceStart, attempt * size + numbers[i]);
            for (Index j = 0; j < columns; ++j) {
                vectors.row(i)[j] = static_cast<float>(scale * random.normal());
            }
        }
    });
    return vectors;
}

/// An orthonormal basis of `columns` vectors: those of `start`, filled up with random ones. `start` is orthonormalised
/// by itself first, for its vectors may be of any length, zero included. Rows that are equal in `start` are equal in as
/// many random vectors as there can be: others would part points that the matrix does not tell apart.
MultiVector<float> start_basis(Index size, Index columns, const MultiVector<float>* start, std::uint64_t seed,
                               const RunContext& context) {
    MultiVector<float> basis(size, 0);
    if (start != nullptr) {
        basis = orthonormalize(leading_columns(*start, std::min(start->columns(), columns), context), context).basis;
    }
    // Random vectors are almost never in the span of the basis, unless it has nearly all dimensions.
    const auto fill_up = [&](const std::vector<Index>& numbers, Index most) {
        constexpr std::uint64_t most_attempts = 3;
        for (std::uint64_t attempt = 0; basis.columns() < most && attempt < most_attempts; ++attempt) {
            const MultiVector<float> fill = random_vectors(numbers, most - basis.columns(), seed, attempt, context);
            basis = orthonormalize(join(basis, fill, context), context).basis;
        }
    };
    std::vector<Index> own(size);
    std::iota(own.begin(), own.end(), Index{0});
    if (start != nullptr) {
        const std::vector<Index> first = first_equal_rows(own, *start);
        const auto distinct =
            std::inner_product(own.begin(), own.end(), first.begin(), Index{0}, std::plus<>{}, std::equal_to<>{});
        fill_up(first, std::min(columns, distinct));
    }
    fill_up(own, columns);
    return basis;
}

void require_rank(const BlockEigenOptions& options, Index size) {
    if (options.rank < 1 || options.rank > size) {
        throw InvalidArgument("rank", std::to_string(options.rank),
                              "must be at least 1 and at most " + std::to_string(size) + ", the size of the matrix");
    }
}

/// An orthonormal basis of W, whose columns are orthogonal to Q. Short directions of W are differences of long
/// columns, so their rounding errors along Q are relatively large after normalisation, and are removed again. Where
/// that leaves next to nothing, W is rounding along Q and has no such basis, nor has it where Q is one of the whole
/// space.
MultiVector<float> basis_beyond(const MultiVector<float>& q, const MultiVector<float>& w, const RunContext& context) {
    const Index available = q.rows() - q.columns();
    if (available == 0) {
        return {q.rows(), 0};
    }
    constexpr double shortest = 0.5;  // length of columns that had length 1
    MultiVector<float> basis = orthonormalize(w, context).basis;
    DenseMatrix along_q;
    remove_components(q, basis, along_q, context);
    const std::vector<double> squares = column_dots(basis, basis, context);
    if (squares.empty() || *std::ranges::max_element(squares) < shortest * shortest) {
        return {q.rows(), 0};
    }
    basis = orthonormalize(basis, context, shortest).basis;
    return basis.columns() > available ? leading_columns(basis, available, context) : basis;
}

/// One Newton-Schulz step to the polar factor, Q (1.5 I - 0.5 Q^T Q): it squares a small error of orthonormality, and
/// unlike orthonormalize() leaves every column next to where it was.
MultiVector<float> nearest_orthonormal(const MultiVector<float>& q, const RunContext& context) {
    DenseMatrix correction = gram(q, q, context);
    for (double& value : correction.values) {
        value *= -0.5;
    }
    for (std::size_t k = 0; k < correction.rows; ++k) {
        correction(k, k) += 1.5;
    }
    return multiply(q, correction, context);
}

/// The growing basis V and A V of one cycle.
class KrylovCycle {
public:
    KrylovCycle(const LinearOperator<float>& matrix, MultiVector<float> v, MultiVector<float> av,
                const RunContext& context)
        : matrix_(matrix), v_(std::move(v)), av_(std::move(av)), newest_(av_), context_(context) {}

    /// Extends V by the part of A times the newest block that is orthogonal to V. False if that is zero.
    bool extend() {
        DenseMatrix coefficients;
        remove_components(v_, newest_, coefficients, context_);
        MultiVector<float> fresh = basis_beyond(v_, newest_, context_);
        if (fresh.columns() == 0) {
            return false;
        }
        newest_ = MultiVector<float>(fresh.rows(), fresh.columns());
        matrix_.apply(fresh, newest_, context_);
        v_ = join(v_, fresh, context_);
        av_ = join(av_, newest_, context_);
        return true;
    }

    /// Rayleigh-Ritz over V.
    void restart(Index keep, SpectrumOrder order, BlockEigenpairs& pairs, MultiVector<float>& ax) const {
        DenseMatrix projected = gram(v_, av_, context_);
        symmetrise(projected);
        SmallEigen best = symmetric_eigen(projected, order);
        best.keep(std::min(keep, v_.columns()));
        pairs.vectors = multiply(v_, best.vectors, context_);
        ax = multiply(av_, best.vectors, context_);
        pairs.values = std::move(best.values);
        pairs.residuals = residual_lengths(ax, pairs.vectors, pairs.values, context_);
    }

private:
    const LinearOperator<float>& matrix_;
    MultiVector<float> v_;
    MultiVector<float> av_;
    MultiVector<float> newest_;
    const RunContext& context_;
};

bool has_converged(const BlockEigenpairs& pairs, const BlockEigenOptions& options) {
    double scale = 0.0;
    for (const double value : pairs.values) {
        scale = std::max(scale, std::abs(value));
    }
    const auto wanted = std::min<std::size_t>(options.rank, pairs.residuals.size());
    return std::all_of(pairs.residuals.begin(), pairs.residuals.begin() + static_cast<std::ptrdiff_t>(wanted),
                       [&](double residual) { return residual <= options.tolerance * scale; });
}

/// Computes A X again: after many restarts X and A X have diverged by rounding.
void refresh(const LinearOperator<float>& matrix, MultiVector<float>& x, MultiVector<float>& ax,
             const RunContext& context) {
    x = orthonormalize(x, context, 0.5).basis;
    ax = MultiVector<float>(x.rows(), x.columns());
    matrix.apply(x, ax, context);
}

}  // namespace

BlockEigenpairs block_eigensolve(const LinearOperator<float>& matrix, const BlockEigenOptions& options,
                                 const MultiVector<float>* start, const RunContext& context) {
    require_rank(options, matrix.size());
    const Index width = std::min(options.rank + options.guard, matrix.size());
    BlockEigenpairs pairs;
    MultiVector<float> x = start_basis(matrix.size(), width, start, options.seed, context);
    MultiVector<float> ax(x.rows(), x.columns());
    matrix.apply(x, ax, context);
    pairs.products = 1;
    constexpr int extensions = 2;  // blocks added in a cycle: 3 blocks of Ritz vectors fit the cost of one product
    constexpr int cycles_between_refreshes = 8;
    for (int cycle = 1;; ++cycle) {
        throw_if_cancelled(context);
        KrylovCycle krylov(matrix, std::move(x), std::move(ax), context);
        bool grew = true;
        for (int e = 0; e < extensions && grew && pairs.products < options.max_products; ++e) {
            grew = krylov.extend();
            pairs.products += grew ? 1 : 0;
        }
        krylov.restart(width, options.order, pairs, ax);
        pairs.converged = has_converged(pairs, options);
        if (pairs.converged || pairs.products >= options.max_products || !grew) {
            return pairs;
        }
        x = pairs.vectors;
        if (cycle % cycles_between_refreshes == 0) {
            refresh(matrix, x, ax, context);
            ++pairs.products;
        }
    }
}

BlockEigenpairs tangent_eigenpairs(const MultiVector<float>& q, const MultiVector<float>& w, Index keep,
                                   SpectrumOrder order, const RunContext& context) {
    // W = Q H + Q' B with Q' orthogonal to Q; in the basis [Q, Q'] the projection is [[H, B^T], [B, 0]].
    MultiVector<float> rest = w;
    DenseMatrix h;
    remove_components(q, rest, h, context);
    symmetrise(h);
    const MultiVector<float> outside = basis_beyond(q, rest, context);
    const DenseMatrix b = gram(outside, rest, context);
    const std::size_t inner = q.columns();
    DenseMatrix projected(inner + b.rows, inner + b.rows);
    for (std::size_t j = 0; j < inner; ++j) {
        for (std::size_t i = 0; i < inner; ++i) {
            projected(i, j) = h(i, j);
        }
        for (std::size_t i = 0; i < b.rows; ++i) {
            projected(inner + i, j) = projected(j, inner + i) = b(i, j);
        }
    }
    SmallEigen best = symmetric_eigen(projected, order);
    best.keep(std::min<std::size_t>(keep, best.values.size()));
    BlockEigenpairs pairs;
    pairs.vectors =
        multiply_add(q, row_part(best.vectors, 0, inner), outside, row_part(best.vectors, inner, b.rows), context);
    pairs.vectors = nearest_orthonormal(pairs.vectors, context);
    pairs.values = std::move(best.values);
    pairs.residuals.assign(inner, 0.0);
    for (std::size_t j = 0; j < inner; ++j) {
        for (std::size_t i = 0; i < b.rows; ++i) {
            pairs.residuals[j] += b(i, j) * b(i, j);
        }
        pairs.residuals[j] = std::sqrt(pairs.residuals[j]);
    }
    pairs.products = 1;
    return pairs;
}

}  // namespace isogon
