#include "reference/cross_quality.hpp"

#include <cmath>

namespace isogon::reference {

Points stacked(const Points& first, const Points& second) {
    Points result(first.count() + second.count(), first.dimension());
    std::copy(first.values().begin(), first.values().end(), result.values().begin());
    std::copy(second.values().begin(), second.values().end(), result.values().begin() + first.values().size());
    return result;
}

namespace {

/// Nearer than the k-th, and tied with it.
struct Nearest {
    std::vector<bool> inside;
    std::vector<bool> tied;
};

Nearest nearest_fitted(const Points& p, Index i, Index placed, Index k) {
    std::vector<double> keys;
    for (Index j = placed; j < p.count(); ++j) {
        keys.push_back(1.0 - cosine(p, i, j));
    }
    std::vector<double> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    const double width = 1e-5 * sorted[k - 1] + 1e-13;
    Nearest nearest;
    for (const double key : keys) {
        nearest.inside.push_back(key < sorted[k - 1] - width);
        nearest.tied.push_back(!nearest.inside.back() && key <= sorted[k - 1] + width);
    }
    return nearest;
}

double common(const std::vector<bool>& a, const std::vector<bool>& b) {
    double count = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        count += a[j] && b[j];
    }
    return count;
}

double choose(double n, double k) {
    return k < 0.0 || k > n ? 0.0 : std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
}

/// How many of k neighbours in x are among the k in y: the best choice among points that tie in x, the mean over the
/// choices among points that tie in y.
double kept(const Nearest& x, const Nearest& y, double k) {
    const double open_x = k - common(x.inside, x.inside);
    const double open_y = k - common(y.inside, y.inside);
    const double all = common(y.tied, y.tied);
    const double marked = common(x.tied, y.tied);
    double tied = 0.0;
    for (double drawn = 0.0; drawn <= open_y; ++drawn) {
        tied += choose(marked, drawn) * choose(all - marked, open_y - drawn) / choose(all, open_y) *
                std::min(open_x, drawn + common(x.tied, y.inside));
    }
    return common(x.inside, y.inside) + common(x.inside, y.tied) * open_y / all + tied;
}

}  // namespace

Cross cross(const Points& x, const Points& y, Index placed, double threshold, Index k) {
    double deviations = 0.0, in_x = 0.0, in_both = 0.0, in_either = 0.0, shared = 0.0, directed = 0.0;
    Cross result;
    for (Index i = 0; i < placed; ++i) {
        const double before = in_x;
        for (Index j = placed; j < x.count(); ++j) {
            const bool x_above = cosine(x, i, j) > threshold;
            const bool y_above = cosine(y, i, j) > threshold;
            in_x += x_above;
            in_both += x_above && y_above;
            in_either += x_above || y_above;
            deviations += x_above ? std::abs(degrees(x, i, j) - degrees(y, i, j)) : 0.0;
        }
        shared += is_zero(x, i) ? 0.0 : kept(nearest_fitted(x, i, placed, k), nearest_fitted(y, i, placed, k), k);
        directed += !is_zero(x, i);
        result.isolated += in_x == before && !is_zero(x, i);
    }
    result.deviation = in_x > 0.0 ? deviations / in_x : 0.0;
    result.jaccard = in_either > 0.0 ? in_both / in_either : 1.0;
    result.recall = directed > 0.0 ? shared / directed / k : 1.0;
    return result;
}

}  // namespace isogon::reference
