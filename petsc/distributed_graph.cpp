#include "distributed_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/elementary.hpp"
#include "distributed/agreement.hpp"
#include "graph/affinities.hpp"
#include "graph/components.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

using Entry = std::pair<Index, double>;

void require_own_lists(const NeighborLists& lists, Index points, Range own) {
    if (lists.count() != own.size()) {
        throw InvalidArgument("neighbour lists", std::to_string(lists.count()),
                              "must be " + std::to_string(own.size()) + ", one for each own point");
    }
    require_neighbor_lists(lists, lists.count(), points, SelfAllowed::Yes, "neighbour lists");
    if (lists.distances.empty() && !lists.indices.empty()) {
        throw InvalidArgument("neighbour lists", "indices alone", "must hold distances, which become the edges'");
    }
    const auto negative =
        std::find_if(lists.distances.begin(), lists.distances.end(), [](float d) { return d < 0.0F; });
    if (negative != lists.distances.end()) {
        const auto row = static_cast<std::size_t>(negative - lists.distances.begin()) / lists.size;
        throw InputError("neighbour lists", "row " + std::to_string(own.begin + row),
                         "its distance " + std::to_string(*negative) +
                             " is below 0; a graph needs a metric such as euclidean or cosine");
    }
}

void append_row(const std::vector<Entry>& row, CsrMatrix<double>& matrix) {
    for (const auto& [column, value] : row) {
        matrix.indices.push_back(column);
        matrix.values.push_back(value);
    }
    matrix.offsets.push_back(matrix.indices.size());
}

/// The directed graph of the lists, rows sorted.
DistributedMatrix directed(const NeighborLists& lists, Index points, const RankGroup& ranks) {
    const Range own = ranks.own_part(points);
    CsrMatrix<double> matrix{.rows = static_cast<Index>(own.size()), .columns = points};
    for (Index i = 0; i < matrix.rows; ++i) {
        std::vector<Entry> row;
        for (Index k = 0; k < lists.size; ++k) {
            if (lists[i][k] != own.begin + i) {
                row.emplace_back(lists[i][k], double{lists.distances_of(i)[k]});
            }
        }
        std::sort(row.begin(), row.end());
        append_row(row, matrix);
    }
    return distributed(std::move(matrix), points, ranks);
}

std::vector<Entry> row_of(const CsrMatrix<double>& matrix, Index i) {
    std::vector<Entry> row;
    const auto columns = matrix.row_indices(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        row.emplace_back(columns[k], matrix.row_values(i)[k]);
    }
    return row;
}

/// Row i of either matrix; where both have an entry, the smaller.
std::vector<Entry> either(const CsrMatrix<double>& out, const CsrMatrix<double>& in, Index i) {
    std::vector<Entry> row = row_of(out, i);
    const std::vector<Entry> other = row_of(in, i);
    row.insert(row.end(), other.begin(), other.end());
    std::sort(row.begin(), row.end());  // the smaller of two first
    row.erase(std::unique(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.first == b.first; }),
              row.end());
    return row;
}

/// Pairs of a forest that joins what the own rows join.
std::vector<Index> forest_of(const DistributedMatrix& matrix, bool zeros_join) {
    DisjointSets sets(matrix.all_rows);
    std::vector<Index> pairs;
    for (Index i = 0; i < matrix.rows.rows; ++i) {
        const auto columns = matrix.rows.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if ((zeros_join || matrix.rows.row_values(i)[k] != 0.0) && sets.join(matrix.first + i, columns[k])) {
                pairs.insert(pairs.end(), {matrix.first + i, columns[k]});
            }
        }
    }
    return pairs;
}

/// All ranks' together.
DisjointSets joined(const DistributedMatrix& matrix, bool zeros_join, const RankGroup& ranks) {
    const std::vector<Index> own = forest_of(matrix, zeros_join);
    const std::vector<Index> pairs = gathered(std::span<const Index>(own), ranks);
    DisjointSets sets(matrix.all_rows);
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        sets.join(pairs[k], pairs[k + 1]);
    }
    return sets;
}

double largest(double own, const RankGroup& ranks) {
    const std::vector<double> all = gathered(std::span<const double>(&own, 1), ranks);
    return *std::max_element(all.begin(), all.end());
}

/// distance := weight(row, column, distance), by the numbers of all.
template <class Weight>
void weigh(DistributedMatrix& graph, const Weight& weight) {
    for (Index i = 0; i < graph.rows.rows; ++i) {
        for (Offset k = graph.rows.offsets[i]; k < graph.rows.offsets[i + 1]; ++k) {
            graph.rows.values[k] = weight(graph.first + i, graph.rows.indices[k], graph.rows.values[k]);
        }
    }
}

/// The first own row whose weights vanish, or all_rows.
Index zero_row(const DistributedMatrix& weights) {
    for (Index i = 0; i < weights.rows.rows; ++i) {
        const auto values = weights.rows.row_values(i);
        if (!values.empty() && std::accumulate(values.begin(), values.end(), 0.0) < least_affinity_sum) {
            return weights.first + i;
        }
    }
    return weights.all_rows;
}

/// Throws the same on all ranks, so that one of them can speak for all.
void require_no_zero_row(const DistributedMatrix& weights, const char* option, const std::string& value,
                         const RankGroup& ranks) {
    const Index own = zero_row(weights);
    const std::vector<Index> all = gathered(std::span<const Index>(&own, 1), ranks);
    const Index first = *std::min_element(all.begin(), all.end());
    if (first < weights.all_rows) {
        throw InvalidArgument(option, value,
                              "the weights of row " + std::to_string(first) +
                                  " vanish: its nearest neighbour is too far away; take a larger one");
    }
}

}  // namespace

DistributedMatrix distributed_graph(const NeighborLists& own_lists, Index points, const RankGroup& ranks) {
    on_all_ranks(ranks, [&] { require_own_lists(own_lists, points, ranks.own_part(points)); });
    const DistributedMatrix out = directed(own_lists, points, ranks);
    const DistributedMatrix in = transposed(out, ranks);
    CsrMatrix<double> graph{.rows = out.rows.rows, .columns = points};
    for (Index i = 0; i < graph.rows; ++i) {
        append_row(either(out.rows, in.rows, i), graph);
    }
    return distributed(std::move(graph), points, ranks);
}

DistributedMatrix distributed_affinities(DistributedMatrix graph, AffinityKind kind, std::optional<double>& sigma,
                                         Index neighbor, const RankGroup& ranks) {
    if (kind == AffinityKind::Perplexity) {
        throw InvalidArgument("kernel", "perplexity", "is not there over ranks; take gaussian or self-tuning");
    }
    if (kind == AffinityKind::Connectivity) {
        weigh(graph, [](Index, Index, double) { return 1.0; });
        return graph;
    }
    const std::vector<double> own = neighbor_distances(graph.rows, neighbor);
    const std::vector<double> scales = gathered(std::span<const double>(own), ranks);
    if (kind == AffinityKind::SelfTuning) {
        weigh(graph, [&](Index i, Index j, double d) {
            return d > 0.0 ? elementary::exp(-d / scales[i] * (d / scales[j])) : 1.0;
        });
        require_no_zero_row(graph, "scale neighbor", std::to_string(neighbor), ranks);
        return graph;
    }
    const double smallest = largest(smallest_sigma(graph.rows), ranks);
    sigma = sigma ? sigma : std::optional(default_sigma(scales, smallest));
    weigh(graph, [&](Index, Index, double d) { return elementary::exp(-(d / *sigma) * (d / *sigma)); });
    require_no_zero_row(graph, "sigma", to_text(OptionValue{*sigma}), ranks);
    return graph;
}

std::vector<Index> unreached_rows(const DistributedMatrix& matrix, std::span<const Index> sources,
                                  const RankGroup& ranks) {
    DisjointSets sets = joined(matrix, false, ranks);
    std::vector<bool> reached(matrix.all_rows);
    for (const Index source : sources) {
        reached[sets.find(source)] = true;
    }
    std::vector<Index> missed;
    for (Index i = 0; i < matrix.all_rows; ++i) {
        if (!reached[sets.find(i)]) {
            missed.push_back(i);
        }
    }
    return missed;
}

void require_connected(const DistributedMatrix& graph, const RankGroup& ranks) {
    require_connected(components_of(joined(graph, true, ranks), graph.all_rows), "input",
                      "largest, bridge or separate without mpirun");
}

PointsOfLists points_of_lists(const RowSource& source, const NeighborLists& own_lists, Range own) {
    PointsOfLists result;
    result.numbers = own_lists.indices;
    result.numbers.resize(own_lists.indices.size() + own.size());
    std::iota(result.numbers.end() - static_cast<std::ptrdiff_t>(own.size()), result.numbers.end(),
              static_cast<Index>(own.begin));
    std::sort(result.numbers.begin(), result.numbers.end());
    result.numbers.erase(std::unique(result.numbers.begin(), result.numbers.end()), result.numbers.end());
    result.points = read_rows(source, result.numbers);
    result.own = Points(static_cast<Index>(own.size()), source.dimension());
    if (own.size() > 0) {
        source.read(static_cast<Index>(own.begin), result.own.values());
    }
    result.lists = own_lists;
    for (Index& index : result.lists.indices) {
        index = static_cast<Index>(std::lower_bound(result.numbers.begin(), result.numbers.end(), index) -
                                   result.numbers.begin());
    }
    return result;
}

}  // namespace isogon
