#include "isogon/graph/perplexity_affinities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/directed_edges.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/graph/symmetric_graph.hpp"

namespace isogon {

namespace {

constexpr std::size_t perplexity_rows_of_task = 256;

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
    explicit EntropyRow(double perplexity) : perplexity_(perplexity), wanted_(std::log(perplexity)) {}

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
            probabilities_[k] = std::exp(-beta * excesses_[k]);
            sum += probabilities_[k];
            moment += probabilities_[k] * excesses_[k];
        }
        for (double& probability : probabilities_) {
            probability /= sum;
        }
        return std::log(sum) + beta * moment / sum;
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
    parallel_blocks(context, graph.rows, perplexity_rows_of_task, [&](Range rows) {
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

}  // namespace isogon
