#include "decomposition/relu_examples.hpp"

namespace isogon::support {

Matrix planted_relu(Index rows, Index columns, Index rank, double shift, std::uint64_t seed) {
    const Matrix latent = random_matrix(rows, rank, seed) * random_matrix(rank, columns, seed + 1000);
    return (latent.array() - shift).max(0.0).matrix();
}

ReluFactors random_factors(Index rows, Index columns, Index rank, std::uint64_t seed) {
    return {to_multi_vector(random_matrix(rows, rank, seed)),
            to_multi_vector(random_matrix(columns, rank, seed + 1000))};
}

Matrix product_of(const ReluFactors& factors) {
    return to_matrix(factors.left) * to_matrix(factors.right).transpose();
}

ReluProblem ReluExample::problem() const {
    const CsrMatrix<double> sparse = csr_matrix(s);
    if (!observed) {
        return relu_problem(sparse, nullptr);
    }
    const CsrMatrix<double> mask = csr_matrix(*observed);
    return relu_problem(sparse, &mask);
}

std::vector<ReluExample> relu_examples() {
    std::vector<ReluExample> list{{"one", Matrix::Constant(1, 1, 2.0), {}},
                                  {"small", planted_relu(5, 7, 2, 0.0, 1), {}},
                                  {"a tile", planted_relu(48, 48, 4, 0.0, 2), {}},
                                  {"tall", planted_relu(150, 47, 4, 1.0, 3), {}},
                                  {"wide", planted_relu(49, 97, 3, 2.0, 4), {}},
                                  {"empty rows and columns", planted_relu(60, 70, 3, 3.0, 5), {}}};
    list.back().s.topRows(20).setZero();
    list.back().s.rightCols(50).setZero();
    const Matrix mask = (random_matrix(60, 55, 7).array() > -0.8).cast<double>();
    list.push_back({"unknown entries", planted_relu(60, 55, 3, 0.5, 6).cwiseProduct(mask), mask});
    return list;
}

Matrix completed(const ReluExample& example, const Matrix& latent) {
    Matrix z = latent;
    for (Eigen::Index i = 0; i < z.rows(); ++i) {
        for (Eigen::Index j = 0; j < z.cols(); ++j) {
            if (example.known(i, j)) {
                z(i, j) = example.s(i, j) > 0.0 ? example.s(i, j) : std::min(0.0, latent(i, j));
            }
        }
    }
    return z;
}

Matrix whole(const Completion& z, bool back) {
    const ReluSide& side = z.problem().side(back);
    Matrix result(side.rows(), side.columns());
    constexpr auto width = static_cast<Index>(panel_width);
    for (Index p = 0; p * width < side.rows(); ++p) {
        CompletionCursor cursor(side, p * width);
        for (Index q = 0; q * width < side.columns(); ++q) {
            EntryTile tile;
            z.fill(back, p, q, cursor, tile);
            for (Index i = p * width; i < std::min(side.rows(), (p + 1) * width); ++i) {
                for (Index j = q * width; j < std::min(side.columns(), (q + 1) * width); ++j) {
                    result(i, j) = tile.at(i - p * width, j - q * width);
                }
            }
        }
    }
    return result;
}

double latent_squares(const ReluExample& example, const Matrix& latent) {
    return (completed(example, latent) - latent).squaredNorm();
}

double output_squares(const ReluExample& example, const Matrix& latent) {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < latent.rows(); ++i) {
        for (Eigen::Index j = 0; j < latent.cols(); ++j) {
            const double difference = example.s(i, j) - std::max(0.0, latent(i, j));
            sum += example.known(i, j) ? difference * difference : 0.0;
        }
    }
    return sum;
}

Matrix best_of_rank(const Matrix& matrix, Index rank) {
    const Eigen::JacobiSVD<Matrix> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto r = std::min<Eigen::Index>(rank, svd.singularValues().size());
    return svd.matrixU().leftCols(r) * svd.singularValues().head(r).asDiagonal() *
           svd.matrixV().leftCols(r).transpose();
}

}  // namespace isogon::support
