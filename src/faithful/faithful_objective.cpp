#include "isogon/faithful/faithful_objective.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "faithful/rows_in_block.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"
#include "isogon/linalg/row_kernel.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

namespace {

double dot(const float* a, const float* b, std::size_t count) {
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        sum += double{a[k]} * b[k];
    }
    return sum;
}

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

}  // namespace

FaithfulObjective::FaithfulObjective(const Similarities& s, std::vector<float> lengths, const FaithfulTerms& terms)
    : s_(s),
      lengths_(std::move(lengths)),
      terms_(terms),
      root_tau_(std::sqrt(s.threshold)),
      support_mass_(support_mass(s, lengths_)),
      pass_(s.upper, s.ranks) {
    mean_mass_ = mean(support_mass_);
    norm_penalty_ = terms.norm_penalty * mean_mass_;
}

MultiVector<float> FaithfulObjective::start_from(const MultiVector<float>& on_spheres) const {
    if (!relaxed()) {
        return on_spheres;
    }
    const Index d = on_spheres.columns();
    MultiVector<float> w(on_spheres.rows(), d + 1);
    for (Index i = 0; i < w.rows(); ++i) {
        std::copy_n(on_spheres.row(i), d, w.row(i));
        w.row(i)[d] = static_cast<float>(root_tau_ * lengths_[i]);
    }
    return w;
}

LowRank FaithfulObjective::matrix(const MultiVector<float>& w) const {
    const Index d = relaxed() ? w.columns() - 1 : w.columns();
    LowRank l{MultiVector<float>(w.rows(), d + 1), std::vector<double>(d + 1, 1.0)};
    l.weights.back() = -1.0;
    for (Index i = 0; i < w.rows(); ++i) {
        std::copy_n(w.row(i), d, l.factor.row(i));
        l.factor.row(i)[d] = relaxed() ? w.row(i)[d] : static_cast<float>(root_tau_ * lengths_[i]);
    }
    return l;
}

PackedLowRank FaithfulObjective::packed(const MultiVector<float>& w, const RunContext& context) const {
    const Index d = relaxed() ? w.columns() - 1 : w.columns();
    const PointsView y(w.row(0), w.rows(), d, w.stride());
    std::vector<float> last(w.rows());
    for (Index i = 0; i < w.rows(); ++i) {
        last[i] = relaxed() ? w.row(i)[d] : static_cast<float>(root_tau_ * lengths_[i]);
    }
    PackedPoints left = pack(y, {}, last, context);
    for (float& s : last) {
        s = -s;
    }
    return {std::move(left), pack(y, {}, last, context)};
}

FaithfulValue FaithfulObjective::evaluate(const MultiVector<float>& w, MultiVector<float>& gradient,
                                          const RunContext& context) {
    const PackedLowRank l = packed(w, context);
    const HingeSums sums = pass_.apply(l.left, l.right, terms_.off_support_weight, w, gradient, nullptr, context);
    FaithfulValue value;
    value.misfit = 2.0 * (sums.support_squares + terms_.off_support_weight * sums.hinge_squares);
    value.violations = 2.0 * sums.violations;
    value.objective = value.misfit;
    const Index d = w.columns() - (relaxed() ? 1 : 0);
    // -4 R y, and +4 R s for the subtracted product.
    parallel_blocks(context, w.rows(), rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Index k = 0; k < w.columns(); ++k) {
                gradient.row(i)[k] *= k < d ? -4.0F : 4.0F;
            }
        }
    });
    if (relaxed()) {
        const FaithfulValue more = add_diagonal_and_penalty(w, gradient, context);
        value.misfit += more.misfit;
        value.objective += more.objective;
    } else {
        for_each_row_block(gradient, 0, context, [&](const RowBlock& rows) { project(w, rows); });
    }
    return value;
}

FaithfulValue FaithfulObjective::add_diagonal_and_penalty(const MultiVector<float>& w, MultiVector<float>& gradient,
                                                          const RunContext& context) const {
    const Index d = w.columns() - 1;
    std::vector<FaithfulValue> parts(block_count(w.rows(), rows_in_block));
    parallel_tasks(context, parts.size(), [&](std::size_t part) {
        const Range rows = block_range(part, w.rows(), rows_in_block);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            if (lengths_[i] == 0.0F) {
                continue;
            }
            const double length = std::sqrt(dot(w.row(i), w.row(i), d));
            const double s = double{w.row(i)[d]};
            const double residual = length * length - s * s - double{s_.diagonal[i]};
            const double slack = s - root_tau_ * length;
            parts[part].misfit += residual * residual;
            parts[part].objective += residual * residual + norm_penalty_ * slack * slack;
            const double along_y =
                4.0 * residual - (length > 0.0 ? 2.0 * norm_penalty_ * slack * root_tau_ / length : 0.0);
            for (Index k = 0; k < d; ++k) {
                gradient.row(i)[k] += static_cast<float>(along_y * w.row(i)[k]);
            }
            gradient.row(i)[d] += static_cast<float>(-4.0 * residual * s + 2.0 * norm_penalty_ * slack);
        }
    });
    FaithfulValue sum;
    for (const FaithfulValue& part : parts) {
        sum.misfit += part.misfit;
        sum.objective += part.objective;
    }
    return sum;
}

void project_on_tangents(const MultiVector<float>& w, const RowBlock& v, float factor) {
    project_rows(w.row(v.first), factor, v.values, v.stride, v.rows);
}

void step_along(const MultiVector<float>& w, double step, const RowBlock& direction) {
    xpay_of_rows(w.row(direction.first), static_cast<float>(step), direction.values, direction.stride, direction.rows);
}

void retract_to_spheres(const MultiVector<float>& w, double step, const std::vector<float>& lengths,
                        const RowBlock& direction) {
    step_along(w, step, direction);
    set_row_lengths(std::span(lengths).subspan(direction.first, direction.rows), direction.values, direction.stride);
}

void FaithfulObjective::project(const MultiVector<float>& w, const RowBlock& v) const {
    if (!relaxed()) {
        project_on_tangents(w, v);
    }
}

void FaithfulObjective::retract(const MultiVector<float>& w, double step, const RowBlock& direction) const {
    if (relaxed()) {
        step_along(w, step, direction);
    } else {
        retract_to_spheres(w, step, lengths_, direction);
    }
}

void FaithfulObjective::precondition(const RowBlock& v) const {
    const Index d = v.columns - (relaxed() ? 1 : 0);
    const double norm_penalty = relaxed() ? 2.0 * norm_penalty_ : 0.0;
    for (std::size_t i = 0; i < v.rows; ++i) {
        const double own = double{lengths_[v.first + i]} * lengths_[v.first + i];
        if (own == 0.0) {
            continue;
        }
        const double mass = support_mass_[v.first + i] + terms_.damping * mean_mass_;
        const double of_y = 8.0 * (mass / d + own) + norm_penalty * s_.threshold;
        const double of_s = 8.0 * (mass * s_.threshold + own) + norm_penalty;
        float* const row = v.values + i * v.stride;
        for (Index k = 0; k < v.columns; ++k) {
            row[k] /= static_cast<float>(k < d ? of_y : of_s);
        }
    }
}

}  // namespace isogon
