#include "semidefinite/stretching.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <limits>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Eigen's factor, with its column counts before it is computed.
class NewtonFactor : public Eigen::SimplicialLDLT<Sparse> {
public:
    [[nodiscard]] auto columns() const { return m_nonZerosPerCol.cast<double>().array(); }
};

/// The first of the edges at v that lead to a higher node.
Offset first_higher(const DistanceGraph& graph, std::size_t v) {
    const auto begin = graph.others.begin() + static_cast<std::ptrdiff_t>(graph.offsets[v]);
    const auto end = graph.others.begin() + static_cast<std::ptrdiff_t>(graph.offsets[v + 1]);
    return graph.offsets[v] + static_cast<Offset>(std::lower_bound(begin, end, static_cast<Index>(v)) - begin);
}

std::size_t pattern_entries(const DistanceGraph& graph, std::size_t r) {
    return graph.edge_count() * r * r + graph.nodes * r * (r + 1) / 2;
}

/// The lower triangle by columns: of column (v, j) the rows (v, j..r-1), then all r of every higher neighbour.
Sparse pattern(const DistanceGraph& graph, std::size_t r) {
    const std::size_t size = graph.nodes * r;
    const std::size_t entries = pattern_entries(graph, r);
    if (entries > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw InvalidArgument("constraints", std::to_string(graph.edge_count()),
                              "too many for a sparse factor: use landmarks");
    }
    Sparse matrix(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
    matrix.resizeNonZeros(static_cast<Eigen::Index>(entries));
    int place = 0;
    for (std::size_t v = 0, column = 0; v < graph.nodes; ++v) {
        for (std::size_t j = 0; j < r; ++j, ++column) {
            matrix.outerIndexPtr()[column] = place;
            for (std::size_t i = j; i < r; ++i) {
                matrix.innerIndexPtr()[place++] = static_cast<int>(v * r + i);
            }
            for (Offset k = first_higher(graph, v); k < graph.offsets[v + 1]; ++k) {
                for (std::size_t i = 0; i < r; ++i) {
                    matrix.innerIndexPtr()[place++] = static_cast<int>(graph.others[k] * r + i);
                }
            }
        }
    }
    matrix.outerIndexPtr()[size] = place;
    std::fill_n(matrix.valuePtr(), entries, 0.0);
    return matrix;
}

}  // namespace

struct NewtonSystem::Parts {
    Sparse matrix;
    NewtonFactor factor;
    mutable Eigen::VectorXd solution;
};

NewtonSystem::NewtonSystem(const DistanceGraph& graph, Index columns)
    : graph_(graph), columns_(columns), parts_(std::make_unique<Parts>()) {
    parts_->matrix = pattern(graph, columns);
    parts_->factor.analyzePattern(parts_->matrix);
}

NewtonSystem::~NewtonSystem() = default;

std::uint64_t NewtonSystem::order_bytes(const DistanceGraph& graph, Index columns) {
    // The lower triangle, and while Eigen puts it in order both, their transpose and the sum of the two, with values.
    constexpr std::uint64_t of_entry = 8 * (sizeof(double) + sizeof(int));
    constexpr std::uint64_t of_row = 12 * sizeof(double);
    return of_entry * pattern_entries(graph, columns) + of_row * graph.nodes * columns;
}

double NewtonSystem::operations() const {
    return parts_->factor.columns().square().sum();
}

std::uint64_t NewtonSystem::bytes() const {
    constexpr double entry = sizeof(double) + sizeof(int);
    // Eigen permutes a copy of the matrix before the elimination.
    const double entries = parts_->factor.columns().sum() + 2.0 * static_cast<double>(parts_->matrix.nonZeros());
    return static_cast<std::uint64_t>(entry * (entries + 8.0 * static_cast<double>(parts_->matrix.rows())));
}

void NewtonSystem::fill_node(std::size_t v, const MultiVector<double>& outputs, const std::vector<double>& forces,
                             const std::vector<double>& stiffness) {
    const std::size_t r = columns_;
    const Offset higher = first_higher(graph_, v);
    double* const values = parts_->matrix.valuePtr();
    const double* own = outputs.row(v);
    for (std::size_t j = 0; j < r; ++j) {
        const int begin = parts_->matrix.outerIndexPtr()[v * r + j];
        double* diagonal = values + begin;   // rows j..r-1
        double* place = diagonal + (r - j);  // higher neighbours
        std::fill_n(diagonal, r - j, 0.0);
        diagonal[0] = -2.0 * graph_.masses[v];
        for (Offset k = graph_.offsets[v]; k < graph_.offsets[v + 1]; ++k) {
            const double* other = outputs.row(graph_.others[k]);
            const double force = 2.0 * forces[graph_.edges[k]];
            const double stiff = stiffness[graph_.edges[k]] * (own[j] - other[j]);
            diagonal[0] += force;
            for (std::size_t i = j; i < r; ++i) {
                diagonal[i - j] += stiff * (own[i] - other[i]);
            }
            for (std::size_t i = 0; k >= higher && i < r; ++i) {
                *place++ = -stiff * (own[i] - other[i]) - (i == j ? force : 0.0);
            }
        }
    }
}

bool NewtonSystem::factor(const MultiVector<double>& outputs, const std::vector<double>& forces,
                          const std::vector<double>& stiffness, const RunContext& context) {
    constexpr std::size_t nodes_in_block = 256;
    parallel_blocks(context, graph_.nodes, nodes_in_block, [&](Range nodes) {
        for (std::size_t v = nodes.begin; v < nodes.end; ++v) {
            fill_node(v, outputs, forces, stiffness);
        }
    });
    parts_->factor.factorize(parts_->matrix);
    if (parts_->factor.info() != Eigen::Success) {
        return false;
    }
    const Eigen::VectorXd pivots = parts_->factor.vectorD();
    const auto negative = static_cast<Index>((pivots.array() < 0.0).count());
    return pivots.allFinite() && negative == columns_;
}

void NewtonSystem::solve(MultiVector<double>& x) const {
    const Eigen::Map<Eigen::VectorXd> values(x.values().data(), static_cast<Eigen::Index>(x.values().size()));
    parts_->solution = parts_->factor.solve(values);
    std::copy_n(parts_->solution.data(), x.values().size(), x.values().data());
}

}  // namespace isogon
