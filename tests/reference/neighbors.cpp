#include "reference/neighbors.hpp"

namespace isogon::reference {

double distance(const PointsView& x, Index i, const PointsView& y, Index j, Metric metric) {
    double product = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    double squares = 0.0;
    for (Index k = 0; k < x.dimension; ++k) {
        const double a = double{x[i][k]};
        const double b = double{y[j][k]};
        product += a * b;
        xx += a * a;
        yy += b * b;
        squares += (a - b) * (a - b);
    }
    switch (metric) {
        case Metric::Cosine: return xx == 0.0 || yy == 0.0 ? 1.0 : 1.0 - product / std::sqrt(xx * yy);
        case Metric::InnerProduct: return -product;
        case Metric::Euclidean: return std::sqrt(squares);
    }
    return 0.0;
}

std::vector<double> sorted_distances(const PointsView& queries, Index i, const PointsView& points, Metric metric) {
    std::vector<double> all;
    for (Index j = 0; j < points.count; ++j) {
        if (queries.data != points.data || i != j) {
            all.push_back(distance(queries, i, points, j, metric));
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace isogon::reference
