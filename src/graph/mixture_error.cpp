#include "isogon/graph/mixture_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "isogon/core/parallel.hpp"

namespace isogon {

double mixture_error(const PointsView& x, const PointsView& landmarks, const CsrMatrix<double>& z,
                     const RunContext& context) {
    constexpr std::size_t rows_in_block = 256;
    const auto missed_by = [&](Index i, std::vector<double>& difference) {
        const auto point = x[i];
        std::copy(point.begin(), point.end(), difference.begin());
        for (std::size_t e = 0; e < z.row_indices(i).size(); ++e) {
            const auto landmark = landmarks[z.row_indices(i)[e]];
            for (Index k = 0; k < x.dimension; ++k) {
                difference[k] -= z.row_values(i)[e] * double{landmark[k]};
            }
        }
        return std::inner_product(difference.begin(), difference.end(), difference.begin(), 0.0);
    };
    const double missed = parallel_sum(context, x.count, rows_in_block, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        std::vector<double> difference(x.dimension);
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            sum += missed_by(static_cast<Index>(i), difference);
        }
        return sum;
    });
    return std::sqrt(missed / static_cast<double>(x.count));
}

}  // namespace isogon
