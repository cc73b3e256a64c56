#include "isogon/linalg/sparse_factor.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A symmetric matrix by rows is the same by columns.
Sparse to_eigen(const WideSparseMatrix& matrix) {
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

/// Eigen's factor, with a look at its columns before it is computed.
class Factor : public Eigen::SimplicialLLT<Sparse> {
public:
    /// Entries below the diagonal, column by column.
    [[nodiscard]] auto columns() const { return m_nonZerosPerCol.cast<double>().array(); }
};

}  // namespace

struct SparseFactor::Kept {
    explicit Kept(Sparse given) : matrix(std::move(given)) { factor.analyzePattern(matrix); }

    Sparse matrix;
    Factor factor;
};

SparseFactor::SparseFactor(const WideSparseMatrix& matrix) {
    if (matrix.rows != matrix.columns) {
        throw InvalidArgument("columns", std::to_string(matrix.columns),
                              "must be " + std::to_string(matrix.rows) + ", as many as rows");
    }
    kept_ = std::make_unique<Kept>(to_eigen(matrix));
}

SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

double SparseFactor::operations() const {
    return kept_->factor.columns().square().sum();
}

std::uint64_t SparseFactor::bytes() const {
    constexpr double entry = sizeof(double) + sizeof(int);
    const double own = kept_->factor.columns().sum() + static_cast<double>(kept_->matrix.rows());
    return static_cast<std::uint64_t>(entry * (own + static_cast<double>(kept_->matrix.nonZeros())));
}

bool SparseFactor::compute() {
    kept_->factor.factorize(kept_->matrix);
    return kept_->factor.info() == Eigen::Success;
}

void SparseFactor::solve(WideVectors& x, const RunContext& context) const {
    parallel_tasks(context, x.columns, [&](std::size_t j) {
        Eigen::VectorXd column(static_cast<Eigen::Index>(x.rows));
        for (Index i = 0; i < x.rows; ++i) {
            column[i] = x.at(i, j);
        }
        column = kept_->factor.solve(column).eval();
        for (Index i = 0; i < x.rows; ++i) {
            x.at(i, j) = column[i];
        }
    });
}

}  // namespace isogon
