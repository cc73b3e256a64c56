#include "graph/components.hpp"

#include <algorithm>
#include <numeric>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Sets of points that edges join. The first four edges of every row often connect the whole graph; then the other
/// edges are not read.
DisjointSets joined_by(const CsrMatrix<double>& graph) {
    DisjointSets sets(graph.rows);
    Index count = graph.rows;
    constexpr std::size_t few = 4;
    for (const bool rest : {false, true}) {
        for (Index i = 0; i < graph.rows && count > 1; ++i) {
            const auto row = graph.row_indices(i);
            const std::size_t first = std::min(few, row.size());
            for (const Index j : rest ? row.subspan(first) : row.first(first)) {
                count -= sets.join(i, j) ? 1 : 0;
            }
        }
    }
    return sets;
}

}  // namespace

Components components_of(DisjointSets sets, Index points) {
    std::vector<Index> sizes(points);
    std::vector<Index> firsts;
    for (Index i = 0; i < points; ++i) {
        if (sizes[sets.find(i)]++ == 0) {
            firsts.push_back(i);
        }
    }
    std::stable_sort(firsts.begin(), firsts.end(), [&](Index a, Index b) { return sizes[a] > sizes[b]; });
    std::vector<Index> places(points);
    Components components;
    for (const Index first : firsts) {
        places[first] = components.count();
        components.sizes.push_back(sizes[first]);
    }
    components.labels.resize(points);
    for (Index i = 0; i < points; ++i) {
        components.labels[i] = places[sets.find(i)];
    }
    return components;
}

Components connected_components(const CsrMatrix<double>& graph) {
    return components_of(joined_by(graph), graph.rows);
}

const std::vector<std::string>& component_policy_names() {
    static const std::vector<std::string> names{"error", "largest", "bridge", "separate"};
    return names;
}

std::string_view name(ComponentPolicy policy) {
    return component_policy_names()[static_cast<std::size_t>(policy)];
}

void require_connected(const Components& components, const std::string& source, const std::string& policies) {
    if (components.count() <= 1) {
        return;
    }
    constexpr std::size_t most_named = 5;
    std::string sizes;
    for (std::size_t c = 0; c < std::min<std::size_t>(components.sizes.size(), most_named); ++c) {
        sizes += (c > 0 ? ", " : "") + std::to_string(components.sizes[c]);
    }
    throw InputError(source, "",
                     {"the neighbour graph falls into " + std::to_string(components.count()) + " components, of " +
                          sizes + (components.sizes.size() > most_named ? ", ..." : "") + " points; take more ",
                      Text::option("neighbors"), ", or ", Text::option("components"), " " + policies});
}

ComponentGraph component_graph(const CsrMatrix<double>& graph, const Components& components, Index label) {
    if (label >= components.count() || components.labels.size() != graph.rows) {
        throw InvalidArgument("component", std::to_string(label),
                              "must be below " + std::to_string(components.count()) +
                                  ", the number of components, and these must be the graph's");
    }
    ComponentGraph result;
    std::vector<Index> places(graph.rows);
    for (Index i = 0; i < graph.rows; ++i) {
        if (components.labels[i] == label) {
            places[i] = static_cast<Index>(result.kept.size());
            result.kept.push_back(i);
        }
    }
    result.graph.rows = result.graph.columns = static_cast<Index>(result.kept.size());
    for (const Index i : result.kept) {
        const auto columns = graph.row_indices(i);
        const auto values = graph.row_values(i);
        std::transform(columns.begin(), columns.end(), std::back_inserter(result.graph.indices),
                       [&](Index j) { return places[j]; });
        result.graph.values.insert(result.graph.values.end(), values.begin(), values.end());
        result.graph.offsets.push_back(result.graph.indices.size());
    }
    return result;
}

namespace {

template <class Value>
std::vector<Index> rows_beyond_reach(const CsrMatrix<Value>& matrix, std::span<const Index> sources) {
    DisjointSets sets(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = matrix.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (matrix.row_values(i)[k] != Value{0}) {
                sets.join(i, columns[k]);
            }
        }
    }
    std::vector<bool> reached(matrix.rows);
    for (const Index source : sources) {
        reached[sets.find(source)] = true;
    }
    std::vector<Index> missed;
    for (Index i = 0; i < matrix.rows; ++i) {
        if (!reached[sets.find(i)]) {
            missed.push_back(i);
        }
    }
    return missed;
}

}  // namespace

std::vector<Index> unreached_rows(const CsrMatrix<float>& matrix, std::span<const Index> sources) {
    return rows_beyond_reach(matrix, sources);
}

std::vector<Index> unreached_rows(const CsrMatrix<double>& matrix, std::span<const Index> sources) {
    return rows_beyond_reach(matrix, sources);
}

}  // namespace isogon
