#include "semidefinite/distance_graph.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

Pull pull_at(double t, double rounding) {
    const double root = std::sqrt(t * t + rounding);
    if (root == 0.0) {
        return {0.0, 0.5};
    }
    const double force = t > 0.0 ? (t + root) / 2.0 : rounding / (root - t) / 2.0;  // without cancellation
    return {force, force / root};
}

namespace {

/// Sets of points that can be joined; each is known by its smallest member.
class Groups {
public:
    explicit Groups(Index count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), Index{0}); }

    Index find(Index i) {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];
            i = parents_[i];
        }
        return i;
    }
    void join(Index i, Index j) {
        i = find(i);
        j = find(j);
        parents_[std::max(i, j)] = std::min(i, j);
    }

private:
    std::vector<Index> parents_;
};

[[noreturn]] void refuse(std::size_t a, const std::string& why) {
    throw InvalidArgument("constraints", "pair " + std::to_string(a), why);
}

void require_constraints(Index n, const DistanceConstraints& constraints) {
    if (constraints.pairs.size() != constraints.squared.size()) {
        throw InvalidArgument("constraints", std::to_string(constraints.squared.size()) + " distances",
                              "must be " + std::to_string(constraints.pairs.size()) + ", one for each pair");
    }
    Groups parts(n);
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const auto& [i, j] = constraints.pairs[a];
        if (i >= j || j >= n) {
            refuse(a, "must join points i < j below " + std::to_string(n));
        }
        if (a > 0 && !(constraints.pairs[a - 1] < constraints.pairs[a])) {
            refuse(a, "must come after the pair before it, and once");
        }
        if (!(constraints.squared[a] >= 0.0 && std::isfinite(constraints.squared[a]))) {
            refuse(a, "its squared distance must be a finite number of at least 0");
        }
        parts.join(i, j);
    }
    for (Index i = 1; i < n; ++i) {
        if (parts.find(i) != 0) {
            throw InvalidArgument("constraints", "point " + std::to_string(i),
                                  "no chain of pairs joins it to point 0, so it could be pulled away without end: "
                                  "more neighbors join them, or unfold each part by itself");
        }
    }
}

/// The largest power of 4 that is not above the mean: exact to divide by, and to take the root of.
double unit_of(const std::vector<double>& squared) {
    const double mean = std::accumulate(squared.begin(), squared.end(), 0.0) / static_cast<double>(squared.size());
    return mean > 0.0 && std::isfinite(mean) ? std::ldexp(1.0, 2 * static_cast<int>(std::floor(std::ilogb(mean) / 2.0)))
                                             : 1.0;
}

void number_nodes(Index n, const DistanceConstraints& constraints, DistanceGraph& graph) {
    Groups groups(n);
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        if (constraints.squared[a] == 0.0) {
            groups.join(constraints.pairs[a].first, constraints.pairs[a].second);
        }
    }
    graph.node_of.resize(n);
    for (Index i = 0; i < n; ++i) {
        const Index representative = groups.find(i);
        if (representative == i) {
            graph.masses.push_back(0.0);
        }
        graph.node_of[i] = representative == i ? graph.nodes++ : graph.node_of[representative];
        graph.masses[graph.node_of[i]] += 1.0;
    }
}

/// Of several distances of a pair the smallest.
void take_edges(const DistanceConstraints& constraints, DistanceGraph& graph) {
    using Edge = std::pair<std::pair<Index, Index>, double>;
    std::vector<Edge> edges;
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const Index i = graph.node_of[constraints.pairs[a].first];
        const Index j = graph.node_of[constraints.pairs[a].second];
        if (i != j) {
            edges.emplace_back(std::minmax(i, j), constraints.squared[a]);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(
        std::unique(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.first == b.first; }),
        edges.end());
    for (const auto& [pair, squared] : edges) {
        graph.kept.pairs.push_back(pair);
        graph.kept.squared.push_back(squared);
    }
}

/// Edges are ascending, so each node gets its lower neighbours first, ascending, then its higher ones.
void index_edges(DistanceGraph& graph) {
    graph.offsets.assign(std::size_t{graph.nodes} + 1, 0);
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        ++graph.offsets[std::size_t{graph.kept.pairs[a].first} + 1];
        ++graph.offsets[std::size_t{graph.kept.pairs[a].second} + 1];
    }
    std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
    graph.edges.resize(2 * graph.edge_count());
    graph.others.resize(2 * graph.edge_count());
    std::vector<Offset> places(graph.offsets.begin(), graph.offsets.end() - 1);
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        const auto [first, second] = graph.kept.pairs[a];
        const std::array<Index, 2> ends = {first, second};
        for (const std::size_t end : {0U, 1U}) {
            const Offset place = places[ends[end]]++;
            graph.edges[place] = static_cast<Index>(a);
            graph.others[place] = ends[1 - end];
        }
    }
}

}  // namespace

DistanceGraph distance_graph(Index n, const DistanceConstraints& constraints) {
    require_constraints(n, constraints);
    DistanceGraph graph;
    number_nodes(n, constraints, graph);
    take_edges(constraints, graph);
    graph.unit = graph.kept.squared.empty() ? 1.0 : unit_of(graph.kept.squared);
    for (double& squared : graph.kept.squared) {
        squared /= graph.unit;
    }
    index_edges(graph);
    return graph;
}

void laplacian_product(const DistanceGraph& graph, const std::vector<double>& weights, const MultiVector<double>& in,
                       MultiVector<double>& out, const RunContext& context) {
    constexpr std::size_t rows_in_block = 512;
    parallel_blocks(context, graph.nodes, rows_in_block, [&](Range rows) {
        for (std::size_t v = rows.begin; v < rows.end; ++v) {
            const double* own = in.row(v);
            double* sum = out.row(v);
            std::fill_n(sum, in.columns(), 0.0);
            for (Offset k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
                const double weight = weights[graph.edges[k]];
                const double* other = in.row(graph.others[k]);
                for (Index c = 0; c < in.columns(); ++c) {
                    sum[c] += weight * (own[c] - other[c]);
                }
            }
        }
    });
}

void centre(const DistanceGraph& graph, MultiVector<double>& vectors) {
    const double total = std::accumulate(graph.masses.begin(), graph.masses.end(), 0.0);
    for (Index c = 0; c < vectors.columns(); ++c) {
        double mean = 0.0;
        for (std::size_t v = 0; v < graph.nodes; ++v) {
            mean += graph.masses[v] * vectors.at(v, c);
        }
        mean /= total;
        for (std::size_t v = 0; v < graph.nodes; ++v) {
            vectors.at(v, c) -= mean;
        }
    }
}

}  // namespace isogon
