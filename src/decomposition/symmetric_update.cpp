#include "decomposition/symmetric_update.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

Similarities upper_half(const ReluProblem& problem) {
    const CsrMatrix<double>& s = problem.forward.s;
    Similarities half;
    half.upper.rows = s.rows;
    half.upper.columns = s.columns;
    half.diagonal.assign(s.rows, 0.0F);
    half.squared_norm = problem.squared_norm;
    for (Index i = 0; i < s.rows; ++i) {
        for (std::size_t k = 0; k < s.row_indices(i).size(); ++k) {
            const Index j = s.row_indices(i)[k];
            const auto value = static_cast<float>(s.row_values(i)[k]);
            if (j == i) {
                half.diagonal[i] = value;
            } else if (j > i) {
                half.upper.indices.push_back(j);
                half.upper.values.push_back(value);
            }
        }
        half.upper.offsets.push_back(half.upper.indices.size());
    }
    return half;
}

/// What two halves of a matrix that was made in float32 may differ by, as a share of its largest entry.
constexpr double rounding = 1e-6;

/// An entry of a sparse matrix, 0 where it has none.
double entry(const CsrMatrix<double>& matrix, Index i, Index j) {
    const auto columns = matrix.row_indices(i);
    const auto found = std::ranges::lower_bound(columns, j);
    return found != columns.end() && *found == j
               ? matrix.row_values(i)[static_cast<std::size_t>(found - columns.begin())]
               : 0.0;
}

/// (W H + (W H)^T) / 2 = ((W + V) (W + V)^T - (W - V) (W - V)^T) / 4 with V = H^T.
LowRank symmetric_part(const ReluFactors& factors) {
    const Index n = factors.left.rows;
    const Index r = factors.rank();
    LowRank result{BlockVectors(n, 2 * r), std::vector<double>(2 * std::size_t{r}, 0.25)};
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < r; ++k) {
            const double w = factors.left.at(i, k);
            const double v = factors.right.at(i, k);
            result.factor.row(i)[k] = static_cast<float>(w + v);
            result.factor.row(i)[r + k] = static_cast<float>(w - v);
        }
    }
    std::fill(result.weights.begin() + static_cast<std::ptrdiff_t>(r), result.weights.end(), -0.25);
    return result;
}

}  // namespace

void require_symmetric(const ReluProblem& problem) {
    const CsrMatrix<double>& a = problem.forward.s;
    const CsrMatrix<double>& b = problem.backward.s;
    if (a.rows != a.columns) {
        throw InvalidArgument("algorithm", "symmetric",
                              "S is " + std::to_string(a.rows) + " x " + std::to_string(a.columns) +
                                  ", not square: choose another algorithm");
    }
    if (problem.forward.observed) {
        throw InvalidArgument("algorithm", "symmetric", "cannot complete missing entries: choose newton");
    }
    const double largest = *std::ranges::max_element(a.values);
    for (Index i = 0; i < a.rows; ++i) {
        for (std::size_t k = 0; k < a.row_indices(i).size(); ++k) {
            const Index j = a.row_indices(i)[k];
            if (std::abs(a.row_values(i)[k] - entry(b, i, j)) > rounding * largest) {
                throw InvalidArgument("algorithm", "symmetric",
                                      "S is not symmetric: row " + std::to_string(i) + ", column " + std::to_string(j) +
                                          " differs from its mirror image; choose another algorithm");
            }
        }
    }
}

SymmetricUpdate::SymmetricUpdate(const ReluProblem& problem, const ReluFactors& start, std::uint64_t seed,
                                 RunContext context)
    : similarities_(upper_half(problem)),
      context_(std::move(context)),
      state_(similarities_, symmetric_part(start), {.rank = start.rank(), .regularize = false, .seed = seed}, context_),
      factors_(start) {}

void SymmetricUpdate::read_off() {
    const LowRank& l = state_.matrix();
    factors_ = {WideVectors(l.size(), l.rank()), WideVectors(l.size(), l.rank())};
    for (Index i = 0; i < l.size(); ++i) {
        for (Index k = 0; k < l.rank(); ++k) {
            const double value = std::sqrt(std::abs(l.weights[k])) * double{l.factor.row(i)[k]};
            factors_.left.at(i, k) = value;
            factors_.right.at(i, k) = l.weights[k] < 0.0 ? -value : value;
        }
    }
}

void SymmetricUpdate::update() {
    state_.update();
    read_off();
}

}  // namespace isogon
