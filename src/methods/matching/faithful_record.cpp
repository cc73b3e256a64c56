#include "methods/matching/faithful_record.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/decomposition/relu_decomposition.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/ivf_index.hpp"
#include "methods/matching/faithful_start.hpp"
#include "methods/matching/local_faithful.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

namespace {

/// The rows of L-BFGS's vectors that this rank holds.
Index own_rows(const DistributedPoints& x) {
    return static_cast<Index>(FaithfulDescent::shared_rows(x.count(), ranks_of(x), {}).own().size());
}

/// Of the search of neighbours, beside the points, or of copies of those that are given.
std::uint64_t search_bytes(const DistributedPoints& x, const FaithfulOptions& options, Index k,
                           const NeighborLists* given) {
    if (given != nullptr) {
        return neighbor_bytes(x.count(), given->size) + neighbor_bytes(x.count(), k);
    }
    return options.search == SearchKind::Approximate
               ? IvfIndex::bytes(x.count(), x.dimension()) + neighbor_bytes(x.count(), k)
               : exact_neighbors_bytes(x.count(), x.dimension(), k);
}

}  // namespace

void state_faithful(const DistributedPoints& x, const FaithfulOptions& options, double density, bool checkpoints,
                    const RunContext& context, std::vector<MemoryItem> more) {
    const Index d = dimension_of(options);
    const std::uint64_t start =
        options.start == FaithfulStart::Tsm ? ReluDecomposition::bytes(x.count(), {.rank = d}) : 0;
    // A checkpoint is a copy of the solver's state.
    const std::uint64_t solver = FaithfulPath::bytes(x.count(), own_rows(x), d) +
                                 (checkpoints ? FaithfulPath::bytes(x.count(), x.count(), d) : 0);
    more.push_back({"the weighted points", std::uint64_t{x.local().count} * x.dimension() * sizeof(float)});
    more.push_back({"the solver", std::max(start, solver)});
    if (const auto k = static_cast<Index>(options.neighbors.value_or(0)); k > 0) {
        const double above = 0.5 * density * x.count() * static_cast<double>(x.count());
        const bool angles_count = options.favor != Favor::Neighbors;
        more.push_back(
            {"neighbours", local_form_bytes(x.count(), d, k, angles_count ? static_cast<Offset>(above) : 0)});
        // The packed copies that S takes are gone by then; an exact search takes such copies again.
        more.push_back({"the neighbour index",
                        options.search == SearchKind::Approximate ? IvfIndex::bytes(x.count(), x.dimension()) : 0});
        more.push_back({"the inputs of all ranks",
                        x.is_distributed() ? std::uint64_t{x.count()} * x.dimension() * sizeof(float) : 0});
    }
    state_matching(x, d, density, std::move(more), context);
}

void state_neighbors_alone(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                           const RunContext& context) {
    const std::uint64_t inputs = std::uint64_t{x.count()} * x.dimension() * sizeof(float);
    const auto sum_of = [](const std::vector<MemoryItem>& items) {
        return std::accumulate(items.begin(), items.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const MemoryItem& item) { return sum + item.bytes; });
    };
    const DescentOptions descent = descent_by_lists(x.count());
    // What looks for neighbours is gone when they are matched.
    const std::vector<MemoryItem> looking{
        {"the inputs of length 1", options.metric == Metric::Cosine ? inputs : 0},
        {"the inputs of all ranks", x.is_distributed() ? inputs : 0},
        {"the singular directions", start_bytes(x.count(), x.dimension(), dimension_of(options))},
        {"their neighbours", search_bytes(x, options, k, extras.neighbors)}};
    const std::vector<MemoryItem> matching{
        {"their neighbours", 2 * neighbor_bytes(x.count(), k)},  // as found, and in the order of places
        {"the pairs to keep", local_form_bytes(x.count(), dimension_of(options), k, 0)},
        {"the solver", FaithfulDescent::bytes(x.count(), own_rows(x), dimension_of(options), descent)},
        {"a checkpoint",
         extras.checkpoint ? FaithfulDescent::bytes(x.count(), x.count(), dimension_of(options), descent) : 0}};
    require_memory(context, sum_of(looking) > sum_of(matching) ? looking : matching,
                   "raise the limit, or embed fewer points");
}

FollowedPath follow_path(const Similarities& s, const std::vector<float>& lengths, MultiVector<float> start,
                         const FaithfulPathOptions& options,
                         const std::function<Points(const FaithfulPath&)>& coordinates, Checkpoints& checkpoints,
                         const RunContext& context) {
    FollowedPath followed;
    const auto save = [&](Archive& archive) { followed.path->save(archive); };
    const auto help_save = [&] { followed.path->help_save(); };
    RunContext watched = context;
    watched.on_iteration = [&](const Progress& progress) {
        if (!followed.path || progress.phase != "matching") {
            return context.report(progress);
        }
        context.report(with_coordinates(progress, [&] { return coordinates(*followed.path); }));
        checkpoints.take(save, false, help_save);
    };
    // Where the local form was tried in vain, its checkpoints are none of this path.
    const Archive* saved = is_of_local_form(checkpoints.resume()) ? nullptr : checkpoints.resume();
    followed.path = saved == nullptr
                        ? std::make_unique<FaithfulPath>(s, lengths, std::move(start), options, watched)
                        : std::make_unique<FaithfulPath>(s, lengths, std::move(start), options, *saved, watched);
    followed.end = followed.path->run();
    if (followed.end == Termination::Cancelled || followed.end == Termination::TimeLimit) {
        checkpoints.take(save, true, help_save);
    }
    return followed;
}

namespace {

std::string form_of(const FaithfulPath& path, Index dimension) {
    const std::string form = path.form() == FaithfulForm::Relaxed ? " in the relaxed form" : " on the spheres";
    return path.stage() == FaithfulStage::Spheres
               ? form
               : form + ", since " + std::to_string(dimension) +
                     " dimensions cannot hold these angles (residual after the trial " +
                     rounded(path.trial_residual()) + ")";
}

}  // namespace

void record_path(const FollowedPath& followed, Index dimension, Summary& summary) {
    const FaithfulPath& path = *followed.path;
    summary.termination = followed.end;
    summary.trace = path.trace();
    summary.count("violating_pairs", 0.5 * path.descent().value().violations);
    summary.count("relaxed", path.stage() == FaithfulStage::Relaxed ? 1.0 : 0.0);
    summary.count("strained", path.stage() == FaithfulStage::DampedSpheres ? 1.0 : 0.0);
    summary.measure("relative_residual", path.descent().relative_residual());
    if (path.trial_residual() >= 0.0) {
        summary.measure("residual_on_spheres", path.trial_residual());
    }
    summary.message =
        message_of({.termination = followed.end,
                    .updates = summary.trace.size(),
                    .form = form_of(path, dimension),
                    .tolerance = rounded(path.descent().tolerance()),
                    .residual = ", |S - max(0, L)| / |S| = " + rounded(path.descent().relative_residual())});
}

}  // namespace isogon
