#include "isogon/faithful/faithful_descent.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/decomposition/decomposition_run.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

/// a - b, in the memory of b.
MultiVector<float> difference(const MultiVector<float>& a, MultiVector<float> b, const RunContext& context) {
    aypx(-1.0, a, b, context);
    return b;
}

MultiVector<float> block_in(const Archive& archive, const std::string& name, Index rows, Index columns) {
    const auto& values = archive.numbers<float>(name, {rows, columns});
    MultiVector<float> block(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * columns), columns, block.row(i));
    }
    return block;
}

std::string pair_name(const char* what, std::size_t k) {
    return std::string(what) + "." + std::to_string(k);
}

/// Validates everything that is read from the archive, before it is used.
MultiVector<float> saved_position(const Archive& saved, Index rows, Index columns, const DescentOptions& options) {
    // The mean square of the fitted lengths is 1, so n points have at most sqrt(n). The relaxed form keeps
    // |y|^2 - s^2 with s near sqrt(tau) |y|, hence |y| within a factor of 1 / sqrt(1 - tau). Beyond 2^24 products of
    // products would leave float32.
    constexpr double largest = 0x1p24;
    ArchiveSchema schema;
    schema.add({.name = "position", .shape = {"n", "d"}, .values = {{-largest, largest}}});
    for (std::size_t k = 0; k < options.memory && saved.has(pair_name("step", k)); ++k) {
        schema.add({.name = pair_name("step", k), .shape = {"n", "d"}, .values = {{-2 * largest, 2 * largest}}});
        schema.add({.name = pair_name("change", k), .shape = {"n", "d"}});
    }
    schema.add({.name = "stalled", .scalar = ArchiveArray::Scalar::Uint64, .values = {{0, 1}}});
    add_trace("trace", schema);
    schema.require(saved, {{"n", rows}, {"d", columns}});
    return block_in(saved, "position", rows, columns);
}

}  // namespace

FaithfulDescent::FaithfulDescent(DescentObjective& objective, MultiVector<float> start, const DescentOptions& options,
                                 RunContext context)
    : objective_(objective),
      rows_(shared_rows(start.rows(), objective.ranks(), options)),
      options_(options),
      context_(std::move(context)),
      w_(std::move(start)),
      value_(evaluate(w_, gradient_)),
      memory_(options.memory, rows_) {}

FaithfulDescent::FaithfulDescent(DescentObjective& objective, const Archive& saved, Index rows, Index columns,
                                 const DescentOptions& options, RunContext context)
    : FaithfulDescent(objective, saved_position(saved, rows, columns, options), options, std::move(context)) {
    trace_ = trace_in(saved, "trace");
    iterations_ = static_cast<int>(trace_.size());
    stalled_ = saved.count("stalled") != 0;
    for (std::size_t k = 0; k < options_.memory && saved.has(pair_name("step", k)); ++k) {
        memory_.push({rows_.own_of(block_in(saved, pair_name("step", k), rows, columns)),
                      rows_.own_of(block_in(saved, pair_name("change", k), rows, columns))},
                     context_);
    }
}

void FaithfulDescent::write(Archive* archive) const {
    const auto add = [&](const std::string& name, const MultiVector<float>& own) {
        const MultiVector<float> whole = rows_.is_shared() ? rows_.gathered(own) : MultiVector<float>();
        if (archive != nullptr) {
            archive->add(name, (rows_.is_shared() ? whole : own).view());
        }
    };
    if (archive != nullptr) {
        archive->add("position", w_.view());
    }
    for (std::size_t k = 0; k < memory_.pairs().size(); ++k) {
        add(pair_name("step", k), memory_.pairs()[k].step);
        add(pair_name("change", k), memory_.pairs()[k].change);
    }
    if (archive != nullptr) {
        archive->add_count("stalled", stalled_ ? 1 : 0);
        add_trace("trace", trace_, *archive);
    }
}

SharedRows FaithfulDescent::shared_rows(Index rows, const RankGroup& ranks, const DescentOptions& options) {
    return {rows, rows < options.shared_from ? RankGroup() : ranks};
}

std::uint64_t FaithfulDescent::bytes(Index rows, Index own, Index columns, const DescentOptions& options) {
    constexpr std::uint64_t whole = 3;  // W, where it moves to, and the gradient there
    return whole * MultiVector<float>::bytes(rows, columns) +
           (2 * options.memory + 3) * MultiVector<float>::bytes(own, columns) +
           2 * PackedPoints::bytes(rows, columns + 1);
}

FaithfulValue FaithfulDescent::evaluate(const MultiVector<float>& w, MultiVector<float>& gradient) const {
    MultiVector<float> whole = rows_.is_shared() ? MultiVector<float>() : std::move(gradient);
    const FaithfulValue value = objective_.evaluate(w, whole, context_);
    gradient = rows_.own_of(std::move(whole));
    return value;
}

double FaithfulDescent::relative_residual() const {
    return relative_to(objective_.squared_norm(), value_.misfit);
}

MultiVector<float> FaithfulDescent::descent_direction() {
    MultiVector<float> direction = memory_.spare();
    assign(-1.0, gradient_, direction, context_);
    memory_.apply(
        direction,
        [&](MultiVector<float>& v) {
            objective_.project(w_, rows_.first(), v, context_);
            objective_.precondition(rows_.first(), v, context_);
        },
        context_);
    objective_.project(w_, rows_.first(), direction, context_);
    return direction;
}

/// Backtracking along the direction, by quadratic interpolation, until the Armijo condition of sufficient decrease
/// holds. Where a step was too long, which is seldom, the direction is computed again: kept, it would be one vector
/// more where scans take the most memory.
bool FaithfulDescent::search() {
    constexpr double fair_share = 1e-4;
    constexpr int tries = 12;
    MultiVector<float> direction = descent_direction();
    const double slope = rows_.dot(gradient_, direction, context_);
    if (!(slope < 0.0)) {
        return false;
    }
    double step = 1.0;
    MultiVector<float> gradient = memory_.spare();
    for (int k = 0; k < tries; ++k) {
        MultiVector<float> moved =
            rows_.gathered(objective_.retract(w_, rows_.first(), std::move(direction), step, context_));
        const FaithfulValue value = evaluate(moved, gradient);
        if (value.objective <= value_.objective + fair_share * step * slope) {
            move_to(std::move(moved), std::move(gradient), value);
            return true;
        }
        const double best = -0.5 * slope * step * step / (value.objective - value_.objective - slope * step);
        step = std::isfinite(best) ? std::clamp(best, 0.1 * step, 0.5 * step) : 0.1 * step;
        direction = descent_direction();
    }
    return false;
}

/// Moves to the new point and stores the curvature pair; older pairs are transported by projection. Step and change
/// take the memory of the old point and gradient: copies would be made by one thread.
void FaithfulDescent::move_to(MultiVector<float> w, MultiVector<float> gradient, const FaithfulValue& value) {
    const MultiVector<float> own = rows_.is_shared() ? rows_.own_of(w) : MultiVector<float>();
    MultiVector<float> step = difference(rows_.is_shared() ? own : w, rows_.own_of(std::move(w_)), context_);
    objective_.project(w, rows_.first(), step, context_);
    objective_.project(w, rows_.first(), gradient_, context_);
    MultiVector<float> change = difference(gradient, std::move(gradient_), context_);
    memory_.push({std::move(step), std::move(change)}, context_);
    w_ = std::move(w);
    gradient_ = std::move(gradient);
    value_ = value;
}

void FaithfulDescent::update() {
    if (!search()) {
        // The stored curvature may give no descent; without it the direction is the preconditioned gradient.
        LimitedMemory learned = std::exchange(memory_, LimitedMemory(options_.memory, rows_));
        try {
            stalled_ = !search();
        } catch (...) {
            memory_ = std::move(learned);
            throw;
        }
    }
    ++iterations_;
}

void FaithfulDescent::evaluate_again() {
    const auto start = std::chrono::steady_clock::now();
    MultiVector<float> gradient = memory_.spare();  // the other one stays where the context ends the run
    value_ = evaluate(w_, gradient);
    gradient_ = std::move(gradient);
    stalled_ = false;
    if (!trace_.empty()) {
        trace_.back().seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
}

Termination FaithfulDescent::run_to(int iterations) {
    return run_updates(*this, iterations, options_.tolerance, context_, trace_);
}

}  // namespace isogon
