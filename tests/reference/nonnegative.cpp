#include "reference/nonnegative.hpp"

namespace isogon::reference {

support::Matrix uniform_matrix(Index rows, Index columns, std::uint64_t seed) {
    support::Matrix result(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = 0; j < columns; ++j) {
            result(i, j) = random.uniform();
        }
    }
    return result;
}

support::Matrix separable_matrix(Index rows, Index columns, Index rank, std::uint64_t seed) {
    support::Matrix weights = uniform_matrix(rows, rank, seed);
    weights.topRows(rank) = 2.0 * support::Matrix::Identity(rank, rank);
    support::Matrix parts = uniform_matrix(rank, columns, seed + 1);
    for (Index k = 0; k < rank; ++k) {
        for (Index other = 0; other < rank; ++other) {
            parts(k, other) = k == other ? 1.0 : 0.0;  // and every column of W is one of X
        }
    }
    return weights * parts;
}

double hals_residual(const support::Matrix& x, support::Matrix w, support::Matrix h, int updates) {
    for (int update = 0; update < updates; ++update) {
        for (Eigen::Index k = 0; k < h.rows(); ++k) {
            const support::Matrix rest = x - w * h + w.col(k) * h.row(k);
            w.col(k) = (rest * h.row(k).transpose() / h.row(k).squaredNorm()).cwiseMax(0.0);
        }
        for (Eigen::Index k = 0; k < h.rows(); ++k) {
            const support::Matrix rest = x - w * h + w.col(k) * h.row(k);
            h.row(k) = (w.col(k).transpose() * rest / std::max(1e-300, w.col(k).squaredNorm())).cwiseMax(0.0);
        }
    }
    return (x - w * h).norm() / x.norm();
}

support::Matrix best_weights(const support::Matrix& x, const support::Matrix& h) {
    support::Matrix best = support::Matrix::Zero(x.rows(), h.rows());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        double least = x.row(i).squaredNorm();
        for (unsigned set = 1; set < 1U << static_cast<unsigned>(h.rows()); ++set) {
            std::vector<Eigen::Index> chosen;
            for (Eigen::Index k = 0; k < h.rows(); ++k) {
                if ((set >> static_cast<unsigned>(k) & 1U) != 0) {
                    chosen.push_back(k);
                }
            }
            const support::Matrix rows = h(chosen, Eigen::all);
            const Eigen::VectorXd w = rows.transpose().colPivHouseholderQr().solve(x.row(i).transpose());
            const double left = (x.row(i).transpose() - rows.transpose() * w).squaredNorm();
            if (w.minCoeff() >= 0.0 && left < least) {
                least = left;
                best.row(i).setZero();
                for (std::size_t k = 0; k < chosen.size(); ++k) {
                    best(i, chosen[k]) = w[static_cast<Eigen::Index>(k)];
                }
            }
        }
    }
    return best;
}

double kkt_violation(const support::Matrix& x, const support::Matrix& w, const support::Matrix& h) {
    const support::Matrix gradient = (w * h - x) * h.transpose();
    const double scale = (x * h.transpose()).cwiseAbs().maxCoeff();
    double worst = 0.0;
    for (Eigen::Index i = 0; i < w.rows(); ++i) {
        for (Eigen::Index k = 0; k < w.cols(); ++k) {
            worst = std::max(worst, w(i, k) > 0.0 ? std::abs(gradient(i, k)) : -gradient(i, k));
        }
    }
    return worst / scale;
}

}  // namespace isogon::reference
