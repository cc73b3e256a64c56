#pragma once
#include <optional>
#include <string>
#include <vector>

#include "decomposition/completion.hpp"
#include "decomposition/relu_factors.hpp"
#include "decomposition/relu_problem.hpp"
#include "support/spectral_problems.hpp"

/// Matrices S ~ max(0, W H) for tests, and what the definitions say of them, dense.
namespace isogon::support {

/// max(0, W H - shift) with normal factors of that rank: about half above zero at shift 0.
Matrix planted_relu(Index rows, Index columns, Index rank, double shift, std::uint64_t seed);

ReluFactors random_factors(Index rows, Index columns, Index rank, std::uint64_t seed);
Matrix product_of(const ReluFactors& factors);

struct ReluExample {
    std::string name;
    Matrix s;
    std::optional<Matrix> observed;  ///< 1 where S is known
    [[nodiscard]] ReluProblem problem() const;
    [[nodiscard]] bool known(Eigen::Index i, Eigen::Index j) const { return !observed || (*observed)(i, j) != 0.0; }
};

/// Sides below, at and above multiples of 48, wide and tall, empty rows and columns, dense and sparse, with entries
/// unknown.
std::vector<ReluExample> relu_examples();

/// Z of eq. 5, by its definition.
Matrix completed(const ReluExample& example, const Matrix& latent);

/// All of a completion, tile by tile.
Matrix whole(const Completion& z, bool back);

/// |A|^2 of the known entries where A is |Z - L| and |S - max(0, L)|.
double latent_squares(const ReluExample& example, const Matrix& latent);
double output_squares(const ReluExample& example, const Matrix& latent);

/// The best approximation of rank r, by a full singular value decomposition.
Matrix best_of_rank(const Matrix& matrix, Index rank);

}  // namespace isogon::support
