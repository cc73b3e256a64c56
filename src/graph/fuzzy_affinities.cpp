#include "isogon/graph/fuzzy_affinities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/directed_edges.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/graph/symmetric_graph.hpp"

namespace isogon {

namespace {

constexpr std::size_t fuzzy_rows_of_task = 256;

/// Replaces distances by max(0, d - rho), divided by the mean of these, where rho is the first distance above 0.
/// Returns false if all of them are 0.
bool to_excesses(std::span<double> distances) {
    const auto first = std::find_if(distances.begin(), distances.end(), [](double d) { return d > 0.0; });
    const double rho = first == distances.end() ? 0.0 : *first;
    for (double& value : distances) {
        value = std::max(0.0, value - rho);
    }
    const double mean =
        std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
    for (double& value : distances) {
        value = mean > 0.0 ? value / mean : 0.0;
    }
    return mean > 0.0;
}

/// 1 / sigma, in units of the mean excess. The sum of exp(-beta e) is convex and decreasing, so that Newton's steps
/// from 0 never exceed the solution. If there is no solution, beta grows up to its bound.
double scale_of(std::span<const double> excesses) {
    constexpr double largest = 1000.0;  // umap-learn's least sigma is a thousandth of a mean
    constexpr int most_steps = 100;
    constexpr double settled = 1e-12;
    const double wanted = std::log2(static_cast<double>(excesses.size()));
    double beta = 0.0;
    for (int step = 0; step < most_steps; ++step) {
        double sum = 0.0;
        double slope = 0.0;
        for (const double excess : excesses) {
            const double membership = std::exp(-beta * excess);
            sum += membership;
            slope += excess * membership;
        }
        if (sum - wanted >= slope * (largest - beta)) {
            return largest;
        }
        const double change = (sum - wanted) / slope;
        beta += change;
        if (change <= settled * beta) {
            break;
        }
    }
    return beta;
}

}  // namespace

void fuzzy_memberships(std::span<double> distances) {
    if (!to_excesses(distances)) {
        std::fill(distances.begin(), distances.end(), 1.0);
        return;
    }
    const double beta = scale_of(distances);
    std::transform(distances.begin(), distances.end(), distances.begin(),
                   [beta](double excess) { return std::exp(-beta * excess); });
}

CsrMatrix<double> fuzzy_affinities(NeighborLists lists, double either, const RunContext& context) {
    if (!(either >= 0.0 && either <= 1.0)) {
        throw InvalidArgument("either", to_text(OptionValue{either}), "must be between 0 and 1");
    }
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    CsrMatrix<double> edges = widen(directed_edges(std::move(lists)));
    throw_if_cancelled(context);
    parallel_blocks(context, edges.rows, fuzzy_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            fuzzy_memberships({edges.values.data() + edges.offsets[i], edges.values.data() + edges.offsets[i + 1]});
        }
    });
    throw_if_cancelled(context);
    return undirected(
        std::move(edges),
        [either](const double* one, const double* other) {
            const double a = one == nullptr ? 0.0 : *one;
            const double b = other == nullptr ? 0.0 : *other;
            const double weight = either * (a + b - a * b) + (1.0 - either) * (a * b);
            return weight > 0.0 ? std::min(weight, 1.0) : -1.0;
        },
        context);
}

}  // namespace isogon
