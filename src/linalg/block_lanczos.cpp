#include "linalg/block_lanczos.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/eigen_rows.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

constexpr Index lanczos_block_columns = 48;  // columns of one panel product: fewer would not cost less
constexpr Index guard = 8;

MultiVector<double> columns_of(const MultiVector<double>& v, Index first, Index count) {
    std::vector<Index> chosen(count);
    std::iota(chosen.begin(), chosen.end(), first);
    return select_columns(v, chosen);
}

MultiVector<double> joined(const MultiVector<double>& a, const MultiVector<double>& b) {
    const Spans both{&a, &b};
    return concatenate_columns(both);
}

void remove_spans(const Spans& spans, MultiVector<double>& w, const RunContext& context) {
    for (const MultiVector<double>* q : spans) {
        if (q->columns() > 0) {
            subtract_product(*q, gram(*q, w, context), w, context);
        }
    }
}

/// Gram and Schmidt's method among few columns; one that is left with less than `least` of its length becomes zero.
void orthonormalize_columns(Eigen::MatrixXd& w, const std::vector<double>& lengths, double least) {
    for (Eigen::Index j = 0; j < w.cols(); ++j) {
        for (int pass = 0; pass < 2; ++pass) {
            const Eigen::VectorXd along = w.leftCols(j).transpose() * w.col(j);
            w.col(j) -= w.leftCols(j) * along;
        }
        const double left = w.col(j).norm();
        const double before = lengths[static_cast<std::size_t>(j)];
        if (left > least * before && left > 0.0) {
            w.col(j) /= left;
        } else {
            w.col(j).setZero();
        }
    }
}

/// Orthonormalises a few columns against the spans and the columns before.
OrthonormalColumns orthonormal_block(const Spans& spans, MultiVector<double> w, const RunContext& context) {
    constexpr double least = 1e-10;
    OrthonormalColumns result;
    std::vector<double> lengths = column_norms(w, context);
    for (const double smallest : {least, 0.5}) {
        remove_spans(spans, w, context);
        Eigen::MatrixXd columns = Eigen::Map<const RowMajor>(w.values().data(), w.rows(), w.columns());
        orthonormalize_columns(columns, lengths, smallest);
        Eigen::Map<RowMajor>(w.values().data(), w.rows(), w.columns()) = columns;
        std::fill(lengths.begin(), lengths.end(), 1.0);
    }
    for (Index j = 0; j < w.columns(); ++j) {
        if (column_norms(columns_of(w, j, 1), context)[0] > 0.0) {
            result.kept.push_back(j);
        }
    }
    result.basis = select_columns(w, result.kept);
    return result;
}

/// Vectors kept at a restart, and those held before one.
Index kept_of(Index rank) {
    return rank + guard;
}

Index most_of(Index rank) {
    return kept_of(rank) + std::max<Index>(4 * lanczos_block_columns, kept_of(rank) / 2);
}

/// The projection of A on a growing orthonormal basis.
class LanczosSearch {
public:
    LanczosSearch(const LinearOperator<double>& matrix, const MultiVector<double>& locked,
                  const MultiVector<double>& start, const LanczosOptions& options, const RunContext& context)
        : matrix_(matrix), locked_(locked), options_(options), context_(context) {
        const Index available = matrix.size() - locked.columns();
        rank_ = std::min(options.rank, available);
        keep_ = std::min(kept_of(rank_), available);
        capacity_ = std::min(available, most_of(rank_));
        next_ = filled_up({&locked_}, columns_of(start, 0, std::min(start.columns(), lanczos_block_columns)),
                          std::min(lanczos_block_columns, available), context);
        basis_ = MultiVector<double>(matrix.size(), 0);
    }

    LanczosPairs run() {
        while (true) {
            throw_if_cancelled(context_);
            extend();
            const bool full = basis_.columns() + next_.columns() > capacity_ || next_.columns() == 0;
            const bool spent = products_ >= options_.max_products;
            fresh_ += lanczos_block_columns;
            if (!full && !spent && (basis_.columns() < rank_ || fresh_ < keep_ / 4)) {
                continue;
            }
            fresh_ = 0;
            solve();
            if (converged() || spent || next_.columns() == 0 || gains_little()) {
                return answer();
            }
            if (full) {
                restart();
            }
        }
    }

private:
    /// V := [V, next]; next becomes the part of A times the old next that is orthogonal to V.
    void extend() {
        MultiVector<double> image(matrix_.size(), next_.columns());
        matrix_.apply(next_, image, context_);
        ++products_;
        const Index before = basis_.columns();
        basis_ = joined(basis_, next_);
        const DenseMatrix coefficients = gram(basis_, image, context_);
        DenseMatrix projected(basis_.columns(), basis_.columns());
        for (std::size_t j = 0; j < before; ++j) {
            std::copy_n(&projected_.values[j * before], before, &projected.values[j * projected.rows]);
        }
        for (std::size_t j = before; j < basis_.columns(); ++j) {
            for (std::size_t i = 0; i <= j; ++i) {
                projected(i, j) = projected(j, i) = coefficients(i, j - before);
            }
        }
        projected_ = std::move(projected);
        next_ = orthonormal_beyond({&locked_, &basis_}, image, context_).basis;
        const Index available = matrix_.size() - locked_.columns() - basis_.columns();
        next_ = columns_of(next_, 0, std::min(next_.columns(), available));
        coupling_ = next_.columns() > 0 ? gram(next_, image, context_) : DenseMatrix(0, image.columns());
    }

    /// Rayleigh-Ritz. A V = V H + next (coupling E^T), so residuals need no product.
    void solve() {
        const std::size_t size = basis_.columns();
        pairs_ = largest_eigenpairs(projected_, std::min<std::size_t>(keep_, size), context_);
        residuals_.assign(pairs_.values.size(), 0.0);
        const std::size_t last = coupling_.columns;
        for (std::size_t k = 0; k < residuals_.size(); ++k) {
            double squares = 0.0;
            for (std::size_t i = 0; i < coupling_.rows; ++i) {
                double sum = 0.0;
                for (std::size_t j = 0; j < last; ++j) {
                    sum += coupling_(i, j) * pairs_.vectors(size - last + j, k);
                }
                squares += sum * sum;
            }
            residuals_[k] = pairs_.values[k] > 0.0 ? std::sqrt(squares) / pairs_.values[k] : 0.0;
        }
    }

    [[nodiscard]] std::size_t acceptable() const {
        std::size_t count = 0;
        while (count < std::min<std::size_t>(rank_, pairs_.values.size()) &&
               pairs_.values[count] >= options_.share * pairs_.values[0]) {
            ++count;
        }
        return count;
    }

    [[nodiscard]] bool converged() const {
        const auto end = residuals_.begin() + static_cast<std::ptrdiff_t>(acceptable());
        return std::all_of(residuals_.begin(), end, [&](double value) { return value <= options_.tolerance; });
    }

    /// Whether the sum of the wanted eigenvalues has hardly grown since the last step.
    [[nodiscard]] bool gains_little() {
        const auto wanted =
            pairs_.values.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(rank_, pairs_.values.size()));
        const double sum = std::accumulate(pairs_.values.begin(), wanted, 0.0);
        const double before = std::exchange(last_sum_, sum);
        return basis_.columns() >= rank_ && before > 0.0 && sum - before < options_.least_gain * sum;
    }

    void restart() {
        basis_ = multiply(basis_, pairs_.vectors, context_);
        projected_ = DenseMatrix(basis_.columns(), basis_.columns());
        for (std::size_t k = 0; k < basis_.columns(); ++k) {
            projected_(k, k) = pairs_.values[k];
        }
    }

    LanczosPairs answer() {
        const MultiVector<double> found = multiply(basis_, pairs_.vectors, context_);
        const auto count = static_cast<Index>(acceptable());
        LanczosPairs answer{columns_of(found, 0, count), pairs_.values, residuals_,
                            columns_of(found, count, found.columns() - count), products_};
        answer.values.resize(count);
        answer.residuals.resize(count);
        return answer;
    }

    const LinearOperator<double>& matrix_;
    const MultiVector<double>& locked_;
    const LanczosOptions& options_;
    const RunContext& context_;
    Index rank_ = 0;
    Index keep_ = 0;
    Index capacity_ = 0;
    Index fresh_ = 0;  ///< columns since the last Rayleigh-Ritz step
    MultiVector<double> basis_;
    MultiVector<double> next_;
    DenseMatrix projected_;
    DenseMatrix coupling_;
    SmallEigen pairs_;
    std::vector<double> residuals_;
    double last_sum_ = 0.0;
    int products_ = 0;
};

}  // namespace

OrthonormalColumns orthonormal_beyond(const Spans& spans, const MultiVector<double>& w, const RunContext& context) {
    OrthonormalColumns result{MultiVector<double>(w.rows(), 0), {}};
    for (Index first = 0; first < w.columns(); first += lanczos_block_columns) {
        throw_if_cancelled(context);
        Spans known = spans;
        known.push_back(&result.basis);
        const OrthonormalColumns part = orthonormal_block(
            known, columns_of(w, first, std::min(lanczos_block_columns, w.columns() - first)), context);
        for (const Index j : part.kept) {
            result.kept.push_back(first + j);
        }
        result.basis = joined(result.basis, part.basis);
    }
    return result;
}

MultiVector<double> filled_up(const Spans& spans, const MultiVector<double>& first, Index columns,
                              const RunContext& context) {
    // Random vectors are almost never in the span of the basis, unless it has nearly all dimensions.
    constexpr Index most_attempts = 5;
    MultiVector<double> basis = orthonormal_beyond(spans, first, context).basis;
    for (Index attempt = 0; basis.columns() < columns && attempt < most_attempts; ++attempt) {
        Spans known = spans;
        known.push_back(&basis);
        const MultiVector<double> fill =
            random_normal(first.rows(), columns - basis.columns(), attempt, RandomStream::SubspaceStart);
        basis = joined(basis, orthonormal_beyond(known, fill, context).basis);
    }
    return basis;
}

LanczosPairs block_lanczos(const LinearOperator<double>& matrix, const MultiVector<double>& locked,
                           const MultiVector<double>& start, const LanczosOptions& options, const RunContext& context) {
    return LanczosSearch(matrix, locked, start, options, context).run();
}

std::uint64_t lanczos_vectors(Index rank) {
    // The basis and, while it grows, its copy; the last product, and the columns being orthonormalised.
    return 2 * std::uint64_t{most_of(rank)} + 5 * lanczos_block_columns;
}

}  // namespace isogon
