#include "transform/output_graph.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/trigonometry.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "isogon/pairs/place_order.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

namespace {

constexpr Index nearest_considered = 64;
constexpr Index many = 20000;  // from here on an index takes half the time of all pairs
constexpr double recall_of_near = 0.9;
constexpr Index own_edges = 24;  // of a point; the others are to points that have edges to it
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

/// By product, greater ones first; of equal ones the first.
struct ComesLater {
    bool operator()(const std::pair<float, Index>& a, const std::pair<float, Index>& b) const {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
};
constexpr ComesLater comes_later;

}  // namespace

OutputGraph::OutputGraph(const PointsView& outputs, Index neighbors, const RunContext& context) {
    require_memory(context, {{"the graph of the fitted outputs", bytes(outputs.count, outputs.dimension)}},
                   "raise the limit");
    set_directions(outputs, context);
    add_reverse(spread_edges(context), context);
    effort_ = tuned_effort(neighbors, context);
}

OutputGraph::OutputGraph(const PointsView& outputs, const Archive& archive)
    : effort_(static_cast<Index>(archive.count("output_effort"))) {
    set_directions(outputs, {.threads = 1});
    const auto& by_row = archive.numbers<std::uint32_t>("output_edges", {outputs.count, degree});
    edges_ = AlignedArray<Index>(rows_.size() * degree);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        const Index row = rows_[e / degree];
        const Index place = place_of_[by_row[std::size_t{row} * degree + e % degree]];
        edges_.data()[e] = place == nowhere ? place_of_[row] : place;
    }
}

void OutputGraph::save(Archive& archive) const {
    std::vector<std::uint32_t> by_row(place_of_.size() * degree);
    for (std::size_t row = 0; row < place_of_.size(); ++row) {
        for (std::size_t e = 0; e < degree; ++e) {
            const bool has_edges = place_of_[row] != nowhere;
            by_row[row * degree + e] = has_edges ? rows_[edges_of(place_of_[row])[e]] : static_cast<Index>(row);
        }
    }
    archive.add("output_edges", Array{{place_of_.size(), degree}, std::move(by_row)});
    archive.add_count("output_effort", effort_);
}

void OutputGraph::describe(ArchiveSchema& schema) {
    schema.size("E", {degree, degree});
    schema.add({.name = "output_edges",
                .scalar = ArchiveArray::Scalar::Uint32,
                .shape = {"n", "E"},
                .values = {{0, {"n", -1}}}});
    schema.add({.name = "output_effort",
                .scalar = ArchiveArray::Scalar::Uint64,
                .values = {{1, "n", ArchiveRange::Form::Whole}}});
}

void OutputGraph::set_directions(const PointsView& outputs, const RunContext& context) {
    const std::vector<double> lengths = norms(outputs);
    std::vector<Index> chosen(outputs.count);
    std::iota(chosen.begin(), chosen.end(), Index{0});
    chosen.erase(std::remove_if(chosen.begin(), chosen.end(), [&](Index row) { return lengths[row] == 0.0; }),
                 chosen.end());
    if (chosen.empty()) {
        throw InputError("fitted points", "",
                         "none of " + std::to_string(outputs.count) +
                             " has an output of a length above zero: there is nothing to place by");
    }
    const Points units = directions_of(outputs, lengths, chosen);
    directions_ = MultiVector<float>(units.count(), units.dimension());
    place_of_.assign(outputs.count, nowhere);
    for (const Index r : place_order(units.view(), context)) {
        const auto place = static_cast<Index>(rows_.size());
        std::copy(units[r].begin(), units[r].end(), directions_.row(place));
        place_of_[chosen[r]] = place;
        rows_.push_back(chosen[r]);
    }
}

/// Of each point up to own_edges, itself in the places that are left. First those that no kept one hides, then the
/// nearest of the others.
std::vector<Index> OutputGraph::spread_edges(const RunContext& context) const {
    const Index count = directions_.rows();
    std::vector<Index> edges(std::size_t{count} * own_edges);
    if (count == 1) {
        return edges;
    }
    RunContext quiet = context;
    quiet.on_iteration = nullptr;
    const PointsView points{directions_.row(0), count, directions_.columns(), directions_.stride()};
    const NeighborSearchOptions options{.neighbors = std::min<Index>(nearest_considered, count - 1),
                                        .search = count < many ? SearchKind::Auto : SearchKind::Approximate,
                                        .recall = recall_of_near};
    const NeighborLists near =
        search_step(points, options, beside(quiet, MultiVector<float>::bytes(count, directions_.columns()))).lists;
    parallel_blocks(context, count, points_at_once, [&](Range range) {
        throw_if_cancelled_in_task(context);
        std::vector<Index> kept;
        std::vector<Index> hidden;
        std::vector<float> products;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            kept.clear();
            hidden.clear();
            for (Index k = 0; k < near.size && kept.size() < own_edges; ++k) {
                const Index candidate = near[i][k];
                const float own = 1.0F - near.distances_of(i)[k];
                products.resize(kept.size());
                multiply_listed(directions_.row(candidate), directions_, kept, products.data());
                const bool is_hidden = std::any_of(products.begin(), products.end(), [&](float p) { return p > own; });
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
void OutputGraph::add_reverse(const std::vector<Index>& edges, const RunContext& context) {
    const Index count = directions_.rows();
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
        std::vector<float> products;
        std::vector<std::pair<float, Index>> from;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            const auto to_it = std::span(sources).subspan(first[i], first[i + std::size_t{1}] - first[i]);
            products.resize(to_it.size());
            multiply_listed(directions_.row(i), directions_, to_it, products.data());
            from.clear();
            for (std::size_t k = 0; k < to_it.size(); ++k) {
                from.emplace_back(products[k], to_it[k]);
            }
            std::sort(from.begin(), from.end(), [](const auto& a, const auto& b) { return comes_later(b, a); });
            Index* const begin = edges_.data() + std::size_t{i} * degree;
            Index* end = std::copy_n(edges.begin() + std::ptrdiff_t{i} * own_edges, own_edges, begin);
            end = std::remove(begin, end, i);
            for (const auto& [product, source] : from) {
                if (end != begin + degree && source != i && std::find(begin, end, source) == end) {
                    *end++ = source;
                }
            }
            std::fill(end, begin + degree, i);
        }
    });
}

void OutputGraph::add_new(std::span<const Index> places, Scratch& scratch) {
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

void OutputGraph::look_at_next(const Query& query, Scratch& scratch, std::vector<Index>& found) const {
    for (const Index place : scratch.next) {
        prefetch(directions_.row(place), directions_.stride());
    }
    scratch.looked_at.insert(scratch.looked_at.end(), scratch.next.begin(), scratch.next.end());
    scratch.products.resize(scratch.next.size());
    multiply_listed(query.u, directions_, scratch.next, scratch.products.data());
    const std::size_t before = found.size();
    std::size_t count = before;
    found.resize(before + scratch.next.size());
    for (std::size_t k = 0; k < scratch.next.size(); ++k) {  // without branches, which cannot be foretold
        found[count] = scratch.next[k];
        count += scratch.products[k] > query.floor ? 1U : 0U;
    }
    found.resize(count);
    for (std::size_t k = before; k < count; ++k) {
        prefetch(edges_of(found[k]).data(), degree);
    }
    scratch.inside.insert(scratch.inside.end(), found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
    for (std::size_t k = 0; k < scratch.next.size() && count < query.effort; ++k) {
        if (!(scratch.products[k] > query.floor)) {
            scratch.outside.emplace_back(scratch.products[k], scratch.next[k]);
            std::push_heap(scratch.outside.begin(), scratch.outside.end(), comes_later);
        }
    }
    scratch.next.clear();
}

void OutputGraph::find_above(const Query& query, std::span<const Index> starts, Scratch& scratch,
                             std::vector<Index>& found) const {
    found.clear();
    if (query.effort >= directions_.rows()) {
        find_all_above(query, scratch, found);
        return;
    }
    scratch.visited.resize(directions_.rows());
    scratch.next.clear();
    add_new(starts, scratch);
    look_at_next(query, scratch, found);
    // In the order in which they were found: their edges, which come from memory since then, are there by now.
    for (std::size_t left = 0; left < scratch.inside.size() || (left < query.effort && !scratch.outside.empty());) {
        if (left == scratch.inside.size()) {
            std::pop_heap(scratch.outside.begin(), scratch.outside.end(), comes_later);
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

void OutputGraph::find_all_above(const Query& query, Scratch& scratch, std::vector<Index>& found) const {
    std::vector<Index>& places = scratch.next;
    places.resize(directions_.rows());
    std::iota(places.begin(), places.end(), Index{0});
    scratch.products.resize(places.size());
    multiply_listed(query.u, directions_, places, scratch.products.data());
    std::copy_if(places.begin(), places.end(), std::back_inserter(found),
                 [&](Index place) { return scratch.products[place] > query.floor; });
}

/// A direction of a sample, as if it were new: its near ones, from which it is searched, and how many others lie within
/// the margin of the last of these.
struct OutputGraph::Trial {
    Index place;
    std::vector<Index> starts{};
    float floor = 0.0F;
    std::size_t above = 0;
};

OutputGraph::Trial OutputGraph::trial_of(Index place, Index neighbors) const {
    Trial trial{.place = place};
    Scratch scratch;
    std::vector<Index> others;
    find_all_above({directions_.row(place), -2.0F, 0}, scratch, others);
    others.erase(others.begin() + place);
    if (others.empty()) {
        return trial;
    }
    const auto kth = others.begin() + std::min<std::ptrdiff_t>(neighbors, std::ssize(others)) - 1;
    std::nth_element(others.begin(), kth, others.end(), [&](Index a, Index b) {
        return comes_later({scratch.products[b], b}, {scratch.products[a], a});
    });
    trial.starts.assign(others.begin(), kth + 1);
    trial.floor = floor_around(double{scratch.products[*kth]});
    trial.above = static_cast<std::size_t>(std::count_if(
        others.begin(), others.end(), [&](Index other) { return scratch.products[other] > trial.floor; }));
    return trial;
}

/// The least of the efforts 16, 32, 64, ... that finds the share of what is above the floors of a sample. The sample's
/// own points count as visited: a new point is none of the graph.
Index OutputGraph::tuned_effort(Index neighbors, const RunContext& context) const {
    const auto sample = sample_rows(directions_.rows(), tuning_rows, seed_of_sample, RandomStream::NeighborSample);
    std::vector<Trial> trials(sample.size());
    parallel_tasks(context, trials.size(), [&](std::size_t t) {
        throw_if_cancelled_in_task(context);
        trials[t] = trial_of(sample[t], neighbors);
    });
    const auto above = std::accumulate(trials.begin(), trials.end(), std::size_t{0},
                                       [](std::size_t sum, const Trial& trial) { return sum + trial.above; });
    std::vector<std::size_t> found_of(trials.size());
    for (Index effort = least_effort; effort <= directions_.rows() / least_effort; effort *= 2) {
        parallel_tasks(context, trials.size(), [&](std::size_t t) {
            throw_if_cancelled_in_task(context);
            Scratch scratch;
            std::vector<Index> found;
            scratch.visited.resize(directions_.rows());
            scratch.visited[trials[t].place] = 1;
            find_above({directions_.row(trials[t].place), trials[t].floor, effort}, trials[t].starts, scratch, found);
            found_of[t] = found.size();
        });
        const std::size_t found = std::accumulate(found_of.begin(), found_of.end(), std::size_t{0});
        if (static_cast<double>(found) >= share_found * static_cast<double>(above)) {
            return effort;
        }
    }
    return directions_.rows();
}

std::uint64_t OutputGraph::bytes(Index count, Index dimension) {
    // Own edges and their sources, and the places of these, while reverse edges are added; before that the lists that
    // edges are chosen from.
    const std::uint64_t chosen = std::uint64_t{count} * (2 * own_edges * sizeof(Index) + 2 * sizeof(std::size_t));
    const std::uint64_t listed =
        neighbor_bytes(count, nearest_considered) + std::uint64_t{count} * own_edges * sizeof(Index);
    return MultiVector<float>::bytes(count, dimension) + std::uint64_t{count} * (degree * sizeof(Index) + 1) +
           std::max(chosen, listed);
}

float floor_around(double threshold) {
    // |u - anchor| <= reach is an angle of at most 2 asin(reach / 2), and angles add up.
    const double angle =
        elementary::acos(std::clamp(threshold, -1.0, 1.0)) + 2.0 * elementary::asin(0.5 * certain_reach);
    constexpr double rounding = 1e-6;
    return static_cast<float>(elementary::cos(std::min(angle, std::numbers::pi)) - rounding);
}

}  // namespace isogon
