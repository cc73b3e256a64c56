// Which solver for the unfoldings of a few hundred points? See README.md beside this file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

#include "../arguments.hpp"
#include "../timing.hpp"
#include "graph/components.hpp"
#include "graph/symmetric_graph.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "semidefinite/exact_unfolding.hpp"
#include "semidefinite/unfolding.hpp"
#include "synthetic/point_clouds.hpp"

namespace {

using namespace isogon;

constexpr const char* help =
    "bench [--points 100,200,400] [--neighbors 6] [--seed 0] [--csdp csdp]\n"
    "Unfolds swiss rolls exactly, by DSDP within isogon, and by the program CSDP where there is one.\n";

/// The program in SDPA's sparse format, all points and sum_ij K_ij = 0 by an objective that does not see it: minimise
/// b.y over sum_a y_a A_a - C >= 0, with bounds on y as a second, diagonal block.
void write_sdpa(const std::filesystem::path& path, Index n, const DistanceConstraints& constraints) {
    std::ofstream file(path);
    file.precision(17);
    const std::size_t m = constraints.size();
    file << m << "\n2\n" << n - 1 << " -" << 2 * m << '\n';
    for (const double value : constraints.squared) {
        file << value << ' ';
    }
    file << '\n';
    for (Index i = 1; i < n; ++i) {
        for (Index j = i; j < n; ++j) {
            file << "0 1 " << i << ' ' << j << ' ' << (i == j ? 1.0 : 0.0) - 1.0 / n << '\n';
        }
    }
    const double price = slack_penalty(n, constraints);
    for (std::size_t a = 0; a < m; ++a) {
        file << "0 2 " << a + 1 << ' ' << a + 1 << ' ' << -price << '\n';
        file << "0 2 " << m + a + 1 << ' ' << m + a + 1 << ' ' << -price << '\n';
    }
    for (std::size_t a = 0; a < m; ++a) {
        const auto [i, j] = constraints.pairs[a];
        file << a + 1 << " 1 " << i + 1 << ' ' << i + 1 << " 1\n";
        if (j + 1 < n) {
            file << a + 1 << " 1 " << i + 1 << ' ' << j + 1 << " -1\n"
                 << a + 1 << " 1 " << j + 1 << ' ' << j + 1 << " 1\n";
        }
        file << a + 1 << " 2 " << a + 1 << ' ' << a + 1 << " 1\n";
        file << a + 1 << " 2 " << m + a + 1 << ' ' << m + a + 1 << " -1\n";
    }
}

/// Seconds, objective and exit code as a row's cells; what it prints is read for its objective.
std::string csdp_cells(const std::string& program, Index n, const DistanceConstraints& constraints) {
    const auto folder = std::filesystem::temp_directory_path();
    const auto problem = folder / "isogon_unfolding.dat-s";
    const auto told = folder / "isogon_unfolding.txt";
    write_sdpa(problem, n, constraints);
    const bench::Stopwatch watch;
    const int code = std::system((program + " " + problem.string() + " > " + told.string() + " 2>&1").c_str());
    const double seconds = watch.seconds();
    std::ifstream lines(told);
    std::string objective = "-";
    std::string outcome = "-";
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Primal objective value:")) {
            objective = std::to_string(std::strtod(line.c_str() + line.find(':') + 1, nullptr));
        }
        if (line.starts_with("Success") || line.starts_with("Failure") || line.starts_with("Partial") ||
            line.starts_with("Stuck") || line.starts_with("Lack")) {
            outcome = line.substr(0, line.find(':'));
        }
    }
    std::filesystem::remove(problem);
    std::filesystem::remove(told);
    if (code != 0 && objective == "-") {
        return "- | - | not run";
    }
    char cells[200];
    std::snprintf(cells, sizeof cells, "%.1f | %s | %s", seconds, objective.c_str(), outcome.c_str());
    return cells;
}

const char* name(SemidefiniteStatus status) {
    switch (status) {
        case SemidefiniteStatus::Solved: return "solved";
        case SemidefiniteStatus::NotConverged: return "not converged";
        case SemidefiniteStatus::Unbounded: return "unbounded";
        case SemidefiniteStatus::Infeasible: return "infeasible";
        case SemidefiniteStatus::Interrupted: return "interrupted";
    }
    return "";
}

void row(const Generated& roll, Index neighbors, const std::string& csdp) {
    const Index n = roll.points.count();
    const NeighborLists lists = exact_neighbors(roll.points.view(), neighbors, Metric::Euclidean, RunContext{});
    const Components components = connected_components(symmetric_graph(lists, RunContext{}));
    if (components.count() > 1) {
        std::printf("| %u | | refused: %u components | | | | | | | | |\n", n, components.count());
        return;
    }
    const DistanceConstraints constraints = distance_constraints(roll.points.view(), lists, KeptPairs::SharedNeighbors);
    const bench::Stopwatch watch;
    const Unfolding unfolding = unfold_exactly(n, constraints, {.price = slack_penalty(n, constraints)});
    const double seconds = watch.seconds();
    const double total = std::accumulate(unfolding.eigenvalues.begin(), unfolding.eigenvalues.end(), 0.0);
    const double two =
        unfolding.eigenvalues.size() < 2 ? 1.0 : (unfolding.eigenvalues[0] + unfolding.eigenvalues[1]) / total;
    const DistanceChanges changes = distance_changes(unfolding.outputs, constraints);
    std::printf("| %u | %zu | %s | %.1f | %lld | %.0e | %.1f | %.5f | %.1e | %s |\n", n, constraints.size(),
                name(unfolding.status), seconds, static_cast<long long>(unfolding.iterations), unfolding.gap,
                unfolding.trace, two, changes.mean, csdp_cells(csdp, n, constraints).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const bench::Arguments arguments(count, words, help);
    const auto neighbors = static_cast<Index>(arguments.number("--neighbors", 6));
    const std::string csdp = arguments.text("--csdp", "csdp");
    std::printf("Swiss rolls without noise, %u neighbours; BLAS on one thread for DSDP, on all for CSDP\n\n",
                neighbors);
    std::printf(
        "| n | constraints | DSDP | s | iterations | gap | trace | two eigenvalues | mean change | "
        "CSDP s | its trace | its word |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const unsigned n : arguments.numbers("--points", "100,200,400")) {
        const Generated roll =
            swiss_roll(n, static_cast<std::uint64_t>(arguments.number("--seed", 0)), {.height = 21.0});
        row(roll, neighbors, csdp);
    }
    return 0;
}
