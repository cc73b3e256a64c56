#include "transform/placement_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "core/trigonometry.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// Members gathered in a batch: at d = 64 they fill half of a second-level cache.
constexpr Index gathered_at_once = 1024;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t padded_members(std::size_t members) {
    return block_count(members, newton_lanes) * newton_lanes;
}

template <class Number>
void grow(AlignedArray<Number>& values, std::size_t size) {
    if (values.size() < size) {
        values = AlignedArray<Number>();  // what it has is not needed, and both need not be there at once
        values = AlignedArray<Number>(size);
    }
}

}  // namespace

SphereNewton::SphereNewton(const MultiVector<float>& directions, double threshold, int most_steps, double tolerance)
    : directions_(directions),
      threshold_(threshold),
      most_steps_(most_steps),
      tolerance_(tolerance),
      stride_(directions.stride()),
      padded_(1, directions.columns()),
      gathered_(gathered_at_once, directions.columns()),
      columns_(stride_ * stride_),
      normal_(stride_ * stride_),
      factor_(2 * stride_ * stride_),
      vectors_(vectors_held * stride_) {}

std::uint64_t SphereNewton::bytes(Index members, Index dimension) {
    const std::uint64_t stride = MultiVector<float>(1, dimension).stride();
    // Bounds, floors, residuals, products and changes.
    constexpr std::uint64_t of_a_member = 4 * sizeof(double) + sizeof(float) + sizeof(ActiveMember);
    return MultiVector<float>::bytes(1, dimension) + MultiVector<float>::bytes(gathered_at_once, dimension) +
           padded_members(members) * of_a_member + (4 * stride + vectors_held) * stride * sizeof(double);
}

void SphereNewton::advance(const SphereProblem& problem, SphereState& state) {
    const double least_root = 0.2 * tolerance_;  // near a zero of g the next step is about as long as its root
    (void)value(problem, state.u);
    while (state.steps < most_steps_) {
        if (squares_ <= least_root * least_root) {
            state.settled = true;
            return;
        }
        linearize(problem);
        const Outcome outcome = step(problem, state);
        if (outcome != Outcome::Moved) {
            state.settled = outcome == Outcome::Settled;
            return;
        }
    }
}

void SphereNewton::set_bounds(const SphereProblem& problem) {
    const std::size_t size = padded_members(problem.members.size());
    grow(bounds_.bounds, size);
    grow(bounds_.floors, size);
    std::fill_n(bounds_.bounds.data(), size, infinity);
    std::fill_n(bounds_.bounds.data(), problem.members.size(), threshold_);
    std::fill_n(bounds_.floors.data(), size, 0.0);
    std::copy(problem.targets.begin(), problem.targets.end(), bounds_.bounds.data());
    std::fill_n(bounds_.floors.data(), problem.targets.size(), -infinity);
    grow(residuals_, size);
}

void SphereNewton::multiply_members(const SphereProblem& problem, const double* vector) {
    std::transform(vector, vector + stride_, padded_.row(0),
                   [](double component) { return static_cast<float>(component); });
    const std::size_t members = problem.members.size();
    grow(changes_, padded_members(members));
    multiply_listed(padded_.row(0), directions_, problem.members, changes_.data());
    std::fill(changes_.data() + members, changes_.data() + padded_members(members), 0.0F);
}

double SphereNewton::value(const SphereProblem& problem, const Eigen::VectorXd& u) {
    std::fill_n(at(), stride_, 0.0);
    std::copy(u.begin(), u.end(), at());
    multiply_members(problem, at());
    set_bounds(problem);
    size_ = padded_members(problem.members.size());
    grow(products_, size_);
    std::copy_n(changes_.data(), size_, products_.data());
    find_residuals();
    return squares_;
}

/// Writes the residuals of the present products, and the sum of their squares.
void SphereNewton::find_residuals() {
    squares_ = write_residuals(products_.data(), bounds_, size_, residuals_.data());
}

/// The change of g, and its slope, at an angle along the great circle on which u moves in the direction whose products
/// are changes_: there u.u_j is cos(angle) u.u_j + sin(angle) direction.u_j. The change is summed as products of small
/// differences: g at both ends agrees to more digits than float32 holds long before the row has settled.
ArcSums SphereNewton::along_arc(double angle) const {
    return sums_along_arc(products_.data(), changes_.data(), bounds_, size_, arc_point(angle));
}

ArcPoint SphereNewton::arc_point(double angle) {
    const double half = elementary::sin(0.5 * angle);
    return {elementary::sin(angle), elementary::cos(angle), -2.0 * half * half};
}

/// The angle, at most `farthest`, of an approximate first minimum of g along the arc; 0 if g does not decrease. Where
/// many members become active or inactive along the arc, the Newton step is several times too long.
double SphereNewton::search_arc(double farthest, double first_slope) const {
    constexpr int most_trials = 10;
    constexpr double flat = 0.4;
    constexpr double inset = 0.1;
    double low = 0.0;
    double high = farthest;
    double low_slope = first_slope;
    double angle = farthest;
    ArcSums arc = along_arc(angle);
    double high_slope = arc.slope;
    for (int trial = 0; trial < most_trials && arc.slope > -flat * first_slope; ++trial) {
        const double crossing = low_slope / (low_slope - high_slope);
        angle = low + (high - low) * std::clamp(crossing, inset, 1.0 - inset);
        arc = along_arc(angle);
        (arc.slope > 0.0 ? high : low) = angle;
        (arc.slope > 0.0 ? high_slope : low_slope) = arc.slope;
    }
    for (int trial = 0; trial < most_trials && !(arc.rise < 0.0); ++trial) {
        angle *= 0.5;
        arc = along_arc(angle);
    }
    return arc.rise < 0.0 ? angle : 0.0;
}

/// The rows of A, where the products are those of value() or the last move.
void SphereNewton::find_active(const SphereProblem& problem) {
    active_.clear();
    active_.reserve(problem.members.size());
    for (std::size_t k = 0; k < problem.members.size(); ++k) {
        const double r = residuals_.data()[k];
        if (k < problem.targets.size() || r != 0.0) {
            active_.push_back({directions_.row(problem.members[k]), r, products_.data()[k]});
        }
    }
}

/// A^T r, and what the system of newton_step() is made of.
void SphereNewton::linearize(const SphereProblem& problem) {
    find_active(problem);
    std::fill_n(pull(), stride_, 0.0);
    for (const ActiveMember& member : active_) {
        add_row(member.residual, member.row, pull(), stride_);
    }
    by_members_ = !active_.empty() && 4 * active_.size() <= std::size_t{3} * directions_.columns();
    by_members_ ? multiply_rows() : multiply_columns();
}

/// A^T A and A^T A u.
void SphereNewton::multiply_columns() {
    const Index d = directions_.columns();
    std::fill_n(normal_.data(), stride_ * stride_, 0.0);
    std::fill_n(of_u(), stride_, 0.0);
    for (std::size_t first = 0; first < active_.size(); first += gathered_at_once) {
        const auto some =
            std::span(active_).subspan(first, std::min<std::size_t>(gathered_at_once, active_.size() - first));
        for (Index k = 0; k < some.size(); ++k) {
            std::copy_n(some[k].row, stride_, gathered_.row(k));
            add_row(some[k].product, some[k].row, of_u(), stride_);
        }
        add_products_of_columns(gathered_.row(0), some.size(), d, stride_, normal_.data());
    }
    double trace = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
        trace += normal_.data()[i * stride_ + i];
    }
    scale_ = trace / d;
}

/// A A^T, A u and r, in float64: r may be nearly at right angles to all columns of A P, of which solve_by_members()
/// then makes a small step as the difference of large vectors.
void SphereNewton::multiply_rows() {
    const Index d = directions_.columns();
    const std::size_t count = active_.size();
    const std::size_t stride = padded_members(count + 1);
    std::fill_n(normal_.data(), stride * stride, 0.0);
    std::fill_n(of_u(), stride, 0.0);
    std::fill_n(right(), stride, 0.0);
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < d; ++i) {
            columns_.data()[i * stride + k] = double{active_[k].row[i]};
        }
        right()[k] = active_[k].residual;
    }
    for (std::size_t i = 0; i < d; ++i) {
        double* const end_of_column = columns_.data() + i * stride + count;
        *end_of_column = at()[i];
        std::fill(end_of_column + 1, columns_.data() + (i + 1) * stride, 0.0);
    }
    add_products_of_columns(columns_.data(), d, count + 1, stride, normal_.data());
    double trace = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        trace += normal_.data()[k * stride + k];
        of_u()[k] = std::exchange(normal_.data()[k * stride + count], 0.0);
    }
    scale_ = trace / d;
}

/// Solves (P A^T A P + shift P) step = -P A^T r for a tangent step, which replaces direction(), but for a multiple of u
/// in it. Newton's shift is -(u . A^T r). With few active members A^T A is singular, g has a whole surface of zeros,
/// and Newton's steps along it are long and hit one bound after the other: there |P A^T r| is added to a shift that is
/// not negative (Levenberg and Marquardt; as quick near a zero of g, Fan and Yuan 2005), which takes a third of the
/// steps less (bench/placement-index). If the matrix is not positive definite, the Gauss-Newton matrix and a small
/// multiple of the identity instead.
void SphereNewton::newton_step() {
    constexpr double ridge = 1e-3;
    constexpr double least_members_a_dimension = 1.5;  // with fewer active ones g is taken for flat
    const double radial = dot_product(at(), pull(), stride_);
    for (std::size_t k = 0; k < stride_; ++k) {
        gradient()[k] = radial * at()[k] - pull()[k];
    }
    const bool is_flat = static_cast<double>(active_.size()) < least_members_a_dimension * directions_.columns();
    const double shift =
        is_flat ? std::max(0.0, -radial) + std::sqrt(dot_product(gradient(), gradient(), stride_)) : -radial;
    const auto solve = [&](double by) { return by_members_ ? solve_by_members(by) : solve_by_coordinates(by); };
    if (!solve(shift) && !solve(ridge * scale_)) {
        std::copy_n(gradient(), stride_, direction());
    }
}

/// P A^T A P is A^T A - v u^T - u v^T with v = A^T A u - (u . A^T A u) u / 2. Along u, which the step does not contain,
/// the matrix becomes scale_.
bool SphereNewton::solve_by_coordinates(double shift) {
    const double along_u = 0.5 * (dot_product(at(), of_u(), stride_) + scale_ - shift);
    for (std::size_t k = 0; k < stride_; ++k) {
        removed()[k] = of_u()[k] - along_u * at()[k];
    }
    return solve_updated_system({normal_.data(), at(), removed(), gradient(), shift, directions_.columns(), stride_},
                                scratch(), factor_.data(), direction());
}

/// The same step is -P A^T z with (A P A^T + shift I) z = r, a system of as many numbers as members are active, and
/// A P A^T is A A^T - (A u)(A u)^T.
bool SphereNewton::solve_by_members(double shift) {
    const std::size_t stride = padded_members(active_.size() + 1);
    std::transform(of_u(), of_u() + stride, removed(), [](double product) { return 0.5 * product; });
    if (!solve_updated_system({normal_.data(), of_u(), removed(), right(), shift, active_.size(), stride}, scratch(),
                              factor_.data(), solution())) {
        return false;
    }
    std::fill_n(direction(), stride_, 0.0);
    for (std::size_t k = 0; k < active_.size(); ++k) {
        add_row(-solution()[k], active_[k].row, direction(), stride_);
    }
    return true;
}

/// One descent step from state.u; linearize() must have been called there.
SphereNewton::Outcome SphereNewton::step(const SphereProblem& problem, SphereState& state) {
    const double remaining = problem.reach - (state.u - problem.anchor).norm();
    newton_step();
    const double along = dot_product(direction(), at(), stride_);
    for (std::size_t k = 0; k < stride_; ++k) {
        direction()[k] -= along * at()[k];
    }
    const double length = std::sqrt(dot_product(direction(), direction(), stride_));
    if (length > remaining && remaining < 0.5 * problem.reach) {
        return Outcome::OutOfReach;
    }
    if (length == 0.0) {
        return Outcome::Settled;
    }
    std::transform(direction(), direction() + stride_, direction(),
                   [&](double component) { return component / length; });
    multiply_members(problem, direction());
    const double farthest = std::min(length, remaining);  // a chord is no longer than its arc
    const double angle = search_arc(farthest, dot_product(pull(), direction(), stride_));
    if (angle > 0.0) {
        move(state, angle);
    }
    if (length < tolerance_ || angle == 0.0) {
        return Outcome::Settled;
    }
    return length > remaining && angle == farthest ? Outcome::OutOfReach : Outcome::Moved;
}

void SphereNewton::move(SphereState& state, double angle) {
    const ArcPoint to = arc_point(angle);
    for (std::size_t k = 0; k < stride_; ++k) {
        at()[k] = to.cosine * at()[k] + to.sine * direction()[k];
    }
    const double length = std::sqrt(dot_product(at(), at(), stride_));
    std::transform(at(), at() + stride_, at(), [&](double component) { return component / length; });
    std::copy_n(at(), state.u.size(), state.u.begin());
    ++state.steps;
    move_along_arc(products_.data(), changes_.data(), size_, to);
    find_residuals();
}

}  // namespace isogon
