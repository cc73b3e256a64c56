// Neighbours are searched once, two maps are made of them under a time limit, one of edges, and one fit of landmarks.
#include <algorithm>
#include <cstdio>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/synthetic/generator.hpp"

namespace {

void make_maps() {
    const auto sheet = isogon::find_generator("swiss-roll").generate(600, 0, {}, {});
    isogon::RunContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const isogon::NeighborLists lists =
        isogon::find_neighbors(sheet.points.view(), {.neighbors = 15, .metric = isogon::Metric::Euclidean}, context)
            .lists;

    for (const char* name : {"umap", "laplacian"}) {
        const isogon::Method& method = isogon::find_method(name);
        const auto fit = method.embed(sheet.points.view(), {{"neighbors", std::int64_t{15}}}, context,
                                      isogon::FitExtras{.neighbors = &lists});
        std::printf("%s, %zu options: %s\n", name, method.options.size(), fit.summary.message.c_str());
    }

    isogon::CsrMatrix<double> ring{.rows = 600, .columns = 600};  // edges of one's own: each point's to the next
    for (isogon::Index i = 0; i < 600; ++i) {
        for (const isogon::Index j :
             {std::min((i + 599) % 600, (i + 1) % 600), std::max((i + 599) % 600, (i + 1) % 600)}) {
            ring.indices.push_back(j);
            ring.values.push_back(1.0);
        }
        ring.offsets.push_back(ring.indices.size());
    }
    const auto around = isogon::find_method("umap").embed(sheet.points.view(), {}, context, {.affinities = &ring});
    std::printf("umap of %zu edges: %s\n", ring.values.size(), around.summary.message.c_str());

    const isogon::LandmarkOptions landmarks{.landmarks = 100, .selection = isogon::LandmarkSelection::Farthest};
    const auto fit = isogon::find_method("isomap").embed(isogon::DistributedPoints(sheet.points.view()), {}, context,
                                                         {}, &landmarks);
    std::printf("isomap on landmarks: %u points\n", fit.coordinates.count());
}

}  // namespace

int main() {
    try {
        make_maps();
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
