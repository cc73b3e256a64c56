#include "forces/local_density.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "graph/local_radii.hpp"

namespace isogon {

namespace {

constexpr std::size_t density_rows_of_task = 256;
constexpr float longest_pair_step = 4.0F;  // umap-learn's

struct Moments {
    double mean = 0.0;
    double variance = 0.0;
};

Moments moments_of(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    const double squares = std::accumulate(values.begin(), values.end(), 0.0, [mean](double sum, double value) {
        return sum + (value - mean) * (value - mean);
    });
    return {mean, squares / count};
}

}  // namespace

LocalDensity::LocalDensity(const CsrMatrix<double>& edges, std::span<const double> log_radii,
                           const OutputKernel& kernel)
    : edges_(edges), kernel_(kernel), wanted_(log_radii.begin(), log_radii.end()) {
    const Moments moments = moments_of(wanted_);
    const double deviation = std::sqrt(moments.variance);
    for (double& value : wanted_) {
        value = deviation > 0.0 ? (value - moments.mean) / deviation : 0.0;
    }
    if (!edges.values.empty()) {
        const double heaviest = *std::ranges::max_element(edges.values);
        scale_ = heaviest > 0.0 ? std::accumulate(edges.values.begin(), edges.values.end(), 0.0) / heaviest : 0.0;
    }
}

LocalDensity::Radii LocalDensity::radii_of(const Points& y, const RunContext& context) const {
    const std::vector<double> zeros(edges_.rows);
    Radii radii{zeros, zeros, zeros};
    parallel_blocks(context, edges_.rows, density_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            double squares = 0.0;
            for (const Index k : edges_.row_indices(i)) {
                const double squared = squared_distance(y[i].data(), y[k].data(), y.dimension());
                const double closeness = kernel_.value(squared);
                squares += closeness * squared;
                radii.sums[i] += closeness;
            }
            radii.radii[i] = least_local_radius + (radii.sums[i] > 0.0 ? squares / radii.sums[i] : 0.0);
            radii.logs[i] = elementary::log(radii.radii[i]);
        }
    });
    return radii;
}

double LocalDensity::correlation(const Points& y, const RunContext& context) const {
    const std::vector<double> logs = radii_of(y, context).logs;
    const double deviation = std::sqrt(moments_of(logs).variance);
    const double product = std::inner_product(logs.begin(), logs.end(), wanted_.begin(), 0.0);
    return deviation > 0.0 ? product / (deviation * static_cast<double>(logs.size())) : 0.0;
}

/// With r the log radii of outputs, R the standardised ones of inputs: the derivative of the correlation by r_i is
/// (R_i - cov(r, R) (r_i - mean r) / var r) / (n sd r), and that of r_i by |y_i - y_k|^2
/// phi_ik / sum_l phi_il ((1 - b (1 - phi_ik)) / exp(r_i) + b (1 - phi_ik) / |y_i - y_k|^2).
void LocalDensity::step(Points& y, double rate, const RunContext& context) const {
    constexpr double variance_shift = 0.1;  // umap-learn's: radii that are all alike give no infinite force
    const Radii radii = radii_of(y, context);
    const std::vector<double>& logs = radii.logs;
    const auto count = static_cast<double>(logs.size());
    const Moments moments = moments_of(logs);
    const double variance = moments.variance + variance_shift;
    const double covariance = std::inner_product(logs.begin(), logs.end(), wanted_.begin(), 0.0) / count;
    std::vector<double> slopes(logs.size());
    std::transform(logs.begin(), logs.end(), wanted_.begin(), slopes.begin(), [&](double own, double wanted) {
        return (wanted - covariance * (own - moments.mean) / variance) * 2.0 * scale_ / (count * std::sqrt(variance));
    });
    const auto slope_of = [&](Index i, double closeness, double squared, double pull) {
        return slopes[i] * closeness / radii.sums[i] * ((1.0 - squared * pull) / radii.radii[i] + pull);
    };
    const Points before = y;
    const auto step_rate = static_cast<float>(2.0 * rate);  // an edge is sampled from both of its ends
    parallel_blocks(context, edges_.rows, density_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (const Index k : edges_.row_indices(i)) {
                const double squared = squared_distance(before[i].data(), before[k].data(), y.dimension());
                const double closeness = kernel_.value(squared);
                const double pull = kernel_.pull(squared);
                const auto slope =
                    static_cast<float>(slope_of(i, closeness, squared, pull) + slope_of(k, closeness, squared, pull));
                for (Index c = 0; c < y.dimension(); ++c) {
                    const float force = slope * (before[i][c] - before[k][c]);
                    y[i][c] += step_rate * std::clamp(force, -longest_pair_step, longest_pair_step);
                }
            }
        }
    });
}

}  // namespace isogon
