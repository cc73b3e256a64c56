#include "isogon/linalg/nonnegative_row.hpp"

#include <algorithm>

namespace isogon {

NonnegativeRow::NonnegativeRow(const DenseMatrix& gram) : gram_(gram), gradient_(gram.rows) {
    constexpr double negligible = 1e-14;  // in squares
    for (std::size_t k = 0; k < gram.rows; ++k) {
        smallest_ = std::max(smallest_, gram(k, k) * negligible);
    }
}

bool NonnegativeRow::improve(std::span<const double> products, std::span<double> weights, const DescentEnd& end) {
    std::transform(products.begin(), products.end(), gradient_.begin(), [](double product) { return -product; });
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (weights[k] != 0.0) {
            const double* column = gram_.values.data() + k * gram_.rows;
            for (std::size_t l = 0; l < gradient_.size(); ++l) {
                gradient_[l] += weights[k] * column[l];
            }
        }
    }
    double enough = 0.0;
    for (int done = 0; done < end.sweeps; ++done) {
        const double moved = sweep(weights);
        if (done == 0) {
            enough = moved * end.share * end.share;
        }
        if (moved <= enough) {
            return true;
        }
    }
    return false;
}

/// Returns the sum of the squares of the moves.
double NonnegativeRow::sweep(std::span<double> weights) {
    double moved = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double* column = gram_.values.data() + k * gram_.rows;
        if (column[k] <= smallest_) {
            continue;
        }
        const double step = std::max(-weights[k], -gradient_[k] / column[k]);
        if (step == 0.0) {
            continue;
        }
        weights[k] = std::max(0.0, weights[k] + step);
        moved += step * step * column[k];
        for (std::size_t l = 0; l < gradient_.size(); ++l) {
            gradient_[l] += step * column[l];
        }
    }
    return moved;
}

}  // namespace isogon
