#include "faithful/record.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "faithful/stages.hpp"
#include "faithful/start.hpp"
#include "isogon/faithful/faithful.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/kept_neighbors.hpp"

namespace isogon {

namespace {

/// Counts the bytes of the search of neighbours, beside the points, or copies of those that are given.
std::uint64_t search_bytes(const DistributedPoints& x, Index k, const NeighborLists* given) {
    if (given != nullptr) {
        return neighbor_bytes(x.count(), given->size) + neighbor_bytes(x.count(), k);
    }
    return exact_neighbors_bytes(x.count(), x.dimension(), k);  // an index is made only where it fits beside the inputs
}

/// Counts the bytes of the pairs to keep, as collected and as assembled, and their pass.
std::uint64_t pair_bytes(Index points, Index dimension, Index k) {
    constexpr std::uint64_t bytes_of_a_pair = 20;
    const std::uint64_t near = std::uint64_t{points} * k;
    return bytes_of_a_pair * near + ListedPass::bytes(points, dimension, near, divides_pairs(points, dimension));
}

}  // namespace

void state_faithful(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                    const RunContext& context) {
    const Index n = x.count();
    const auto d = static_cast<Index>(options.dimension.value_or(static_cast<int>(x.dimension())));
    const std::uint64_t inputs = std::uint64_t{n} * x.dimension() * sizeof(float);
    const auto sum_of = [](const std::vector<MemoryItem>& items) {
        return std::accumulate(items.begin(), items.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const MemoryItem& item) { return sum + item.bytes; });
    };
    const DescentOptions descent = descent_by_lists(n);
    const auto own = static_cast<Index>(RiemannianLbfgs::shared_rows(n, ranks_of(x), {}).own().size());
    // The search of neighbours has freed its memory when they are matched.
    const std::vector<MemoryItem> looking{
        {"the inputs of length 1",
         options.metric == Metric::Cosine || options.metric == Metric::Correlation ? inputs : 0},
        {"the inputs of all ranks", x.is_distributed() ? inputs : 0},
        {"the principal directions", start_bytes(n, x.dimension(), d)},
        {"their neighbours", search_bytes(x, k, extras.neighbors)}};
    const std::vector<MemoryItem> matching{
        {"their neighbours", 2 * neighbor_bytes(n, k)},  // as found, and in spatial order
        {"the pairs to keep", pair_bytes(n, d, k)},
        {"the solver, or the layout at which it begins again",
         std::max(RiemannianLbfgs::bytes(n, own, d, descent), layout_bytes(n, k, d))},
        {"the start of a stage", std::uint64_t{n} * d * sizeof(float)},
        {"a checkpoint", extras.checkpoint ? RiemannianLbfgs::bytes(n, n, d, descent) : 0}};
    require_memory(context, sum_of(looking) > sum_of(matching) ? looking : matching,
                   "raise the limit, or embed fewer points");
}

void certify(const NeighborLists& lists, Metric metric, const DistributedPoints& x, const RunContext& context,
             Embedding& result) {
    Summary& summary = result.summary;
    if (!summary.usable() || was_interrupted(summary.termination)) {
        return;
    }
    const PhaseTimer timer(summary, "certificate");
    const Points gathered = x.is_distributed() ? x.gather_range({0, x.count()}) : Points();
    const PointsView inputs = x.is_distributed() ? gathered.view() : x.local();
    KeptNeighbors kept =
        kept_neighbors(lists, x.dimension() > 0 ? inputs : PointsView(), result.coordinates.view(), metric, context);
    summary.measure("kept_neighbors", kept.neighbors);
    summary.measure("all_kept", kept.all);
    summary.measure("kept_in_order", kept.in_order);
    summary.count("certified_points", static_cast<double>(kept.rows.size()));
    result.kept = std::move(kept);
    if (summary.value("exact_neighbors", 1.0) == 0.0) {
        summary.message += "; an index found " + rounded(summary.value("neighbor_recall", 1.0)) +
                           " of the inputs' neighbours, and those are what is kept";
    }
}

}  // namespace isogon
