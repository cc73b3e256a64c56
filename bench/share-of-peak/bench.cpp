// Measures the share of the machine's own float32 peak that S, a pass over all pairs, and the eigen-step reach.
// The peak is measured in the same run: a square product by the BLAS at hand, and by our own panel product.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "decomposition/relu_decomposition.hpp"
#include "isogon/synthetic/generator.hpp"
#include "linalg/block_eigensolver.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/truncated_svd.hpp"
#include "pairs/matching_problem.hpp"
#ifdef ISOGON_HAVE_CBLAS
#include <cblas.h>
#endif

namespace {

using namespace isogon;

constexpr int repetitions = 5;
constexpr Index points = 14000;
constexpr double threshold = 0.75;

double median_seconds(const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int r = 0; r < repetitions; ++r) {
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[repetitions / 2];
}

double print_row(const std::string& what, double operations, double seconds, double peak) {
    const double rate = operations / seconds / 1e9;
    std::printf("| %-44s | %9.1f | %9.4f | %7.1f | %5.0f%% |\n", what.c_str(), operations / 1e9, seconds, rate,
                peak > 0.0 ? 100.0 * rate / peak : 100.0);
    return rate;
}

double blas_peak() {
#ifdef ISOGON_HAVE_CBLAS
    const int n = 4096;
    const std::vector<float> a(static_cast<std::size_t>(n) * n, 1.0F);
    std::vector<float> c(a.size());
    const double seconds = median_seconds([&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0F, a.data(), n, a.data(), n, 0.0F, c.data(),
                    n);
    });
    return print_row("square product 4096, BLAS", 2.0 * n * n * n, seconds, 0.0);
#else
    return 0.0;
#endif
}

double panel_peak(const RunContext& context) {
    constexpr Index depth = 768;
    const PackedPoints packed(48 * 64, depth);
    constexpr std::size_t tasks = 256;
    const double seconds = median_seconds([&] {
        parallel_tasks(context, tasks, [&](std::size_t task) {
            alignas(64) float tile[panel_width * panel_width];
            for (Index q = 0; q < packed.panels(); ++q) {
                multiply_panels(packed.panel(static_cast<Index>(task) % packed.panels()), packed.panel(q), depth, tile,
                                panel_width);
            }
        });
    });
    const double operations = 2.0 * panel_width * panel_width * depth * packed.panels() * tasks;
    return print_row("panels of 48, depth 768, ours", operations, seconds, 0.0);
}

double pairs_of(Index n) {
    return 0.5 * static_cast<double>(n) * n;
}

void pass_rows(const MatchingProblem& problem, Index d, double peak, const RunContext& context) {
    const TruncatedSvd directions = truncated_svd(problem.points, d, context);
    LowRank start = initial_matrix(project(problem.points, directions, context), threshold);
    ReluDecomposition state(problem.similarities, std::move(start), {.rank = d}, context);
    state.run_to(20);  // to a usual number of violations, and to an extrapolated L of rank 2 d
    const LowRank& l = state.matrix();
    const PackedLowRank packed = pack({{&l, 1.5}, {&l, -0.5}}, context);
    MultiVector<float> in(l.size(), d + 8);
    MultiVector<float> out(l.size(), d + 8);
    for (std::size_t i = 0; i < in.rows(); ++i) {
        std::copy_n(l.factor.row(i), d, in.row(i));
    }
    ResidualPass pass(problem.similarities);
    const double seconds = median_seconds([&] { (void)pass.apply(packed, in, out, nullptr, context); });
    print_row("pass over pairs, d = " + std::to_string(d) + ", depth " + std::to_string(2 * d),
              2.0 * pairs_of(l.size()) * packed.left.depth(), seconds, peak);
    const double m = d + 8.0;
    const double step =
        median_seconds([&] { (void)tangent_eigenpairs(in, out, d + 8, SpectrumOrder::LargestMagnitude, context); });
    print_row("eigen-step, d = " + std::to_string(d) + " (20 n (d + 8)^2)", 20.0 * l.size() * m * m, step, peak);
}

}  // namespace

int main() {
    const RunContext context;
    std::printf("n = %u drawn digits of 784, tau = %.2f, %d threads, %s, medians of %d\n\n", points, threshold,
                context.thread_count(), instruction_set_name(), repetitions);
    std::printf("| %-44s | %9s | %9s | %7s | %6s |\n|---|---|---|---|---|\n", "what", "GFLOP", "seconds", "GFLOP/s",
                "peak");
    const double blas = blas_peak();
    const double peak = std::max(blas, panel_peak(context));
    const Generated digits = find_generator("drawn-digits").generate(points, 0, {}, context);
    MatchingProblem problem;
    const double seconds = median_seconds([&] {
        Summary summary;
        problem = prepare_matching(digits.points.view(), threshold, false, context, summary);
    });
    print_row("S, depth 785", 2.0 * pairs_of(points) * 785, seconds, peak);
    for (const Index d : {16U, 32U, 64U, 128U}) {
        pass_rows(problem, d, peak, context);
    }
    return 0;
}
