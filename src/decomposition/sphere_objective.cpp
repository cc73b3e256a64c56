#include "decomposition/sphere_objective.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/row_kernel.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

std::vector<double> support_mass(const Similarities& s, const std::vector<float>& lengths) {
    const CsrMatrix<float>& upper = s.upper;
    std::vector<double> mass(lengths.size());
    for (Index i = 0; i < upper.rows; ++i) {
        for (const Index j : upper.row_indices(i)) {
            mass[i] += double{lengths[j]} * lengths[j];
            mass[j] += double{lengths[i]} * lengths[i];
        }
    }
    s.ranks.all_gather_rows(pair_blocks(upper.rows), std::as_writable_bytes(std::span(mass)));
    return mass;
}

/// mean_i of the mass: for unit lengths the mean number of points above tau, 1% of n at the default threshold.
double mean(const std::vector<double>& mass) {
    double sum = 0.0;
    for (const double value : mass) {
        sum += value;
    }
    return mass.empty() ? 0.0 : sum / static_cast<double>(mass.size());
}

/// The projection on the tangent spaces of spheres about 0, times a factor.
void project_on_tangents(const MultiVector<float>& w, const RowBlock& v, float factor) {
    project_rows(w.row(v.first), factor, v.values, v.stride, v.rows);
}

}  // namespace

SphereObjective::SphereObjective(const Similarities& s, std::vector<float> lengths, const SphereTerms& terms)
    : s_(s),
      lengths_(std::move(lengths)),
      terms_(terms),
      root_tau_(std::sqrt(s.threshold)),
      support_mass_(support_mass(s, lengths_)),
      pass_(s.upper, terms.off_support_weight, s.ranks) {
    mean_mass_ = mean(support_mass_);
}

PackedLowRank SphereObjective::packed(const MultiVector<float>& w, const RunContext& context) const {
    const PointsView y(w.row(0), w.rows(), w.columns(), w.stride());
    std::vector<float> last(w.rows());
    for (Index i = 0; i < w.rows(); ++i) {
        last[i] = static_cast<float>(root_tau_ * lengths_[i]);
    }
    PackedPoints left = pack(y, {}, last, context);
    for (float& s : last) {
        s = -s;
    }
    return {std::move(left), pack(y, {}, last, context)};
}

DescentValue SphereObjective::evaluate(const MultiVector<float>& w, MultiVector<float>& gradient,
                                       const RunContext& context) {
    const HingeSums sums = pass_.apply(packed(w, context), w, gradient, nullptr, context);
    DescentValue value;
    value.misfit = 2.0 * (sums.support_squares + terms_.off_support_weight * sums.hinge_squares);
    value.violations = 2.0 * sums.violations;
    value.objective = value.misfit;
    for_each_row_block(gradient, 0, context, [&](const RowBlock& rows) {
        constexpr float factor = -4.0F;
        project_on_tangents(w, rows, factor);
    });
    return value;
}

void SphereObjective::project(const MultiVector<float>& w, const RowBlock& v) const {
    project_on_tangents(w, v, 1.0F);
}

void SphereObjective::retract(const MultiVector<float>& w, double step, const RowBlock& direction) const {
    xpay_of_rows(w.row(direction.first), static_cast<float>(step), direction.numbers());
    set_row_lengths(std::span(lengths_).subspan(direction.first, direction.rows), direction.values, direction.stride);
}

void SphereObjective::precondition(const RowBlock& v) const {
    for (std::size_t i = 0; i < v.rows; ++i) {
        const double own = double{lengths_[v.first + i]} * lengths_[v.first + i];
        if (own == 0.0) {
            continue;
        }
        const double mass = support_mass_[v.first + i] + terms_.damping * mean_mass_;
        const auto diagonal = static_cast<float>(8.0 * (mass / v.columns + own));
        float* const row = v.values + i * v.stride;
        std::transform(row, row + v.columns, row, [=](float value) { return value / diagonal; });
    }
}

}  // namespace isogon
