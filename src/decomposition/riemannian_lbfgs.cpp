#include "decomposition/riemannian_lbfgs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/archive_schema.hpp"
#include "decomposition/decomposition_run.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

namespace {

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

/// The start, or where there is an archive, the position there: everything that is read from it is validated before.
MultiVector<float> first_position(MultiVector<float> start, const Archive* saved, const DescentOptions& options) {
    if (saved == nullptr) {
        return start;
    }
    // Inputs are at most 2^20 long (PowerOfTwoScaling), and outputs about as far apart. Beyond 2^24 products of
    // products would leave float32.
    constexpr double largest = 0x1p24;
    ArchiveSchema schema;
    schema.add({.name = "position", .shape = {"n", "d"}, .values = {{-largest, largest}}});
    for (std::size_t k = 0; k < options.memory && saved->has(pair_name("step", k)); ++k) {
        schema.add({.name = pair_name("step", k), .shape = {"n", "d"}, .values = {{-2 * largest, 2 * largest}}});
        schema.add({.name = pair_name("change", k), .shape = {"n", "d"}});
    }
    schema.add({.name = "stalled", .scalar = ArchiveArray::Scalar::Uint64, .values = {{0, 1}}});
    add_trace("trace", schema);
    schema.require(*saved, {{"n", start.rows()}, {"d", start.columns()}});
    return block_in(*saved, "position", start.rows(), start.columns());
}

}  // namespace

RiemannianLbfgs::RiemannianLbfgs(DescentObjective& objective, MultiVector<float> start, const DescentOptions& options,
                                 RunContext context, const Archive* saved)
    : objective_(objective),
      rows_(shared_rows(start.rows(), objective.ranks(), options)),
      options_(options),
      context_(std::move(context)),
      w_(first_position(std::move(start), saved, options)),
      value_(evaluate(w_, gradient_)),
      memory_(options.memory, rows_) {
    if (saved == nullptr) {
        return;
    }
    trace_ = trace_in(*saved, "trace");
    iterations_ = static_cast<int>(trace_.size());
    stalled_ = saved->count("stalled") != 0;
    const auto block = [&](const std::string& name) {
        return rows_.own_of(block_in(*saved, name, w_.rows(), w_.columns()));
    };
    for (std::size_t k = 0; k < options_.memory && saved->has(pair_name("step", k)); ++k) {
        memory_.push({block(pair_name("step", k)), block(pair_name("change", k))}, context_);
    }
}

void RiemannianLbfgs::write(Archive* archive) const {
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

SharedRows RiemannianLbfgs::shared_rows(Index rows, const RankGroup& ranks, const DescentOptions& options) {
    return {rows, rows < options.shared_from ? RankGroup() : ranks};
}

std::uint64_t RiemannianLbfgs::bytes(Index rows, Index own, Index columns, const DescentOptions& options) {
    constexpr std::uint64_t whole = 3;  // W, where it moves to, and the gradient there
    return whole * MultiVector<float>::bytes(rows, columns) +
           (2 * options.memory + 3) * MultiVector<float>::bytes(own, columns) +
           2 * PackedPoints::bytes(rows, columns + 1);
}

DescentValue RiemannianLbfgs::evaluate(const MultiVector<float>& w, MultiVector<float>& gradient) const {
    MultiVector<float> whole = rows_.is_shared() ? MultiVector<float>() : std::move(gradient);
    const DescentValue value = objective_.evaluate(w, whole, context_);
    gradient = rows_.own_of(std::move(whole));
    return value;
}

double RiemannianLbfgs::relative_residual() const {
    return relative_to(objective_.squared_norm(), value_.misfit);
}

/// A direction that leads down, and the slope along it.
RiemannianLbfgs::Direction RiemannianLbfgs::descent_direction() {
    Direction down{memory_.spare()};
    assign(-1.0, gradient_, down.along, context_);
    const auto of_all = [&](RowBlock block) {
        block.first += rows_.first();
        return block;
    };
    memory_.apply(
        down.along,
        [&](const RowBlock& block) {
            objective_.project(w_, of_all(block));
            objective_.precondition(of_all(block));
        },
        context_);
    const auto project_and_multiply = [&](Range rows) {
        const RowBlock block = rows_of(down.along, rows);
        objective_.project(w_, of_all(block));
        return dot_of_rows(block.numbers(), gradient_.row(rows.begin));
    };
    down.slope = rows_.sum(gradient_.rows(), project_and_multiply, context_);
    return down;
}

/// Backtracking along the direction, by quadratic interpolation, until the Armijo condition of sufficient decrease
/// holds. Where a step was too long, which is seldom, the direction is computed again: kept, it would be one vector
/// more where scans take the most memory.
bool RiemannianLbfgs::search() {
    constexpr double fair_share = 1e-4;
    constexpr int tries = 12;
    Direction down = descent_direction();
    const double slope = down.slope;
    if (!(slope < 0.0)) {
        return false;
    }
    double step = 1.0;
    MultiVector<float> gradient = memory_.spare();
    for (int k = 0; k < tries; ++k) {
        for_each_row_block(down.along, rows_.first(), context_,
                           [&](const RowBlock& block) { objective_.retract(w_, step, block); });
        MultiVector<float> moved = rows_.gathered(std::move(down.along));
        const DescentValue value = evaluate(moved, gradient);
        if (value.objective <= value_.objective + fair_share * step * slope) {
            move_to(std::move(moved), std::move(gradient), value);
            return true;
        }
        const double best = -0.5 * slope * step * step / (value.objective - value_.objective - slope * step);
        step = std::isfinite(best) ? std::clamp(best, 0.1 * step, 0.5 * step) : 0.1 * step;
        down = descent_direction();
    }
    return false;
}

/// Moves to the new point and stores the curvature pair; older pairs are transported by projection. Step and change
/// take the memory of the old point and gradient.
void RiemannianLbfgs::move_to(MultiVector<float> w, MultiVector<float> gradient, const DescentValue& value) {
    const MultiVector<float> own = rows_.is_shared() ? rows_.own_of(w) : MultiVector<float>();
    const MultiVector<float>& to = rows_.is_shared() ? own : w;
    LbfgsMemory::Pair pair{rows_.own_of(std::move(w_)), std::move(gradient_)};
    for_each_row_block(pair.step, rows_.first(), context_, [&](const RowBlock& step) {
        const std::size_t first = step.first - rows_.first();
        const RowBlock change{step.first, step.rows, step.columns, step.stride, pair.change.row(first)};
        xpay_of_rows(to.row(first), -1.0F, step.numbers());
        objective_.project(w, step);
        objective_.project(w, change);
        xpay_of_rows(gradient.row(first), -1.0F, change.numbers());
    });
    memory_.push(std::move(pair), context_);
    w_ = std::move(w);
    gradient_ = std::move(gradient);
    value_ = value;
}

void RiemannianLbfgs::update() {
    if (!search()) {
        // The stored curvature may give no descent; without it the direction is the preconditioned gradient.
        LbfgsMemory learned = std::exchange(memory_, LbfgsMemory(options_.memory, rows_));
        try {
            stalled_ = !search();
        } catch (...) {
            memory_ = std::move(learned);
            throw;
        }
    }
    ++iterations_;
}

void RiemannianLbfgs::evaluate_again() {
    const auto start = std::chrono::steady_clock::now();
    MultiVector<float> gradient = memory_.spare();  // the other one stays where the context ends the run
    value_ = evaluate(w_, gradient);
    gradient_ = std::move(gradient);
    stalled_ = false;
    if (!trace_.empty()) {
        trace_.back().seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
}

Termination RiemannianLbfgs::run_to(int iterations) {
    return run_updates(*this, iterations, options_.tolerance, context_, trace_);
}

}  // namespace isogon
