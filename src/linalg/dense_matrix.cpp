#include "linalg/dense_matrix.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/hypotenuse.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// +1 or -1, so that the component of largest magnitude becomes positive: eigenvectors are otherwise free in sign.
double sign_of(const Eigen::VectorXd& vector) {
    Eigen::Index place = 0;
    vector.cwiseAbs().maxCoeff(&place);
    return vector[place] < 0.0 ? -1.0 : 1.0;
}

}  // namespace

SmallEigen symmetric_eigen(const DenseMatrix& matrix, SpectrumOrder order) {
    if (matrix.rows == 0) {
        return {};  // the projection of a zero block; Eigen's solver reads beyond an empty matrix
    }
    const auto size = static_cast<Eigen::Index>(matrix.rows);
    const Eigen::Map<const Eigen::MatrixXd> map(matrix.values.data(), size, size);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(map);

    std::vector<Eigen::Index> places(matrix.rows);
    std::iota(places.begin(), places.end(), Eigen::Index{0});
    const auto key = [&](Eigen::Index i) {
        const double value = solver.eigenvalues()[i];
        switch (order) {
            case SpectrumOrder::Largest: return value;
            case SpectrumOrder::Smallest: return -value;
            case SpectrumOrder::LargestMagnitude: break;
        }
        return std::abs(value);
    };
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return key(a) > key(b); });

    SmallEigen result{std::vector<double>(matrix.rows), DenseMatrix(matrix.rows, matrix.rows)};
    Eigen::Map<Eigen::MatrixXd> vectors(result.vectors.values.data(), size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
        const Eigen::VectorXd vector = solver.eigenvectors().col(places[j]);
        result.values[j] = solver.eigenvalues()[places[j]];
        vectors.col(j) = sign_of(vector) * vector;
    }
    return result;
}

OrthogonalFactor orthogonal_factor(const DenseMatrix& matrix) {
    const auto size = static_cast<Eigen::Index>(matrix.rows);
    const Eigen::Map<const Eigen::MatrixXd> map(matrix.values.data(), size, size);
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(map, Eigen::ComputeFullU | Eigen::ComputeFullV);
    OrthogonalFactor factor{DenseMatrix(matrix.rows, matrix.rows), svd.singularValues().sum()};
    Eigen::Map<Eigen::MatrixXd>(factor.matrix.values.data(), size, size) = svd.matrixU() * svd.matrixV().transpose();
    return factor;
}

namespace {

using Place = Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// T = H A H^T, with H the product of the reflections I - tau v v^T; v of reflection j lies below the diagonal of
/// column j of `reflectors`, from row j + 1 on.
struct Reduction {
    VectorXd diagonal;
    VectorXd beside;  ///< entry i couples i and i + 1
    VectorXd factors;
    MatrixXd reflectors;
};

/// The reflection that turns x into (beta, 0, ...): x becomes v; returns beta and tau.
std::pair<double, double> make_reflection(Eigen::Ref<VectorXd> x) {
    const double rest = x.size() > 1 ? x.tail(x.size() - 1).stableNorm() : 0.0;
    if (rest == 0.0) {
        const double beta = x[0];
        x[0] = 1.0;
        return {beta, 0.0};
    }
    const double beta = -std::copysign(hypotenuse(x[0], rest), x[0]);
    const double tau = (beta - x[0]) / beta;
    x.tail(x.size() - 1) /= x[0] - beta;
    x[0] = 1.0;
    return {beta, tau};
}

/// A block of columns of the reduction; the trailing matrix is updated once, after them.
class ReductionBlock {
public:
    ReductionBlock(Reduction& reduction, Place first, Place columns, const RunContext& context)
        : reduction_(reduction),
          a_(reduction.reflectors),
          first_(first),
          v_(MatrixXd::Zero(a_.rows(), columns)),
          w_(MatrixXd::Zero(a_.rows(), columns)),
          context_(context) {}

    void reduce() {
        for (Place c = 0; c < v_.cols(); ++c) {
            throw_if_cancelled(context_);
            reduce_column(c);
        }
        update_rest();
    }

private:
    static constexpr Place block = 64;

    void reduce_column(Place c) {
        const Place j = first_ + c;
        const Place rest = a_.rows() - j - 1;
        auto column = a_.col(j).tail(rest + 1);
        column -= v_.block(j, 0, rest + 1, c) * w_.row(j).head(c).transpose();
        column -= w_.block(j, 0, rest + 1, c) * v_.row(j).head(c).transpose();
        reduction_.diagonal[j] = column[0];
        if (rest == 0) {
            return;
        }
        const auto [beta, tau] = make_reflection(a_.col(j).tail(rest));
        reduction_.beside[j] = beta;
        reduction_.factors[j] = tau;
        const auto v = a_.col(j).tail(rest);
        auto w = w_.col(c).tail(rest);
        multiply_rest(j + 1, v, w);
        const VectorXd along_v = v_.bottomLeftCorner(rest, c).transpose() * v;
        const VectorXd along_w = w_.bottomLeftCorner(rest, c).transpose() * v;
        w -= v_.bottomLeftCorner(rest, c) * along_w;
        w -= w_.bottomLeftCorner(rest, c) * along_v;
        w *= tau;
        w -= (0.5 * tau * w.dot(v)) * v;
        v_.col(c).tail(rest) = v;
    }

    /// w = A v of the rows and columns from `first` on, as they were before this block.
    template <class In, class Out>
    void multiply_rest(Place first, const In& v, Out& w) const {
        const auto rest = static_cast<std::size_t>(a_.rows() - first);
        parallel_blocks(context_, rest, block, [&](Range range) {
            const auto begin = static_cast<Place>(range.begin);
            const auto size = static_cast<Place>(range.size());
            w.segment(begin, size).noalias() = a_.block(first, first + begin, a_.rows() - first, size).transpose() * v;
        });
    }

    /// A -= V W^T + W V^T
    void update_rest() {
        const Place first = first_ + v_.cols();
        const Place rest = a_.rows() - first;
        if (rest <= 0) {
            return;
        }
        const auto v = v_.bottomRows(rest);
        const auto w = w_.bottomRows(rest);
        parallel_blocks(context_, static_cast<std::size_t>(rest), block, [&](Range range) {
            const auto begin = static_cast<Place>(range.begin);
            const auto size = static_cast<Place>(range.size());
            auto columns = a_.block(first, first + begin, rest, size);
            columns.noalias() -= v * w.middleRows(begin, size).transpose();
            columns.noalias() -= w * v.middleRows(begin, size).transpose();
        });
    }

    Reduction& reduction_;
    MatrixXd& a_;
    Place first_;
    MatrixXd v_;
    MatrixXd w_;
    const RunContext& context_;
};

Reduction reduce(const DenseMatrix& matrix, const RunContext& context) {
    constexpr Place columns_in_block = 32;
    const auto size = static_cast<Place>(matrix.rows);
    Reduction reduction{VectorXd::Zero(size), VectorXd::Zero(size), VectorXd::Zero(size),
                        Eigen::Map<const MatrixXd>(matrix.values.data(), size, size)};
    for (Place first = 0; first < size; first += columns_in_block) {
        ReductionBlock(reduction, first, std::min(columns_in_block, size - first), context).reduce();
    }
    return reduction;
}

/// How many eigenvalues of the tridiagonal matrix are above x: Sturm's sequence.
Place count_above(const Reduction& t, double x) {
    constexpr double least_pivot = epsilon * epsilon;
    Place above = 0;
    double pivot = 1.0;
    for (Place i = 0; i < t.diagonal.size(); ++i) {
        const double coupling = i > 0 ? t.beside[i - 1] : 0.0;
        pivot = t.diagonal[i] - x - coupling * coupling / pivot;
        if (std::abs(pivot) < least_pivot) {
            pivot = -least_pivot;
        }
        above += pivot > 0.0 ? 1 : 0;
    }
    return above;
}

/// Divides T by Gershgorin's bound of its eigenvalues, which are then in [-1, 1]; returns the bound.
double scale_to_one(Reduction& t) {
    double bound = 0.0;
    for (Place i = 0; i < t.diagonal.size(); ++i) {
        const double before = i > 0 ? std::abs(t.beside[i - 1]) : 0.0;
        bound = std::max(bound, std::abs(t.diagonal[i]) + before + std::abs(t.beside[i]));
    }
    if (bound > 0.0) {
        t.diagonal /= bound;
        t.beside /= bound;
    }
    return bound;
}

/// The k-th largest eigenvalue, by bisection.
double eigenvalue(const Reduction& t, Place k) {
    double low = -1.0;
    double high = 1.0;
    while (high - low > 0.5 * epsilon) {
        const double middle = low + 0.5 * (high - low);
        (count_above(t, middle) > k ? low : high) = middle;
    }
    return high;
}

/// x := (T - shift)^-1 x, up to a factor; Gaussian elimination with row exchanges.
class ShiftedSolver {
public:
    ShiftedSolver(const Reduction& t, double shift)
        : pivots_(t.diagonal.array() - shift),
          above_(t.beside),
          second_(VectorXd::Zero(pivots_.size())),
          factors_(VectorXd::Zero(pivots_.size())),
          swapped_(static_cast<std::size_t>(pivots_.size())) {
        const Place size = pivots_.size();
        for (Place i = 0; i + 1 < size; ++i) {
            const double below = t.beside[i];
            const auto place = static_cast<std::size_t>(i);
            swapped_[place] = std::abs(below) > std::abs(pivots_[i]);
            if (swapped_[place]) {
                factors_[i] = pivots_[i] / below;
                const double next_above = above_[i + 1];
                const double old_above = above_[i];
                pivots_[i] = below;
                above_[i] = pivots_[i + 1];
                second_[i] = i + 2 < size ? next_above : 0.0;
                pivots_[i + 1] = old_above - factors_[i] * above_[i];
                above_[i + 1] = i + 2 < size ? -factors_[i] * next_above : 0.0;
            } else {
                factors_[i] = pivots_[i] == 0.0 ? 0.0 : below / pivots_[i];
                pivots_[i + 1] -= factors_[i] * above_[i];
            }
        }
        for (double& pivot : pivots_) {
            pivot = std::abs(pivot) < epsilon ? std::copysign(epsilon, pivot) : pivot;
        }
    }

    void solve(VectorXd& x) const {
        const Place size = x.size();
        for (Place i = 0; i + 1 < size; ++i) {
            if (swapped_[static_cast<std::size_t>(i)]) {
                std::swap(x[i], x[i + 1]);
            }
            x[i + 1] -= factors_[i] * x[i];
        }
        for (Place i = size - 1; i >= 0; --i) {
            double value = x[i];
            value -= i + 1 < size ? above_[i] * x[i + 1] : 0.0;
            value -= i + 2 < size ? second_[i] * x[i + 2] : 0.0;
            x[i] = value / pivots_[i];
        }
    }

private:
    VectorXd pivots_;
    VectorXd above_;
    VectorXd second_;
    VectorXd factors_;
    std::vector<bool> swapped_;
};

/// Inverse iteration, orthogonal to the vectors before: eigenvalues may be equal.
VectorXd eigenvector(const Reduction& t, double value, const Eigen::Ref<const MatrixXd>& before) {
    const Place size = t.diagonal.size();
    const ShiftedSolver solver(t, value);
    Random random(0, RandomStream::SubspaceStart, static_cast<std::uint64_t>(before.cols()));
    VectorXd x(size);
    for (double& entry : x) {
        entry = random.normal();
    }
    x.normalize();
    // One step from a random vector nearly always converges; another restores what the orthogonalisation removed.
    constexpr int steps = 3;
    for (int step = 0; step < steps; ++step) {
        solver.solve(x);
        x /= x.lpNorm<Eigen::Infinity>();
        for (int pass = 0; pass < 2; ++pass) {
            x.normalize();
            const VectorXd along = before.transpose() * x;
            x.noalias() -= before * along;
        }
        x.normalize();
    }
    return x;
}

/// z := H^T z, for some columns at a time.
void turn_back(const Reduction& reduction, MatrixXd& z, const RunContext& context) {
    constexpr std::size_t columns_in_block = 16;
    constexpr Place reflections_between_looks = 256;
    for (Place last = z.rows() - 2; last >= 0; last -= reflections_between_looks) {
        throw_if_cancelled(context);
        parallel_blocks(context, static_cast<std::size_t>(z.cols()), columns_in_block, [&](Range range) {
            const auto begin = static_cast<Place>(range.begin);
            const auto size = static_cast<Place>(range.size());
            for (Place j = last; j > std::max<Place>(-1, last - reflections_between_looks); --j) {
                const Place rest = z.rows() - j - 1;
                const auto v = reduction.reflectors.col(j).tail(rest);
                auto columns = z.block(j + 1, begin, rest, size);
                const Eigen::RowVectorXd along = v.transpose() * columns;
                columns.noalias() -= (reduction.factors[j] * v) * along;
            }
        });
    }
}

}  // namespace

SmallEigen largest_eigenpairs(const DenseMatrix& matrix, std::size_t rank, const RunContext& context) {
    if (rank > matrix.rows) {
        throw InvalidArgument("rank", std::to_string(rank),
                              "must be at most " + std::to_string(matrix.rows) + ", the size of the matrix");
    }
    SmallEigen result{std::vector<double>(rank), DenseMatrix(matrix.rows, rank)};
    if (rank == 0) {
        return result;
    }
    Reduction t = reduce(matrix, context);
    const double unit = scale_to_one(t);
    parallel_tasks(context, rank, [&](std::size_t k) { result.values[k] = eigenvalue(t, static_cast<Place>(k)); });
    MatrixXd z(static_cast<Place>(matrix.rows), static_cast<Place>(rank));
    for (Place k = 0; k < z.cols(); ++k) {
        throw_if_cancelled(context);
        z.col(k) = eigenvector(t, result.values[static_cast<std::size_t>(k)], z.leftCols(k));
    }
    turn_back(t, z, context);
    for (Place k = 0; k < z.cols(); ++k) {
        const VectorXd vector = z.col(k);
        Eigen::Map<VectorXd>(result.vectors.values.data() + k * z.rows(), z.rows()) = sign_of(vector) * vector;
        result.values[static_cast<std::size_t>(k)] *= unit;
    }
    return result;
}

}  // namespace isogon
