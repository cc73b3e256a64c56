#pragma once
#include <functional>

#include "linalg/lbfgs_memory.hpp"
#include "line_search.hpp"

namespace isogon::bench {

struct LimitedMemoryChoice {
    std::size_t memory = 10;
    bool preconditioned = true;
};

/// A first step that moves no point by more than one radian, for directions that know no scale.
inline double cautious_length(const MultiVector<float>& direction) {
    double longest = 0.0;
    for (const double length : norms(direction.view())) {
        longest = std::max(longest, length);
    }
    return longest > 0.0 ? 1.0 / longest : 1.0;
}

/// Riemannian L-BFGS with Armijo backtracking. With memory 10 and the preconditioner it is RiemannianLbfgs, written out
/// so that its passes can be counted; bench.cpp checks that both arrive at the same place.
inline Course limited_memory_solver(
    const Problem& problem, const LimitedMemoryChoice& choice, double budget, const RunContext& context,
    const std::function<bool(int updates)>& enough = [](int) { return false; }) {
    SphereObjective objective(problem.similarities, problem.lengths, {});
    Course course(budget, problem.similarities.squared_norm);
    Place place = start_place(objective, problem, course, context);
    LbfgsMemory memory(choice.memory);
    const auto first_guess = [&](const RowBlock& v) {
        objective.project(place.w, v);
        if (choice.preconditioned) {
            objective.precondition(v);
        }
    };
    for (int updates = 0; !course.over() && !enough(updates); ++updates) {
        MultiVector<float> direction = place.gradient;
        memory.apply(direction, first_guess, context);
        project(objective, place.w, direction, context);
        scale(-1.0, direction, context);
        const bool scaled = choice.preconditioned || !memory.pairs().empty();
        auto step =
            search_along(objective, place, direction, scaled ? 1.0 : cautious_length(direction), course, context);
        if (!step && memory.pairs().empty()) {
            break;
        }
        if (!step) {
            memory = LbfgsMemory(choice.memory);
            continue;
        }
        MultiVector<float> moved = difference(step->place.w, place.w, context);
        project(objective, step->place.w, moved, context);
        project(objective, step->place.w, place.gradient, context);
        MultiVector<float> change = difference(step->place.gradient, place.gradient, context);
        memory.push({std::move(moved), std::move(change)}, context);
        place = std::move(step->place);
        course.record(place.value);
    }
    return course;
}

}  // namespace isogon::bench
