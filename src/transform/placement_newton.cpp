#include "transform/placement_panel.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "isogon/core/parallel.hpp"
#include "isogon/core/trigonometry.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// Members gathered in a batch: at d = 64 they fill half of a second-level cache.
constexpr Index gathered_at_once = 1024;

}  // namespace

SphereNewton::SphereNewton(const MultiVector<float>& directions, const PlacementForm& form, int most_steps,
                           double tolerance)
    : directions_(directions),
      form_(form),
      most_steps_(most_steps),
      tolerance_(tolerance),
      padded_(1, directions.columns()),
      gathered_(gathered_at_once, directions.columns()),
      normal_(directions.columns(), directions.columns()),
      hessian_(directions.columns(), directions.columns()),
      pull_(directions.columns()) {}

std::uint64_t SphereNewton::bytes(Index members, Index dimension) {
    return MultiVector<float>::bytes(1, dimension) + MultiVector<float>::bytes(gathered_at_once, dimension) +
           std::uint64_t{members} * (sizeof(float) + sizeof(double)) +
           3 * std::uint64_t{dimension} * dimension * sizeof(double);
}

void SphereNewton::advance(const SphereProblem& problem, SphereState& state) {
    (void)value(problem, state.u);
    while (state.steps < most_steps_) {
        linearize(problem, state.u);
        const Outcome outcome = step(problem, state);
        if (outcome != Outcome::Moved) {
            state.settled = outcome == Outcome::Settled;
            return;
        }
    }
}

/// Of weight 1: of the near points, and of all others beyond their bound.
double SphereNewton::residual(const SphereProblem& problem, std::size_t k, double product) const {
    if (k < problem.near()) {
        return product - double{problem.targets[k]};
    }
    const double bound = form_.is_local() ? problem.threshold : form_.threshold;
    return std::max(0.0, product - bound);
}

bool SphereNewton::is_above(const SphereProblem& problem, std::size_t k) const {
    return k < problem.targets.size() && double{problem.targets[k]} > form_.threshold;
}

/// Of weight w, in the local form: that of the global one.
double SphereNewton::global_residual(const SphereProblem& problem, std::size_t k, double product) const {
    return is_above(problem, k) ? product - double{problem.targets[k]} : std::max(0.0, product - form_.threshold);
}

void SphereNewton::multiply_members(const SphereProblem& problem, const Eigen::VectorXd& vector) {
    std::transform(vector.begin(), vector.end(), padded_.row(0),
                   [](double component) { return static_cast<float>(component); });
    changes_.resize(problem.members.size());
    multiply_listed(padded_.row(0), directions_, problem.members, changes_.data());
}

double SphereNewton::value(const SphereProblem& problem, const Eigen::VectorXd& u) {
    multiply_members(problem, u);
    products_.assign(changes_.begin(), changes_.end());
    double sum = 0.0;
    for (std::size_t k = 0; k < products_.size(); ++k) {
        const double r = residual(problem, k, products_[k]);
        sum += r * r;
    }
    for (std::size_t k = 0; form_.weight > 0.0 && k < products_.size(); ++k) {
        const double r = global_residual(problem, k, products_[k]);
        sum += form_.weight * (r * r);
    }
    return sum;
}

/// The change of g, and its slope, at an angle along the great circle on which u moves in the direction whose products
/// are changes_: there u.u_j is cos(angle) u.u_j + sin(angle) direction.u_j. The change is summed as products of small
/// differences: g at both ends agrees to more digits than float32 holds long before the row has settled.
SphereNewton::Arc SphereNewton::along_arc(const SphereProblem& problem, double angle) const {
    const double sine = elementary::sin(angle);
    const double cosine = elementary::cos(angle);
    const double half = elementary::sin(0.5 * angle);
    const double shrinkage = -2.0 * half * half;  // cos(angle) - 1
    Arc arc;
    for (std::size_t k = 0; k < products_.size(); ++k) {
        const double change = double{changes_[k]};
        const double before = residual(problem, k, products_[k]);
        const double after = residual(problem, k, products_[k] + (shrinkage * products_[k] + sine * change));
        arc.rise += (after - before) * (after + before);
        arc.slope += after * (cosine * change - sine * products_[k]);
    }
    for (std::size_t k = 0; form_.weight > 0.0 && k < products_.size(); ++k) {
        const double change = double{changes_[k]};
        const double before = global_residual(problem, k, products_[k]);
        const double after = global_residual(problem, k, products_[k] + (shrinkage * products_[k] + sine * change));
        arc.rise += form_.weight * ((after - before) * (after + before));
        arc.slope += form_.weight * (after * (cosine * change - sine * products_[k]));
    }
    return arc;
}

/// The angle, at most `farthest`, of an approximate first minimum of g along the arc; 0 if g does not decrease. Where
/// many members become active or inactive along the arc, the Newton step is several times too long.
double SphereNewton::search_arc(const SphereProblem& problem, double farthest, double first_slope) const {
    constexpr int most_trials = 10;
    constexpr double flat = 0.1;
    constexpr double inset = 0.1;
    double low = 0.0;
    double high = farthest;
    double low_slope = first_slope;
    double angle = farthest;
    Arc arc = along_arc(problem, angle);
    double high_slope = arc.slope;
    for (int trial = 0; trial < most_trials && arc.slope > -flat * first_slope; ++trial) {
        const double crossing = low_slope / (low_slope - high_slope);
        angle = low + (high - low) * std::clamp(crossing, inset, 1.0 - inset);
        arc = along_arc(problem, angle);
        (arc.slope > 0.0 ? high : low) = angle;
        (arc.slope > 0.0 ? high_slope : low_slope) = arc.slope;
    }
    for (int trial = 0; trial < most_trials && !(arc.rise < 0.0); ++trial) {
        angle *= 0.5;
        arc = along_arc(problem, angle);
    }
    return arc.rise < 0.0 ? angle : 0.0;
}

/// A^T A and A^T r, weighted, at u; products_ must be those of u.
void SphereNewton::linearize(const SphereProblem& problem, const Eigen::VectorXd& u) {
    normal_.setZero();
    pull_.setZero();
    Index count = 0;
    for (std::size_t k = 0; k < products_.size(); ++k) {
        double r = residual(problem, k, products_[k]);
        double curvature = k < problem.near() || r != 0.0 ? 1.0 : 0.0;
        if (form_.weight > 0.0) {
            const double second = global_residual(problem, k, products_[k]);
            r += form_.weight * second;
            curvature += is_above(problem, k) || second != 0.0 ? form_.weight : 0.0;
        }
        if (curvature == 0.0) {
            continue;
        }
        const float* row = directions_.row(problem.members[k]);
        const auto root =
            static_cast<float>(std::sqrt(curvature));  // 1 exactly where there is one residual of weight 1
        std::transform(row, row + directions_.stride(), gathered_.row(count++),
                       [root](float component) { return root * component; });
        pull_ += r * Eigen::Map<const Eigen::VectorXf>(row, u.size()).cast<double>();
        if (count == gathered_at_once) {
            add_gathered(std::exchange(count, 0));
        }
    }
    add_gathered(count);
    scale_ = normal_.trace() / static_cast<double>(u.size());
}

/// Adds the products of the gathered rows' coordinates to A^T A, by the kernel that multiplies points: here the
/// coordinates are the points, and the rows their components.
void SphereNewton::add_gathered(Index count) {
    const Index d = directions_.columns();
    alignas(64) std::array<float, tile_size> tile;  // NOLINT(*-member-init): filled by the product
    for (std::size_t p = 0; p < d; p += panel_width) {
        for (std::size_t q = 0; q <= p; q += panel_width) {
            multiply_panels({gathered_.row(0) + p, gathered_.stride()}, {gathered_.row(0) + q, gathered_.stride()},
                            count, tile.data(), tile_width);
            for (std::size_t a = p; a < std::min<std::size_t>(d, p + panel_width); ++a) {
                for (std::size_t b = q; b < std::min<std::size_t>(a + 1, q + panel_width); ++b) {
                    normal_(a, b) += double{tile[(a - p) * tile_width + (b - q)]};
                }
            }
        }
    }
}

/// Solves (P A^T A P - (u . A^T r) P) step = -P A^T r for a tangent step. If that matrix is not positive definite,
/// solves with the Gauss-Newton matrix and a small multiple of the identity instead.
Eigen::VectorXd SphereNewton::newton_step(const Eigen::VectorXd& u) {
    constexpr double ridge = 1e-3;
    const Eigen::VectorXd image = normal_.selfadjointView<Eigen::Lower>() * u;
    const double radial = u.dot(pull_);
    const Eigen::VectorXd gradient = pull_ - radial * u;
    for (double shift = -radial;; shift = ridge * scale_) {
        // The part that the projection removes. Along u, which the step does not contain, the matrix becomes scale_.
        const Eigen::VectorXd removed = image - 0.5 * (u.dot(image) + scale_ - shift) * u;
        for (Eigen::Index b = 0; b < u.size(); ++b) {  // the lower triangle, which is all that the factor reads
            const Eigen::Index below = u.size() - b;
            auto column = hessian_.col(b).tail(below);
            column = normal_.col(b).tail(below);
            column[0] += shift;
            column -= removed[b] * u.tail(below);
            column -= u[b] * removed.tail(below);
        }
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(hessian_);
        if (factor.info() == Eigen::Success || shift != -radial) {
            return -factor.solve(gradient);
        }
    }
}

/// One descent step from state.u; linearize() must have been called there.
SphereNewton::Outcome SphereNewton::step(const SphereProblem& problem, SphereState& state) {
    const double remaining = problem.reach - (state.u - problem.anchor).norm();
    Eigen::VectorXd direction = newton_step(state.u);
    direction -= direction.dot(state.u) * state.u;
    const double length = direction.norm();
    if (length > remaining && remaining < 0.5 * problem.reach) {
        return Outcome::OutOfReach;
    }
    if (length == 0.0) {
        return Outcome::Settled;
    }
    direction /= length;
    multiply_members(problem, direction);
    const double farthest = std::min(length, remaining);  // a chord is no longer than its arc
    const double angle = search_arc(problem, farthest, pull_.dot(direction));
    if (angle > 0.0) {
        move(state, direction, angle);
    }
    if (length < tolerance_ || angle == 0.0) {
        return Outcome::Settled;
    }
    return length > remaining && angle == farthest ? Outcome::OutOfReach : Outcome::Moved;
}

void SphereNewton::move(SphereState& state, const Eigen::VectorXd& direction, double angle) {
    const double sine = elementary::sin(angle);
    const double cosine = elementary::cos(angle);
    state.u = (cosine * state.u + sine * direction).normalized();
    ++state.steps;
    std::transform(products_.begin(), products_.end(), changes_.begin(), products_.begin(),
                   [&](double product, float change) { return cosine * product + sine * double{change}; });
}

}  // namespace isogon
