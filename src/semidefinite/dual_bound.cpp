#include "semidefinite/dual_bound.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "isogon/core/option_table.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using CholeskyFactor = Eigen::SimplicialLLT<Sparse>;

Eigen::Index length(std::size_t count) {
    return static_cast<Eigen::Index>(count);
}

/// A = M^-1/2 L M^-1/2 as an operator, and (A + shift)^-1 by a factor of L + shift M.
class ScaledLaplacian {
public:
    ScaledLaplacian(const DistanceGraph& graph, const std::vector<double>& weights)
        : roots_(Eigen::Map<const Eigen::ArrayXd>(graph.masses.data(), length(graph.nodes)).sqrt()) {
        laplacian_ = laplacian(graph, weights);
        null_ = roots_ / std::sqrt(roots_.square().sum());
        for (double shift = 0.05; !factored(shift) && shift < 1e300;) {  // at once, but for rounding
            shift *= 4.0;
        }
    }

    [[nodiscard]] Eigen::MatrixXd product(const Eigen::MatrixXd& x) const {
        const Eigen::MatrixXd inner = x.array().colwise() / roots_;
        Eigen::MatrixXd result = laplacian_.selfadjointView<Eigen::Lower>() * inner;
        return result.array().colwise() / roots_;
    }
    [[nodiscard]] Eigen::MatrixXd inverse(const Eigen::MatrixXd& x) const {
        const Eigen::MatrixXd inner = x.array().colwise() * roots_;
        Eigen::MatrixXd result = factor_.solve(inner);
        return result.array().colwise() * roots_;
    }
    void remove_null(Eigen::MatrixXd& x) const {
        const Eigen::VectorXd null = null_.matrix();
        x -= null * (null.transpose() * x).eval();
    }
    [[nodiscard]] const Eigen::ArrayXd& roots() const { return roots_; }

private:
    static Sparse laplacian(const DistanceGraph& graph, const std::vector<double>& weights) {
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(graph.nodes + graph.edge_count());
        for (std::size_t v = 0; v < graph.nodes; ++v) {
            double degree = 0.0;
            for (Offset k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
                degree += weights[graph.edges[k]];
            }
            entries.emplace_back(static_cast<int>(v), static_cast<int>(v), degree);
        }
        for (std::size_t a = 0; a < graph.edge_count(); ++a) {
            entries.emplace_back(static_cast<int>(graph.kept.pairs[a].second),
                                 static_cast<int>(graph.kept.pairs[a].first), -weights[a]);
        }
        Sparse result(length(graph.nodes), length(graph.nodes));
        result.setFromTriplets(entries.begin(), entries.end());
        return result;
    }
    bool factored(double shift) {
        Sparse shifted = laplacian_;
        for (Eigen::Index v = 0; v < shifted.rows(); ++v) {
            shifted.coeffRef(v, v) += shift * roots_[v] * roots_[v];
        }
        factor_.compute(shifted);
        return factor_.info() == Eigen::Success;
    }

    Eigen::ArrayXd roots_;
    Eigen::ArrayXd null_;
    Sparse laplacian_;
    CholeskyFactor factor_;
};

/// Orthonormal columns of the span of x beyond that of the basis: twice, for what is nearly in it.
Eigen::MatrixXd orthonormal(const ScaledLaplacian& matrix, const Eigen::MatrixXd& basis, Eigen::MatrixXd x) {
    for (int pass = 0; pass < 2; ++pass) {
        matrix.remove_null(x);
        x -= basis * (basis.transpose() * x).eval();
        const Eigen::HouseholderQR<Eigen::MatrixXd> factor(x);
        x = factor.householderQ() * Eigen::MatrixXd::Identity(x.rows(), x.cols());
    }
    return x;
}

}  // namespace

LeastEigenpair least_eigenpair(const DistanceGraph& graph, const std::vector<double>& weights, std::uint64_t seed,
                               const RunContext& context) {
    constexpr Index width = 4;
    constexpr Index products = 15;
    throw_if_cancelled(context);
    const ScaledLaplacian matrix(graph, weights);
    const Index block = std::min<Index>(width, graph.nodes - 1);
    const Index most = std::min<Index>(products * block, graph.nodes - 1);
    Eigen::MatrixXd basis(length(graph.nodes), 0);
    const MultiVector<double> random = random_normal(graph.nodes, block, seed, RandomStream::UnfoldingBound);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::MatrixXd newest = Eigen::Map<const RowMajor>(random.row(0), length(graph.nodes), length(block));
    while (basis.cols() < most) {
        throw_if_cancelled(context);
        const Eigen::Index kept = std::min<Eigen::Index>(newest.cols(), length(most) - basis.cols());
        newest = orthonormal(matrix, basis, newest.leftCols(kept));
        basis.conservativeResize(Eigen::NoChange, basis.cols() + kept);
        basis.rightCols(kept) = newest;
        newest = matrix.inverse(newest);
    }
    const Eigen::MatrixXd images = matrix.product(basis);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(basis.transpose() * images);
    const Eigen::VectorXd coefficients = pairs.eigenvectors().col(0);
    const Eigen::VectorXd vector = basis * coefficients;
    LeastEigenpair result{.value = pairs.eigenvalues()[0]};
    result.residual = (images * coefficients - result.value * vector).norm();
    result.vector.resize(graph.nodes);
    Eigen::Map<Eigen::ArrayXd>(result.vector.data(), vector.size()) = vector.array() / matrix.roots();
    return result;
}

DualBound::DualBound(const DistanceGraph& graph, std::uint64_t seed, const RunContext& context)
    : graph_(graph), feasible_(graph.edge_count()) {
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        feasible_[a] = 1.0 / graph.scale(a);
    }
    least_ = least_eigenpair(graph, feasible_, seed, context);
}

double DualBound::value(const std::vector<double>& multipliers) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < multipliers.size(); ++a) {
        sum += multipliers[a] * graph_.kept.squared[a];
    }
    return sum;
}

double DualBound::from(const std::vector<double>& multipliers, const LeastEigenpair& least) const {
    constexpr double none = std::numeric_limits<double>::infinity();
    const double own = value(multipliers);
    const double other = value(feasible_);
    const double mu = least.sure();
    const double scaled = mu > 0.0 ? own / mu : none;
    const double mixed = least_.sure() > 0.0 ? own + std::max(0.0, 1.0 - mu) / least_.sure() * other : none;
    return std::min(scaled, mixed);
}

namespace {

std::string message_of(const Unfolding& unfolding, double tolerance) {
    const std::string gap = "gap " + to_text(OptionValue{unfolding.gap}) + ", largest violation " +
                            to_text(OptionValue{unfolding.largest_violation});
    switch (unfolding.status) {
        case SemidefiniteStatus::Solved: return gap + ", within " + to_text(OptionValue{tolerance});
        case SemidefiniteStatus::Interrupted: return "interrupted at " + gap;
        default: return "the iterations ended at " + gap;
    }
}

}  // namespace

double largest_stretch(const MultiVector<double>& outputs, const DistanceConstraints& constraints) {
    double largest = 1.0;
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const auto& [i, j] = constraints.pairs[a];
        const double squared = constraints.squared[a];
        const double found = squared_distance(outputs.row(i), outputs.row(j), outputs.columns());
        const double ratio = found == squared ? 1.0
                             : squared > 0.0  ? found / squared
                                              : std::numeric_limits<double>::infinity();
        largest = std::max(largest, ratio);
    }
    return largest;
}

Unfolding finished_unfolding(Unfolding found, const DistanceConstraints& constraints, double tolerance,
                             const RunContext& context) {
    MultiVector<double>& outputs = found.outputs;
    remove_means(outputs);
    const double scale = 1.0 / std::sqrt(largest_stretch(outputs, constraints));
    for (double& value : outputs.values()) {
        value *= scale;
    }
    outputs =
        multiply(outputs, symmetric_eigen(gram(outputs, outputs, context), SpectrumOrder::Largest).vectors, context);
    fix_signs(outputs);
    for (const double length : column_norms(outputs, context)) {
        found.eigenvalues.push_back(length * length);
        found.trace += length * length;
    }
    found.largest_violation = largest_stretch(outputs, constraints) - 1.0;
    // Relative, so that it does not depend on the unit of the points.
    const double size = std::abs(found.bound) + std::abs(found.trace);
    found.gap = std::isinf(found.bound) ? found.bound : size > 0.0 ? (found.bound - found.trace) / size : 0.0;
    // The best outputs and the best bound may come from different rounds: their gap can be smaller than that of each
    // round.
    if (found.status == SemidefiniteStatus::NotConverged && std::abs(found.gap) <= tolerance &&
        found.largest_violation <= tolerance) {
        found.status = SemidefiniteStatus::Solved;
    }
    found.message = message_of(found, tolerance);
    return found;
}

}  // namespace isogon
