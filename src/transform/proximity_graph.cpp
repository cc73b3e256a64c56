#include "transform/proximity_graph.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/spatial_order.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr Index nearest_considered = 64;
constexpr Index least_points_of_index = 20000;  // from here on an index takes half the time of all pairs
constexpr double recall_of_near = 0.9;
constexpr Index own_edges = 24;  // of a point; the others are to points that have edges to it
constexpr Index least_effort = 16;
constexpr Index tuning_rows = 256;
constexpr std::uint64_t seed_of_sample = 0;
constexpr std::size_t points_at_once = 256;

constexpr std::size_t left_at_once = 8;

template <class Number>
void prefetch(const Number* numbers, std::size_t count) {
    constexpr std::size_t line = 64 / sizeof(Number);
    for (std::size_t k = 0; k < count; k += line) {
        hwy::Prefetch(numbers + k);
    }
}

}  // namespace

ProximityGraph::ProximityGraph(const PointsView& outputs, std::span<const float> radii, const RunContext& context) {
    require_memory(context, {{"the fitted outputs", points_bytes(outputs.count, outputs.dimension)}},
                   "raise the limit");
    set_points(outputs, radii, context);
    effort_ = outputs.count;
}

ProximityGraph::ProximityGraph(const PointsView& outputs, std::span<const float> radii, Index neighbors,
                               const RunContext& context) {
    require_memory(context, {{"the graph of the fitted outputs", bytes(outputs.count, outputs.dimension)}},
                   "raise the limit");
    set_points(outputs, radii, context);
    add_reverse(spread_edges(context), context);
    effort_ = tuned_effort(neighbors, context);
}

ProximityGraph::ProximityGraph(const PointsView& outputs, std::span<const float> radii, const Archive& archive,
                               const RunContext& context)
    : effort_(static_cast<Index>(archive.count("output_effort"))) {
    require_memory(context, {{"the graph of the fitted outputs", bytes(outputs.count, outputs.dimension)}},
                   "raise the limit");
    set_points(outputs, radii, context);
    const auto& by_row = archive.numbers<std::uint32_t>("output_edges", {outputs.count, degree});
    edges_ = AlignedArray<Index>(rows_.size() * degree);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        edges_.data()[e] = place_of_[by_row[std::size_t{rows_[e / degree]} * degree + e % degree]];
    }
}

void ProximityGraph::save(Archive& archive) const {
    std::vector<std::uint32_t> by_row(place_of_.size() * degree);
    for (std::size_t row = 0; row < place_of_.size(); ++row) {
        for (std::size_t e = 0; e < degree; ++e) {
            by_row[row * degree + e] = rows_[edges_of(place_of_[row])[e]];
        }
    }
    archive.add("output_edges", Array{{place_of_.size(), degree}, std::move(by_row)});
    archive.add_count("output_effort", effort_);
}

void ProximityGraph::describe(ArchiveSchema& schema) {
    schema.size("E", {degree, degree});
    schema.add({.name = "output_edges",
                .scalar = ArchiveArray::Scalar::Uint32,
                .shape = {"n", "E"},
                .values = {{0, {"n", -1}}}});
    schema.add({.name = "output_effort",
                .scalar = ArchiveArray::Scalar::Uint64,
                .values = {{1, "n", ArchiveRange::Form::Whole}}});
}

void ProximityGraph::set_points(const PointsView& outputs, std::span<const float> radii, const RunContext& context) {
    float largest = 0.0F;
    for (Index row = 0; row < outputs.count; ++row) {
        for (const float value : outputs[row]) {
            largest = std::max(largest, std::abs(value));
        }
    }
    const int exponent = largest > 0.0F ? -std::ilogb(largest) : 0;
    scale_ = std::ldexp(1.0, exponent);
    const auto scaled = [&](float value) { return static_cast<float>(scale_ * double{value}); };
    points_ = MultiVector<float>(outputs.count, outputs.dimension);
    place_of_.resize(outputs.count);
    for (const Index row : spatial_order(outputs, context)) {
        const auto place = static_cast<Index>(rows_.size());
        std::transform(outputs[row].begin(), outputs[row].end(), points_.row(place), scaled);
        radii_.push_back(scaled(radii[row]));
        place_of_[row] = place;
        rows_.push_back(row);
    }
}

/// Lists up to own_edges edges of each point, itself in the places that are left. First come those that no kept one
/// hides, then the nearest of the others.
std::vector<Index> ProximityGraph::spread_edges(const RunContext& context) const {
    const Index count = points_.rows();
    std::vector<Index> edges(std::size_t{count} * own_edges);
    if (count == 1) {
        return edges;
    }
    RunContext quiet = context;
    quiet.on_iteration = nullptr;
    const NeighborSearchOptions options{
        .neighbors = std::min<Index>(nearest_considered, count - 1),
        .metric = Metric::Euclidean,
        .search = count < least_points_of_index ? SearchKind::Auto : SearchKind::Approximate,
        .recall = recall_of_near};
    const NeighborLists near =
        search_step(points_.view(), options, beside(quiet, MultiVector<float>::bytes(count, points_.columns()))).lists;
    parallel_blocks(context, count, points_at_once, [&](Range range) {
        throw_if_cancelled_in_task(context);
        std::vector<Index> kept;
        std::vector<Index> hidden;
        std::vector<float> squares;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            kept.clear();
            hidden.clear();
            for (Index k = 0; k < near.size && kept.size() < own_edges; ++k) {
                const Index candidate = near[i][k];
                const float own = near.distances_of(i)[k] * near.distances_of(i)[k];
                squares.resize(kept.size());
                square_listed_differences(points_.row(candidate), points_, kept, squares.data());
                const bool is_hidden = std::any_of(squares.begin(), squares.end(), [&](float p) { return p < own; });
                (is_hidden ? hidden : kept).push_back(candidate);
            }
            kept.insert(kept.end(), hidden.begin(), hidden.end());
            kept.resize(own_edges, i);
            std::copy(kept.begin(), kept.end(), edges.begin() + std::ptrdiff_t{i} * own_edges);
        }
    });
    return edges;
}

/// A point's own edges, then those of others to it, of the nearest first.
void ProximityGraph::add_reverse(const std::vector<Index>& edges, const RunContext& context) {
    const Index count = points_.rows();
    std::vector<std::size_t> first(std::size_t{count} + 1, 0);
    for (const Index target : edges) {
        ++first[std::size_t{target} + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Index> sources(edges.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        sources[next[edges[e]]++] = static_cast<Index>(e / own_edges);
    }
    edges_ = AlignedArray<Index>(std::size_t{count} * degree);
    parallel_blocks(context, count, points_at_once, [&](Range range) {
        throw_if_cancelled_in_task(context);
        std::vector<float> squares;
        std::vector<std::pair<float, Index>> from;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            const auto to_it = std::span(sources).subspan(first[i], first[i + std::size_t{1}] - first[i]);
            squares.resize(to_it.size());
            square_listed_differences(points_.row(i), points_, to_it, squares.data());
            from.clear();
            for (std::size_t k = 0; k < to_it.size(); ++k) {
                from.emplace_back(squares[k], to_it[k]);
            }
            std::sort(from.begin(), from.end());
            Index* const begin = edges_.data() + std::size_t{i} * degree;
            Index* end = std::copy_n(edges.begin() + std::ptrdiff_t{i} * own_edges, own_edges, begin);
            end = std::remove(begin, end, i);
            for (const auto& [square, source] : from) {
                if (end != begin + degree && source != i && std::find(begin, end, source) == end) {
                    *end++ = source;
                }
            }
            std::fill(end, begin + degree, i);
        }
    });
}

void ProximityGraph::add_new(std::span<const Index> places, Scratch& scratch) {
    // Without branches: which of them were looked at before cannot be foretold.
    std::size_t count = scratch.next.size();
    scratch.next.resize(count + places.size());
    Index* const next = scratch.next.data();
    std::uint8_t* const visited = scratch.visited.data();
    for (const Index place : places) {
        next[count] = place;
        count += visited[place] == 0 ? 1U : 0U;
        visited[place] = 1;
    }
    scratch.next.resize(count);
}

void ProximityGraph::look_at_next(const Query& query, Scratch& scratch, std::vector<Index>& found) const {
    for (const Index place : scratch.next) {
        prefetch(points_.row(place), points_.stride());
    }
    scratch.looked_at.insert(scratch.looked_at.end(), scratch.next.begin(), scratch.next.end());
    scratch.shares.resize(scratch.next.size());
    find_shares(query, scratch.next, scratch.shares.data());
    const std::size_t before = found.size();
    std::size_t count = before;
    found.resize(before + scratch.next.size());
    for (std::size_t k = 0; k < scratch.next.size(); ++k) {  // without branches, which cannot be foretold
        found[count] = scratch.next[k];
        count += scratch.shares[k] < 1.0F ? 1U : 0U;
    }
    found.resize(count);
    for (std::size_t k = before; k < count; ++k) {
        prefetch(edges_of(found[k]).data(), degree);
    }
    scratch.inside.insert(scratch.inside.end(), found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
    for (std::size_t k = 0; k < scratch.next.size() && count < query.effort; ++k) {
        if (!(scratch.shares[k] < 1.0F)) {
            scratch.outside.emplace_back(scratch.shares[k], scratch.next[k]);
            std::push_heap(scratch.outside.begin(), scratch.outside.end(), std::greater<>());
        }
    }
    scratch.next.clear();
}

void ProximityGraph::find_shares(const Query& query, std::span<const Index> places, float* shares) const {
    square_listed_differences(query.y, points_, places, shares);
    const float beyond = static_cast<float>(margin) * query.radius;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const float farthest = std::max(query.radius, radii_[places[k]]) + beyond;
        shares[k] /= farthest * farthest;
    }
}

void ProximityGraph::find_around(const Query& query, std::span<const Index> starts, Scratch& scratch,
                                 std::vector<Index>& found) const {
    found.clear();
    if (query.effort >= points_.rows()) {
        find_all_around(query, scratch, found);
        return;
    }
    scratch.visited.resize(points_.rows());
    scratch.next.clear();
    add_new(starts, scratch);
    look_at_next(query, scratch, found);
    // In the order in which they were found: their edges, which come from memory since then, are there by now.
    for (std::size_t left = 0; left < scratch.inside.size() || (left < query.effort && !scratch.outside.empty());) {
        if (left == scratch.inside.size()) {
            std::pop_heap(scratch.outside.begin(), scratch.outside.end(), std::greater<>());
            scratch.inside.push_back(scratch.outside.back().second);
            scratch.outside.pop_back();
        }
        // All inside are left in the end; with some at once their edges' rows come from memory at the same time.
        for (const std::size_t end = std::min(left + left_at_once, scratch.inside.size()); left < end; ++left) {
            add_new(edges_of(scratch.inside[left]), scratch);
        }
        look_at_next(query, scratch, found);
    }
    scratch.inside.clear();
    for (const Index place : scratch.looked_at) {
        scratch.visited[place] = 0;
    }
    scratch.looked_at.clear();
    scratch.outside.clear();
}

void ProximityGraph::find_all_around(const Query& query, Scratch& scratch, std::vector<Index>& found) const {
    std::vector<Index>& places = scratch.next;
    places.resize(points_.rows());
    std::iota(places.begin(), places.end(), Index{0});
    scratch.shares.resize(places.size());
    find_shares(query, places, scratch.shares.data());
    std::copy_if(places.begin(), places.end(), std::back_inserter(found),
                 [&](Index place) { return scratch.shares[place] < 1.0F; });
}

/// A point of a sample, as if it were new: its near ones, from which it is searched, and how many others are inside.
struct ProximityGraph::Trial {
    Index place;
    std::vector<Index> starts{};
    std::size_t inside = 0;
};

ProximityGraph::Trial ProximityGraph::trial_of(Index place, Index neighbors) const {
    Trial trial{.place = place};
    std::vector<Index> others(points_.rows());
    std::iota(others.begin(), others.end(), Index{0});
    std::vector<float> shares(others.size());
    find_shares({points_.row(place), radii_[place], 0}, others, shares.data());
    std::vector<float> squares(others.size());
    square_listed_differences(points_.row(place), points_, others, squares.data());
    others.erase(others.begin() + place);
    trial.inside = static_cast<std::size_t>(
        std::count_if(others.begin(), others.end(), [&](Index other) { return shares[other] < 1.0F; }));
    const auto end = others.begin() + std::min<std::ptrdiff_t>(neighbors, std::ssize(others));
    std::nth_element(others.begin(), end, others.end(),
                     [&](Index a, Index b) { return squares[a] != squares[b] ? squares[a] < squares[b] : a < b; });
    trial.starts.assign(others.begin(), end);
    return trial;
}

/// The least of the efforts 16, 32, 64, ... that finds the share of what is inside around a sample. The sample's own
/// points count as visited: a new point is none of the graph.
Index ProximityGraph::tuned_effort(Index neighbors, const RunContext& context) const {
    const auto sample = sample_rows(points_.rows(), tuning_rows, seed_of_sample, RandomStream::NeighborSample);
    std::vector<Trial> trials(sample.size());
    parallel_tasks(context, trials.size(), [&](std::size_t t) {
        throw_if_cancelled_in_task(context);
        trials[t] = trial_of(sample[t], neighbors);
    });
    const auto inside = std::accumulate(trials.begin(), trials.end(), std::size_t{0},
                                        [](std::size_t sum, const Trial& trial) { return sum + trial.inside; });
    std::vector<std::size_t> found_of(trials.size());
    for (Index effort = least_effort; effort <= points_.rows() / least_effort; effort *= 2) {
        parallel_tasks(context, trials.size(), [&](std::size_t t) {
            throw_if_cancelled_in_task(context);
            Scratch scratch;
            std::vector<Index> found;
            const Index place = trials[t].place;
            scratch.visited.resize(points_.rows());
            scratch.visited[place] = 1;
            find_around({points_.row(place), radii_[place], effort}, trials[t].starts, scratch, found);
            found_of[t] = found.size();
        });
        const std::size_t found = std::accumulate(found_of.begin(), found_of.end(), std::size_t{0});
        if (static_cast<double>(found) >= share_found * static_cast<double>(inside)) {
            return effort;
        }
    }
    return points_.rows();
}

std::uint64_t ProximityGraph::points_bytes(Index count, Index dimension) {
    return MultiVector<float>::bytes(count, dimension) + std::uint64_t{count} * (3 * sizeof(Index) + sizeof(float));
}

std::uint64_t ProximityGraph::bytes(Index count, Index dimension) {
    // Own edges and their sources, and the places of these, while reverse edges are added; before that the lists that
    // edges are chosen from.
    const std::uint64_t chosen = std::uint64_t{count} * (2 * own_edges * sizeof(Index) + 2 * sizeof(std::size_t));
    const std::uint64_t listed =
        neighbor_bytes(count, nearest_considered) + std::uint64_t{count} * own_edges * sizeof(Index);
    return points_bytes(count, dimension) + std::uint64_t{count} * degree * sizeof(Index) + std::max(chosen, listed);
}

}  // namespace isogon
