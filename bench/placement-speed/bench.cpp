// How many new points a second are placed, and where does the time go? The outputs of the fitted points are those of
// tsm on spheres.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/synthetic/generator.hpp"
#include "linalg/packed_points.hpp"
#include "methods/tsm.hpp"
#include "transform/placement.hpp"

namespace {

using namespace isogon;

constexpr int repetitions = 3;
constexpr Index fitted_count = 14000;
constexpr Index row_count = 4800;
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

std::filesystem::path mnist_images(int count, char** words) {
    std::vector<std::filesystem::path> folders{"../shared/data"};
    if (const char* variable = std::getenv("ISOGON_DATA")) {
        folders.insert(folders.begin(), variable);
    }
    for (int k = 1; k + 1 < count; ++k) {
        if (std::strcmp(words[k], "--data") == 0) {
            folders.insert(folders.begin(), words[k + 1]);
        }
    }
    for (const auto& folder : folders) {
        const auto file = folder / "mnist" / "train-images-idx3-ubyte.gz";
        if (std::filesystem::exists(file)) {
            return file;
        }
    }
    return {};
}

/// Fitted points, then new ones.
Points digits(const std::filesystem::path& file, const RunContext& context) {
    constexpr Index count = fitted_count + row_count;
    if (file.empty()) {
        return find_generator("drawn-digits").generate(count, 0, {}, context).points;
    }
    const Dataset images = read_points(file);
    Points points(count, images.points.dimension);
    for (Index i = 0; i < count; ++i) {
        std::copy_n(images.points[i].begin(), points.dimension(), points[i].begin());
    }
    return points;
}

/// Operations a second of the panel product, from cache.
double panel_peak(const RunContext& context) {
    constexpr Index depth = 768;
    constexpr std::size_t tasks = 64;
    const PackedPoints packed(48 * 64, depth);
    const double seconds = median_seconds([&] {
        parallel_tasks(context, tasks, [&](std::size_t task) {
            alignas(64) float tile[panel_width * panel_width];
            for (Index q = 0; q < packed.panels(); ++q) {
                multiply_panels(packed.panel(static_cast<Index>(task)), packed.panel(q), depth, tile, panel_width);
            }
        });
    });
    return 2.0 * panel_width * panel_width * depth * packed.panels() * tasks / seconds;
}

void print_row(const PointsView& x, const Points& y, int threads) {
    RunContext context;
    context.threads = threads;
    const PointsView fitted(x.data, fitted_count, x.dimension);
    const PointsView rows(x[fitted_count].data(), row_count, x.dimension);
    const Placement placement(fitted, y.view(), threshold, {}, context);
    Placed placed;
    const double peak = panel_peak(context);
    const double seconds = median_seconds([&] { placed = placement.place(rows, context); });
    const PlacementCounts& counts = placed.counts;
    const double cosines = 2.0 * row_count * static_cast<double>(fitted_count) * x.dimension;
    const auto share = [&](double part) { return 100.0 * part / (seconds * threads); };
    std::printf("| %3u | %d | %7.0f | %5.0f%% | %5.0f%% | %5.0f%% | %5.0f | %5.0f%% | %4.1f | %4.1f |\n", y.dimension(),
                threads, row_count / seconds, share(counts.cosine_seconds), share(counts.product_seconds),
                share(counts.step_seconds), peak / 1e9, 100.0 * cosines / (seconds * peak),
                static_cast<double>(counts.passes) / row_count, static_cast<double>(counts.steps) / row_count);
}

}  // namespace

int main(int count, char** words) {
    const RunContext context;
    const std::filesystem::path file = mnist_images(count, words);
    const Points x = digits(file, context);
    std::printf("m = %u fitted and %u new %s digits of %u, tau = %.2f, %s, medians of %d\n\n", fitted_count, row_count,
                file.empty() ? "drawn" : "MNIST", x.dimension(), threshold, instruction_set_name(), repetitions);
    std::printf(
        "|   d | threads | rows/s | cosines | products | steps | peak GFLOP/s | cosines alone at peak | passes a row | "
        "steps a row |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Index d : {16U, 32U, 64U}) {
        const PointsView fitted(x.values().data(), fitted_count, x.dimension());
        const TsmOptions options{.dimension = static_cast<int>(d), .threshold = threshold, .solver = TsmSolver::Sphere};
        const Points y = tsm(fitted, options, context).coordinates;
        for (const int threads : {1, 2}) {
            print_row(x.view(), y, threads);
        }
    }
    return 0;
}
