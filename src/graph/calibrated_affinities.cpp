#include "graph/calibrated_affinities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr std::size_t calibrated_rows_of_task = 256;

void require_perplexity(const std::vector<Offset>& offsets, double perplexity) {
    Offset most = 0;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        most = std::max(most, offsets[i + 1] - offsets[i]);
    }
    if (!(perplexity > 1.0 && perplexity < static_cast<double>(most))) {
        throw InvalidArgument("perplexity", to_text(OptionValue{perplexity}),
                              "must be above 1 and below " + std::to_string(most) +
                                  ", the most edges of a point; take more neighbors or less perplexity");
    }
}

/// The probabilities of one row after the other, in one reused workspace.
class EntropyRow {
public:
    explicit EntropyRow(double perplexity) : perplexity_(perplexity), wanted_(elementary::log(perplexity)) {}

    /// Distances to probabilities, in place.
    void weigh(std::span<double> values) {
        if (values.empty()) {
            return;
        }
        probabilities_.resize(values.size());
        const bool solvable = static_cast<double>(values.size()) > perplexity_ && find_excesses(values);
        if (solvable) {
            find_beta();
        } else {
            std::fill(probabilities_.begin(), probabilities_.end(), 1.0 / static_cast<double>(values.size()));
        }
        std::copy(probabilities_.begin(), probabilities_.end(), values.begin());
    }

private:
    /// Squared distances beyond the nearest one's, in units of their mean, so that nothing underflows and beta is about
    /// 1. False if there are none.
    bool find_excesses(std::span<const double> distances) {
        const double nearest = *std::min_element(distances.begin(), distances.end());
        excesses_.resize(distances.size());
        std::transform(distances.begin(), distances.end(), excesses_.begin(),
                       [&](double distance) { return (distance - nearest) * (distance + nearest); });
        const double mean =
            std::accumulate(excesses_.begin(), excesses_.end(), 0.0) / static_cast<double>(excesses_.size());
        for (double& excess : excesses_) {
            excess = mean > 0.0 ? excess / mean : 0.0;
        }
        return mean > 0.0;
    }

    /// The probabilities at beta, and their entropy log Z + beta E[excess].
    double entropy(double beta) {
        double sum = 0.0;
        double moment = 0.0;
        for (std::size_t k = 0; k < excesses_.size(); ++k) {
            probabilities_[k] = elementary::exp(-beta * excesses_[k]);
            sum += probabilities_[k];
            moment += probabilities_[k] * excesses_[k];
        }
        for (double& probability : probabilities_) {
            probability /= sum;
        }
        return elementary::log(sum) + beta * moment / sum;
    }

    /// Entropy decreases as beta grows: doubling, then bisection. If the entropy is too large even for beta = 2^100,
    /// several points have the least distance: they get equal probabilities.
    void find_beta() {
        constexpr int most_doublings = 100;
        constexpr int most_halvings = 100;
        constexpr double settled = 1e-12;
        double low = 0.0;
        double high = 1.0;
        for (int step = 0; step < most_doublings && entropy(high) > wanted_; ++step) {
            low = high;
            high *= 2.0;
        }
        for (int step = 0; step < most_halvings; ++step) {
            const double middle = 0.5 * (low + high);
            const double error = entropy(middle) - wanted_;
            if (std::abs(error) <= settled) {
                return;
            }
            (error > 0.0 ? low : high) = middle;
        }
    }

    double perplexity_;
    double wanted_;
    std::vector<double> excesses_;
    std::vector<double> probabilities_;
};

/// Distances of every row to its probabilities, in place.
template <class Value>
void weigh_rows(CsrMatrix<Value>& graph, double perplexity, const RunContext& context) {
    require_perplexity(graph.offsets, perplexity);
    throw_if_cancelled(context);
    parallel_blocks(context, graph.rows, calibrated_rows_of_task, [&](Range rows) {
        EntropyRow row(perplexity);
        std::vector<double> weights;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::span<Value> values(graph.values.data() + graph.offsets[i],
                                          graph.values.data() + graph.offsets[i + 1]);
            weights.assign(values.begin(), values.end());
            row.weigh(weights);
            std::transform(weights.begin(), weights.end(), values.begin(),
                           [](double weight) { return static_cast<Value>(weight); });
        }
    });
    throw_if_cancelled(context);
}

/// Replaces both entries of a pair by `factor` times their sum. Visits the rows in order: the entries of a row left of
/// the diagonal then occur as mirror images one after the other, so that no transpose is needed.
template <class Value>
void join_mirrored(CsrMatrix<Value>& graph, double factor) {
    std::vector<Offset> next(graph.offsets.begin(), graph.offsets.end() - 1);
    for (Index i = 0; i < graph.rows; ++i) {
        for (Offset e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
            const Index j = graph.indices[e];
            if (j > i) {
                const Offset mirrored = next[j]++;
                const double sum = double{graph.values[e]} + double{graph.values[mirrored]};
                graph.values[e] = graph.values[mirrored] = static_cast<Value>(factor * sum);
            }
        }
    }
}

}  // namespace

void perplexity_probabilities(std::span<double> distances, double perplexity) {
    EntropyRow(perplexity).weigh(distances);
}

CsrMatrix<double> perplexity_affinities(CsrMatrix<double> graph, double perplexity, const RunContext& context) {
    require_graph(graph, context);
    weigh_rows(graph, perplexity, context);
    join_mirrored(graph, 0.5);
    return graph;
}

CsrMatrix<float> joint_probabilities(NeighborLists lists, const std::optional<double>& perplexity,
                                     const RunContext& context) {
    require_memory(context, {{"the graph", joint_probabilities_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    CsrMatrix<float> graph = joined_lists(std::move(lists), context);
    if (perplexity) {
        weigh_rows(graph, *perplexity, context);
    } else {
        std::fill(graph.values.begin(), graph.values.end(), 1.0F);
    }
    join_mirrored(graph, 0.5 / std::accumulate(graph.values.begin(), graph.values.end(), 0.0));
    return graph;
}

std::uint64_t joint_probabilities_bytes(Index points, Index neighbors) {
    // Up to twice as many entries as neighbours, and a byte for each of these.
    constexpr std::uint64_t a_neighbor = 2 * (sizeof(Index) + sizeof(float)) + 1;
    return std::uint64_t{points} * neighbors * a_neighbor + 2 * (std::uint64_t{points} + 1) * sizeof(Offset);
}

namespace {

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
    const double wanted = elementary::log2(static_cast<double>(excesses.size()));
    double beta = 0.0;
    for (int step = 0; step < most_steps; ++step) {
        double sum = 0.0;
        double slope = 0.0;
        for (const double excess : excesses) {
            const double membership = elementary::exp(-beta * excess);
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
                   [beta](double excess) { return elementary::exp(-beta * excess); });
}

CsrMatrix<double> fuzzy_affinities(NeighborLists lists, double either, const RunContext& context) {
    if (!(either >= 0.0 && either <= 1.0)) {
        throw InvalidArgument("either", to_text(OptionValue{either}), "must be between 0 and 1");
    }
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    CsrMatrix<double> edges = widen(directed_edges(std::move(lists)));
    throw_if_cancelled(context);
    parallel_blocks(context, edges.rows, calibrated_rows_of_task, [&](Range rows) {
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
