// Which solver brings the equation S = max(0, L) on spheres to a wished residual first?
#include <cstdio>
#include <functional>

#include "../digits.hpp"
#include "conjugate_gradients.hpp"
#include "decomposition/riemannian_lbfgs.hpp"
#include "limited_memory_solver.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr double threshold = 0.75;
constexpr const char* help = "bench [--data DIR] [--points 14000] [--dims 8,16,32] [--seconds 20, of each solver]\n";

struct Solver {
    const char* name;
    std::function<Course(const Problem&)> run;
};

std::vector<Solver> solvers(const Arguments& arguments, const RunContext& context) {
    const double budget = arguments.number("--seconds", 20.0);
    return {{"L-BFGS, memory 10, preconditioned",
             [=](const Problem& p) { return limited_memory_solver(p, {}, budget, context); }},
            {"L-BFGS, memory 20, plain",
             [=](const Problem& p) {
                 return limited_memory_solver(p, {20, false}, budget, context);
             }},
            {"conjugate gradients, preconditioned",
             [=](const Problem& p) { return conjugate_gradients(p, budget, context); }}};
}

/// The first solver is the library's own, or the comparison is not of it.
bool is_the_library_s(const Problem& problem, const RunContext& context) {
    constexpr int updates = 10;
    SphereObjective objective(problem.similarities, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {.tolerance = 0.0}, context);
    descent.run_to(updates);
    const Course course = limited_memory_solver(problem, {}, 1e9, context, [](int made) { return made == updates; });
    if (std::abs(course.final() - descent.relative_residual()) <= 1e-6 * descent.relative_residual()) {
        return true;
    }
    std::fprintf(stderr, "after %d updates RiemannianLbfgs is at %.9f, the solver of this bench at %.9f\n", updates,
                 descent.relative_residual(), course.final());
    return false;
}

void print_row(Index d, const char* name, const Course& course, double best) {
    std::printf("| %u | %s |", d, name);
    for (const double share : {1.5, 1.1, 1.02}) {
        if (const Course::Moment* moment = course.reached(share * best)) {
            std::printf(" %.2f / %d |", moment->seconds, moment->passes);
        } else {
            std::printf(" - |");
        }
    }
    const auto& last = course.moments().back();
    std::printf(" %.4f | %.1f / %d |\n", last.residual, last.seconds, last.passes);
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    const RunContext context;
    const auto wished = static_cast<Index>(arguments.number("--points", 14000.0));
    Digits x = digits(arguments, wished, 5, context);
    set_unit_lengths(x.points);
    Problem problem{
        similarities_of(x.points.view(), threshold, context), std::vector<float>(x.points.count(), 1.0F), {}};
    const auto lengths = norms(x.points.view());
    for (Index i = 0; i < x.points.count(); ++i) {
        problem.lengths[i] = lengths[i] > 0.0 ? 1.0F : 0.0F;
    }
    std::printf("n = %u %s digits, tau = %.2f, spheres, unit weights, from SVD, %d threads, %s\n\n", x.points.count(),
                x.kind, threshold, context.thread_count(), instruction_set_name());
    std::printf(
        "| d | solver | s / passes to 50%% above the best | to 10%% | to 2%% | residual at the end | s / passes |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
    for (const unsigned d : arguments.numbers("--dims", "8,16,32")) {
        problem.start = start_from_svd(x.points.view(), d, context);
        if (!is_the_library_s(problem, context)) {
            return 1;
        }
        std::vector<Course> courses;
        double best = 1e300;
        for (const Solver& solver : solvers(arguments, context)) {
            courses.push_back(solver.run(problem));
            best = std::min(best, courses.back().final());
        }
        for (std::size_t k = 0; k < courses.size(); ++k) {
            print_row(d, solvers(arguments, context)[k].name, courses[k], best);
        }
        std::fflush(stdout);
    }
    return 0;
}
