#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../timing.hpp"
#include "problem.hpp"

namespace isogon::bench {

/// The course of one solver: relative residuals sqrt(f) / |S| by seconds and by passes over all pairs.
class Course {
public:
    struct Moment {
        double seconds = 0.0;
        int passes = 0;
        double residual = 0.0;
    };

    Course(double budget, double squared_norm) : budget_(budget), squared_norm_(squared_norm) {}

    void pass() { ++passes_; }
    /// After every step that was taken, and at the start.
    void record(const DescentValue& value) {
        moments_.push_back({watch_.seconds(), passes_, std::sqrt(value.misfit / squared_norm_)});
    }
    [[nodiscard]] bool over() const { return watch_.seconds() >= budget_; }
    [[nodiscard]] double final() const { return moments_.back().residual; }
    [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
    /// The first moment with at most that residual, or null.
    [[nodiscard]] const Moment* reached(double residual) const {
        const auto found = std::find_if(moments_.begin(), moments_.end(),
                                        [&](const Moment& moment) { return moment.residual <= residual; });
        return found == moments_.end() ? nullptr : &*found;
    }

private:
    Stopwatch watch_;
    double budget_;
    double squared_norm_;
    int passes_ = 0;
    std::vector<Moment> moments_;
};

/// A place on the spheres with what is known of it.
struct Place {
    MultiVector<float> w;
    MultiVector<float> gradient;
    DescentValue value;
};

inline Place start_place(SphereObjective& objective, const Problem& problem, Course& course,
                         const RunContext& context) {
    Place place{problem.start, MultiVector<float>(problem.start.rows(), problem.start.columns()), {}};
    place.value = objective.evaluate(place.w, place.gradient, context);
    course.pass();
    course.record(place.value);
    return place;
}

}  // namespace isogon::bench
