#include "linalg/sparse_algebra.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A symmetric matrix by rows is the same by columns.
Sparse to_eigen(const CsrMatrix<double>& matrix) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(matrix.entries() / 2 + matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            const Index j = matrix.row_indices(i)[k];
            if (j <= i) {
                entries.emplace_back(static_cast<int>(i), static_cast<int>(j), matrix.row_values(i)[k]);
            }
        }
    }
    Sparse result(static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.rows));
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

/// Eigen's order of rows and elimination tree. The numbers are computed here: Eigen's loop could not be stopped.
class Analysis : public Eigen::SimplicialLLT<Sparse> {
public:
    /// Entries below the diagonal, column by column.
    [[nodiscard]] const auto& counts() const { return m_nonZerosPerCol; }
    /// For every column the next one that it changes; below 0 where there is none.
    [[nodiscard]] const auto& parents() const { return m_parent; }
    /// Row i of the matrix is row places()[i] of the factor; none where all stay.
    [[nodiscard]] std::vector<Index> places() const {
        std::vector<Index> result(static_cast<std::size_t>(m_nonZerosPerCol.size()));
        for (std::size_t i = 0; i < result.size(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            result[i] = static_cast<Index>(m_P.size() > 0 ? m_P.indices()[row] : row);
        }
        return result;
    }
};

}  // namespace

struct SparseFactor::Kept {
    explicit Kept(Sparse&& given) {
        matrix.swap(given);
        analysis.analyzePattern(matrix);
        place = analysis.places();
    }

    [[nodiscard]] std::size_t size() const { return place.size(); }
    [[nodiscard]] Sparse upper_in_order() const;
    void reserve();
    std::size_t reach(const Sparse& upper, std::size_t k, std::vector<std::size_t>& seen,
                      std::vector<Index>& path) const;
    bool eliminate(const Sparse& upper, std::size_t k, std::span<const Index> columns, std::vector<double>& row);

    Sparse matrix;
    Analysis analysis;
    std::vector<Index> place;
    std::vector<Offset> begins{};  ///< begins of the columns of L, the diagonal first
    std::vector<Offset> ends{};    ///< ends of the entries that are there so far
    std::vector<Index> rows{};
    std::vector<double> values{};
};

/// The upper triangle of P A P^T by columns.
Sparse SparseFactor::Kept::upper_in_order() const {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(matrix.nonZeros()));
    for (int j = 0; j < matrix.outerSize(); ++j) {
        for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
            const Index a = place[static_cast<std::size_t>(entry.row())];
            const Index b = place[static_cast<std::size_t>(j)];
            entries.emplace_back(static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b)), entry.value());
        }
    }
    Sparse upper(matrix.rows(), matrix.cols());
    upper.setFromTriplets(entries.begin(), entries.end());
    return upper;
}

void SparseFactor::Kept::reserve() {
    begins.assign(1, 0);
    for (std::size_t j = 0; j < size(); ++j) {
        begins.push_back(begins.back() + static_cast<Offset>(analysis.counts()[static_cast<Eigen::Index>(j)]) + 1);
    }
    ends.assign(begins.begin(), begins.end() - 1);
    rows.resize(begins.back());
    values.resize(begins.back());
}

/// The columns of L that have an entry in row k, each after those that change it: from every entry of A up the tree.
/// They fill `path` from the returned place to its end.
std::size_t SparseFactor::Kept::reach(const Sparse& upper, std::size_t k, std::vector<std::size_t>& seen,
                                      std::vector<Index>& path) const {
    std::size_t top = path.size();
    seen[k] = k;
    for (Sparse::InnerIterator entry(upper, static_cast<Eigen::Index>(k)); entry; ++entry) {
        std::size_t length = 0;
        for (auto i = static_cast<std::size_t>(entry.row()); seen[i] != k;
             i = static_cast<std::size_t>(analysis.parents()[static_cast<Eigen::Index>(i)])) {
            path[length++] = static_cast<Index>(i);
            seen[i] = k;
        }
        while (length > 0) {
            path[--top] = path[--length];
        }
    }
    return top;
}

/// Row k of L from the rows before (up-looking; Davis, "Direct methods for sparse linear systems", SIAM 2006, section
/// 4.7). `row` is zero before and after. False where the pivot is not positive.
bool SparseFactor::Kept::eliminate(const Sparse& upper, std::size_t k, std::span<const Index> columns,
                                   std::vector<double>& row) {
    for (Sparse::InnerIterator entry(upper, static_cast<Eigen::Index>(k)); entry; ++entry) {
        row[static_cast<std::size_t>(entry.row())] = entry.value();
    }
    double pivot = row[k];
    row[k] = 0.0;
    for (const Index j : columns) {
        const double value = row[j] / values[begins[j]];
        row[j] = 0.0;
        for (Offset p = begins[j] + 1; p < ends[j]; ++p) {
            row[rows[p]] -= values[p] * value;
        }
        pivot -= value * value;
        rows[ends[j]] = static_cast<Index>(k);
        values[ends[j]++] = value;
    }
    if (!(pivot > 0.0)) {
        return false;
    }
    rows[ends[k]] = static_cast<Index>(k);
    values[ends[k]++] = std::sqrt(pivot);
    return true;
}

SparseFactor::SparseFactor(const CsrMatrix<double>& matrix) {
    if (matrix.rows != matrix.columns) {
        throw InvalidArgument("columns", std::to_string(matrix.columns),
                              "must be " + std::to_string(matrix.rows) + ", as many as rows");
    }
    kept_ = std::make_unique<Kept>(to_eigen(matrix));
}

SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

std::uint64_t SparseFactor::order_bytes(const CsrMatrix<double>& matrix) {
    // The lower half as a list, as a matrix, and both halves while rows are put in order.
    constexpr std::uint64_t of_entry = 40;
    constexpr std::uint64_t of_row = 12 * sizeof(double);
    return of_entry * matrix.entries() + of_row * matrix.rows;
}

double SparseFactor::operations() const {
    return kept_->analysis.counts().cast<double>().array().square().sum();
}

std::uint64_t SparseFactor::bytes() const {
    constexpr double entry = sizeof(double) + sizeof(Index);
    const double own = kept_->analysis.counts().cast<double>().sum() + static_cast<double>(kept_->size());
    // The matrix in order, and the list that it is made of; a few vectors.
    constexpr double of_matrix = 3 * sizeof(double) + 3 * sizeof(int);
    constexpr double of_row = 8 * sizeof(double);
    return static_cast<std::uint64_t>(entry * own + of_matrix * static_cast<double>(kept_->matrix.nonZeros()) +
                                      of_row * static_cast<double>(kept_->size()));
}

bool SparseFactor::compute(const RunContext& context) {
    constexpr double most_unchecked = 1e8;  // operations: some tenths of a second
    const Sparse upper = kept_->upper_in_order();
    kept_->reserve();
    std::vector<std::size_t> seen(kept_->size(), kept_->size());
    std::vector<Index> path(kept_->size());
    std::vector<double> row(kept_->size(), 0.0);
    double unchecked = 0.0;
    for (std::size_t k = 0; k < kept_->size(); ++k) {
        const std::size_t top = kept_->reach(upper, k, seen, path);
        for (std::size_t c = top; c < path.size(); ++c) {
            unchecked += static_cast<double>(kept_->ends[path[c]] - kept_->begins[path[c]]);
        }
        if (unchecked > most_unchecked) {
            throw_if_cancelled(context);
            context.report({"sparse factor", k, kept_->size(), 0.0});
            unchecked = 0.0;
        }
        if (!kept_->eliminate(upper, k, std::span(path).subspan(top), row)) {
            return false;
        }
    }
    return true;
}

void SparseFactor::solve(MultiVector<double>& x, const RunContext& context) const {
    const Kept& l = *kept_;
    parallel_tasks(context, x.columns(), [&](std::size_t column) {
        std::vector<double> y(l.size());
        for (std::size_t i = 0; i < l.size(); ++i) {
            y[l.place[i]] = x.at(i, column);
        }
        for (std::size_t j = 0; j < l.size(); ++j) {
            y[j] /= l.values[l.begins[j]];
            for (Offset p = l.begins[j] + 1; p < l.begins[j + 1]; ++p) {
                y[l.rows[p]] -= l.values[p] * y[j];
            }
        }
        for (std::size_t j = l.size(); j-- > 0;) {
            for (Offset p = l.begins[j] + 1; p < l.begins[j + 1]; ++p) {
                y[j] -= l.values[p] * y[l.rows[p]];
            }
            y[j] /= l.values[l.begins[j]];
        }
        for (std::size_t i = 0; i < l.size(); ++i) {
            x.at(i, column) = y[l.place[i]];
        }
    });
}

}  // namespace isogon
