// Compares the cost of a row that is placed by indexes with one placed among all fitted points, and its loss.
// Arguments: models of faithful by distance, each followed by a file of rows that were not fitted.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "core/archive_schema.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"
#include "transform/distance_placement.hpp"

namespace {

using namespace isogon;

constexpr Index rows_among_all = 480;
constexpr Index rows_compared = 200;

/// Time of a core: other programs on the machine do not count, though they slow its caches.
double core_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double microseconds_a_row(Index rows, const Work& work) {
    const double start = core_seconds();
    work();
    return 1e6 * (core_seconds() - start) / rows;
}

PointsView first_rows(const PointsView& rows, Index count) {
    return {rows.data, std::min(count, rows.count), rows.dimension, rows.stride};
}

void print_row(const char* model_file, const char* rows_file) {
    RunContext context;
    context.threads = 1;
    const Archive model = read_archive(model_file);
    const Dataset data = read_points(rows_file);
    const PointsView rows = data.points;
    const PointsView x = points_view(model, "inputs");
    const PointsView y = points_view(model, "coordinates");
    const LocalPlacement local{.metric = find_metric(model.note("metric")),
                               .neighbors = static_cast<Index>(model.count("neighbors")),
                               .repulsion = model.number("repulsion"),
                               .radii = model.numbers<float>("radii", {x.count})};
    std::shared_ptr<const OutOfSampleIndexes> indexes;
    const double built =
        microseconds_a_row(1, [&] { indexes = std::make_shared<const OutOfSampleIndexes>(x, y, local, context); });
    const DistancePlacement by_index(x, y, local, indexes, context);
    const DistancePlacement among_all(x, y, local, nullptr, context);
    const double search = microseconds_a_row(
        rows.count, [&] { static_cast<void>(indexes->inputs().search(rows, local.neighbors, context)); });
    PlacedByDistance placed;
    const double indexed = microseconds_a_row(rows.count, [&] { placed = by_index.place(rows, context); });
    const PointsView few = first_rows(rows, rows_among_all);
    const double exact = microseconds_a_row(few.count, [&] { static_cast<void>(among_all.place(few, context)); });
    const PlacementAgreement agreement = by_index.compare(first_rows(rows, rows_compared), context);
    std::printf("| %u | %u | %.0f | %.0f | %.0f | %.1f | %.1f | %.3f | %.3f | %.3f | %.2f | %.1f |\n", x.count,
                y.dimension, exact, indexed, search, static_cast<double>(placed.looks) / rows.count,
                static_cast<double>(placed.steps) / rows.count, agreement.near_found, agreement.recall,
                agreement.exact_recall, agreement.median_distance, 1e-6 * built);
}

}  // namespace

int main(int count, char** words) {
    std::printf(
        "| fitted | d | among all, us a row | by index, us a row | of it search of inputs | looks | steps | near found "
        "| "
        "recall@10 | among all | apart / radius (median) | s to build |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 1; k + 1 < count; k += 2) {
        print_row(words[k], words[k + 1]);
    }
    return 0;
}
