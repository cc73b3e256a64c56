#include "isogon/neighbors/neighbor_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/float_text.hpp"
#include "neighbors/list_checks.hpp"

namespace isogon {

namespace {

// In the order of the enumerators, which counts: those of products come first (is_of_products), Jaccard is the last
// between points (metric_names), and tests compare. A new metric also needs, beside has_unit():
//   a distance               distance_between, has_direction, require_rows_for (metric_rows.cpp)
//   a search                 direct_search.cpp by a kernel of distance_kernel.cpp, or exact_neighbors.cpp
//   its rounding             measure_pair (tied_neighbors.cpp)
//   its names as an option   neighbor_search_option_table (neighbor_search.cpp), of `isogon neighbors`;
//                            neighbor_metric_choices (methods/neighbor_metrics.cpp), of faithful, umap and the others
//   what warnings look at    warn_of_long_coordinate (methods/input_points.cpp)
//   tests, pages             tests/reference/neighbors.cpp, lists and counts of metrics in tests/; docs/neighbors.md
// Those of unit vectors are named apart: has_unit_points (faithful.cpp), squared_output_distance (transform).
constexpr std::array<std::string_view, 8> all_names{"cosine",      "inner-product", "euclidean", "manhattan",
                                                    "correlation", "hamming",       "jaccard",   "precomputed"};

std::vector<std::string> names_up_to(Metric last) {
    return {all_names.begin(), all_names.begin() + static_cast<std::ptrdiff_t>(last) + 1};
}

Metric find_among(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        std::string list;
        for (const std::string& known : names) {
            list += (list.empty() ? "" : known == names.back() ? " or " : ", ") + known;
        }
        throw InvalidArgument("metric", std::string(name), "must be " + list);
    }
    return static_cast<Metric>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& metric_names() {
    static const std::vector<std::string> names = names_up_to(Metric::Jaccard);
    return names;
}

const std::vector<std::string>& product_metric_names() {
    static const std::vector<std::string> names = names_up_to(Metric::Euclidean);
    return names;
}

std::string_view name(Metric metric) {
    return all_names.at(static_cast<std::size_t>(metric));
}

Metric find_metric(std::string_view name) {
    return find_among(metric_names(), name);
}

Metric find_product_metric(std::string_view name) {
    return find_among(product_metric_names(), name);
}

namespace {

[[noreturn]] void refuse(const std::string& source, Index row, const std::string& why) {
    throw InputError(source, "row " + std::to_string(row), why);
}

void require_indices(std::span<const Index> row, Index i, Index points, OwnIndex own, const std::string& source) {
    for (const Index j : row) {
        if (j >= points) {
            refuse(source, i,
                   "neighbour " + std::to_string(j) + " does not exist: there are " + std::to_string(points) +
                       " points, counted from 0");
        }
        if (j == i && own == OwnIndex::Refused) {
            refuse(source, i,
                   "the point is in its own list; leave it out, or take fewer neighbors where lists are of unequal "
                   "lengths");
        }
    }
}

void require_distinct(std::span<const Index> row, Index i, OwnIndex own, const std::string& source) {
    std::vector<Index> sorted(row.begin(), row.end());
    if (own == OwnIndex::EmptyPlace) {
        std::erase(sorted, i);
    }
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
        refuse(source, i, "neighbour " + std::to_string(*twice) + " stands there twice");
    }
}

/// Finds rows in which an index stands twice: by the last row that it was seen in, or, where there are many points for
/// few lists, not at all.
class SeenIndices {
public:
    SeenIndices(Index rows, Index size, Index points)
        : last_row_(std::size_t{rows} * size >= points ? points : 0, none) {}

    /// False only where surely none does.
    [[nodiscard]] bool may_repeat(std::span<const Index> row, Index i) {
        bool repeated = last_row_.empty();
        for (std::size_t k = 0; k < row.size() && !last_row_.empty(); ++k) {
            repeated = repeated || last_row_[row[k]] == i;
            last_row_[row[k]] = i;
        }
        return repeated;
    }

private:
    static constexpr Index none = std::numeric_limits<Index>::max();
    std::vector<Index> last_row_;
};

void require_ascending(std::span<const float> distances, Index i, const std::string& source) {
    for (std::size_t a = 0; a < distances.size(); ++a) {
        if (!std::isfinite(distances[a])) {
            refuse(source, i, "distance " + std::to_string(a) + " is " + std::to_string(distances[a]));
        }
        if (a > 0 && distances[a] < distances[a - 1]) {
            refuse(source, i,
                   "distances must ascend, nearest first: distance " + std::to_string(a) + " is " +
                       shortest_text(distances[a]) + " after " + shortest_text(distances[a - 1]));
        }
    }
}

}  // namespace

void require_neighbor_lists(const NeighborLists& lists, Index rows, Index points, SelfAllowed self,
                            const std::string& source) {
    check_lists(lists, rows, points, self == SelfAllowed::Yes ? OwnIndex::Neighbor : OwnIndex::Refused, source);
}

void check_lists(const NeighborLists& lists, Index rows, Index points, OwnIndex own, const std::string& source) {
    const std::size_t expected = std::size_t{rows} * lists.size;
    if (lists.size == 0 || lists.indices.size() != expected) {
        throw InputError(source, "",
                         "holds neighbours for " + std::to_string(lists.count()) + " rows, " +
                             std::to_string(lists.size) + " for each; " + std::to_string(rows) +
                             " rows with at least one are needed");
    }
    if (!lists.distances.empty() && lists.distances.size() != expected) {
        throw InputError(source, "",
                         "holds " + std::to_string(lists.distances.size()) + " distances for " +
                             std::to_string(expected) + " neighbours");
    }
    SeenIndices seen(rows, lists.size, points);
    for (Index i = 0; i < rows; ++i) {
        require_indices(lists[i], i, points, own, source);
        if (seen.may_repeat(lists[i], i)) {
            require_distinct(lists[i], i, own, source);
        }
        if (!lists.distances.empty()) {
            require_ascending(lists.distances_of(i), i, source);
        }
    }
}

NeighborLists nearest_of(const NeighborLists& lists, Index size) {
    if (size == 0 || size > lists.size) {
        throw InvalidArgument("neighbors", std::to_string(size),
                              "must be at least 1 and at most " + std::to_string(lists.size) +
                                  ", which is what the given lists hold for each row");
    }
    if (size == lists.size) {
        return lists;
    }
    NeighborLists nearest{.size = size};
    nearest.indices.reserve(std::size_t{lists.count()} * size);
    nearest.distances.reserve(lists.distances.empty() ? 0 : std::size_t{lists.count()} * size);
    for (Index i = 0; i < lists.count(); ++i) {
        const auto row = lists[i].first(size);
        nearest.indices.insert(nearest.indices.end(), row.begin(), row.end());
        if (!lists.distances.empty()) {
            const auto distances = lists.distances_of(i).first(size);
            nearest.distances.insert(nearest.distances.end(), distances.begin(), distances.end());
        }
    }
    return nearest;
}

NeighborLists rows_of(const NeighborLists& lists, Range rows) {
    const auto begin = static_cast<std::ptrdiff_t>(rows.begin * lists.size);
    const auto end = static_cast<std::ptrdiff_t>(rows.end * lists.size);
    NeighborLists result{.size = lists.size};
    result.indices.assign(lists.indices.begin() + begin, lists.indices.begin() + end);
    if (!lists.distances.empty()) {
        result.distances.assign(lists.distances.begin() + begin, lists.distances.begin() + end);
    }
    return result;
}

Archive make_neighbor_graph(const NeighborLists& lists, Metric metric) {
    if (lists.count() == 0) {
        throw InvalidArgument("neighbour lists", "0 rows", "there must be at least one");
    }
    Archive archive{.kind = ArchiveKind::NeighborGraph, .method = "neighbors"};
    archive.notes.emplace("metric", name(metric));
    archive.add("indices", Array{{lists.count(), lists.size}, lists.indices});
    if (!lists.distances.empty()) {
        archive.add("distances", Array{{lists.count(), lists.size}, lists.distances});
    }
    return archive;
}

NeighborLists lists_in(const Archive& archive) {
    const auto sizes =
        ArchiveSchema(ArchiveKind::NeighborGraph)
            .note("metric", names_up_to(Metric::Precomputed))
            .add({.name = "indices", .scalar = ArchiveArray::Scalar::Uint32, .shape = {"n", "k"}})
            .add({.name = "distances", .scalar = ArchiveArray::Scalar::Float32, .shape = {"n", "k"}, .optional = true})
            .require(archive);
    NeighborLists lists;
    lists.size = static_cast<Index>(sizes.at("k"));
    lists.indices = archive.numbers<std::uint32_t>("indices", {sizes.at("n"), sizes.at("k")});
    if (archive.has("distances")) {
        lists.distances = archive.numbers<float>("distances", {sizes.at("n"), sizes.at("k")});
    }
    return lists;
}

}  // namespace isogon
