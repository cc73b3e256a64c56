// How long do the nearest neighbours of all points take, exactly and approximately, and what share of the peak is it?
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "../digits.hpp"
#include "../timing.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/ivf_index.hpp"
#ifdef ISOGON_HAVE_HNSWLIB
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"  // its headers are not ours to mend
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <hnswlib/hnswlib.h>
#pragma GCC diagnostic pop
#endif

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "bench [--data DIR] [--points 14000,70000] [--neighbors 15] [--recalls 80,90,95,99, in percent] [--threads 2] "
    "[--repeat 3] [--metric cosine] [--hnsw 1, 0 leaves the comparison with hnswlib out]\n";

/// The share of the true neighbours that was found, among rows 0, 97, 194, ...
double recall_of(const NeighborLists& found, const NeighborLists& truth) {
    std::size_t hits = 0;
    std::size_t all = 0;
    for (Index i = 0; i < truth.count(); i += 97) {
        const auto list = found[i];
        for (const Index wanted : truth[i]) {
            hits += std::find(list.begin(), list.end(), wanted) != list.end() ? 1 : 0;
            ++all;
        }
    }
    return static_cast<double>(hits) / static_cast<double>(all);
}

void print_row(const char* how, double seconds, double exact, double recall, const std::string& details) {
    std::printf("| %s | %.2f | %.1f | %.2f%% | %s |\n", how, seconds, exact / seconds, 100.0 * recall, details.c_str());
    std::fflush(stdout);
}

void print_index(const PointsView& x, const NeighborLists& truth, Metric metric, double recall, double exact,
                 int repetitions, const RunContext& context) {
    const NeighborIndexOptions options{.metric = metric, .neighbors = truth.size, .recall = recall};
    NeighborLists found;
    double searching = 0.0;
    NeighborIndexFacts facts;
    const double seconds = median_seconds(repetitions, [&] {
        const IvfIndex index(x, options, context);
        const Stopwatch watch;
        found = index.neighbors(truth.size, context);
        searching = watch.seconds();
        facts = index.facts();
    });
    char details[160];
    std::snprintf(details, sizeof details, "index %.2f s, search %.2f s; %u numbers, %u of %u clusters, %u candidates",
                  seconds - searching, searching, facts.numbers, facts.probes, facts.clusters, facts.candidates);
    char how[40];
    std::snprintf(how, sizeof how, "approximate, aimed at %.0f%%", 100.0 * recall);
    print_row(how, seconds, exact, recall_of(found, truth), details);
}

#ifdef ISOGON_HAVE_HNSWLIB
/// hnswlib at its usual M = 16 on directions, built by all threads, which makes its graph another one each time.
void print_hnsw(const PointsView& x, const NeighborLists& truth, double exact, const RunContext& context) {
    Points unit(x.count, x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        std::copy(x[i].begin(), x[i].end(), unit[i].begin());
    }
    set_unit_lengths(unit);
    hnswlib::InnerProductSpace space(x.dimension);
    for (const std::size_t effort : {20U, 50U, 100U}) {
        const Stopwatch watch;
        hnswlib::HierarchicalNSW<float> graph(&space, x.count, 16, 100);
        graph.addPoint(unit[0].data(), 0);
        parallel_tasks(context, x.count - 1,
                       [&](std::size_t i) { graph.addPoint(unit[static_cast<Index>(i + 1)].data(), i + 1); });
        const double building = watch.seconds();
        graph.setEf(effort);
        NeighborLists found{.size = truth.size, .indices = std::vector<Index>(truth.indices.size())};
        parallel_tasks(context, x.count, [&](std::size_t i) {
            auto queue = graph.searchKnn(unit[static_cast<Index>(i)].data(), truth.size + 1);
            for (std::size_t a = truth.size + 1; a-- > 0; queue.pop()) {
                if (a > 0) {  // the nearest is the point itself
                    found.indices[i * truth.size + a - 1] = static_cast<Index>(queue.top().second);
                }
            }
        });
        char details[100];
        std::snprintf(details, sizeof details, "M 16, ef 100 to build, %.1f s; ef %zu to search, %.1f s", building,
                      effort, watch.seconds() - building);
        print_row("hnswlib", watch.seconds(), exact, recall_of(found, truth), details);
    }
}
#endif

void measure(const Digits& digits, Index count, const Arguments& arguments, const RunContext& context) {
    const PointsView x(digits.points.view().data, count, digits.points.dimension());
    const auto k = static_cast<Index>(arguments.number("--neighbors", 15.0));
    const Metric metric = find_metric(arguments.text("--metric", "cosine"));
    const int repetitions = std::max(1, static_cast<int>(arguments.number("--repeat", 3.0)));
    const double peak = panel_peak(context);
    NeighborLists truth;
    const double exact = median_seconds(repetitions, [&] { truth = exact_neighbors(x, k, metric, context); });
    const double operations = static_cast<double>(count) * count * x.dimension;
    std::printf("\n%u %s digits of %u numbers, k = %u by %s\n\n", count, digits.kind, x.dimension, k,
                name(metric).data());
    std::printf("| search | seconds | times as fast | recall | how |\n|---|---|---|---|---|\n");
    char details[120];
    std::snprintf(details, sizeof details, "%.0f GFLOP/s, %.0f%% of the peak of %.0f", operations / exact / 1e9,
                  100.0 * operations / exact / peak, peak / 1e9);
    print_row("exact", exact, exact, 1.0, details);
    for (const unsigned percent : arguments.numbers("--recalls", "80,90,95,99")) {
        print_index(x, truth, metric, percent / 100.0, exact, repetitions, context);
    }
#ifdef ISOGON_HAVE_HNSWLIB
    if (arguments.number("--hnsw", 1.0) > 0.0 && metric == Metric::Cosine) {
        print_hnsw(x, truth, exact, context);
    }
#endif
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    RunContext context;
    context.threads = std::max(1, static_cast<int>(arguments.number("--threads", 2.0)));
    const auto sizes = arguments.numbers("--points", "14000,70000");
    const Digits x = digits(arguments, *std::max_element(sizes.begin(), sizes.end()), 1, context);
    std::printf("%s, %d threads, medians\n", instruction_set_name(), context.threads);
    for (const unsigned size : sizes) {
        measure(x, std::min<Index>(size, x.points.count()), arguments, context);
    }
    return 0;
}
