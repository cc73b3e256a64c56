#include "isogon/graph/perplexity_affinities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/graph/symmetric_graph.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 256;

void require_perplexity(const WideSparseMatrix& graph, double perplexity) {
    Offset most = 0;
    for (Index i = 0; i < graph.rows; ++i) {
        most = std::max(most, graph.offsets[i + 1] - graph.offsets[i]);
    }
    if (!(perplexity > 1.0 && perplexity < static_cast<double>(most))) {
        throw InvalidArgument("perplexity", to_text(OptionValue{perplexity}),
                              "must be above 1 and below " + std::to_string(most) +
                                  ", the most edges of a point; take more neighbors or less perplexity");
    }
}

/// One row's probabilities after the other, in memory that is kept.
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

    /// Entropy falls as beta grows: doubling, then bisection. Where even beta = 2^100 leaves more entropy than wanted,
    /// as many points are nearest at once: they share alike.
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

}  // namespace

void perplexity_probabilities(std::span<double> distances, double perplexity) {
    EntropyRow(perplexity).weigh(distances);
}

WideSparseMatrix perplexity_affinities(WideSparseMatrix graph, double perplexity, const RunContext& context) {
    require_graph(graph);
    require_perplexity(graph, perplexity);
    stop_if_asked(context);
    parallel_blocks(context, graph.rows, rows_of_task, [&](Range rows) {
        EntropyRow row(perplexity);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            row.weigh({graph.values.data() + graph.offsets[i], graph.values.data() + graph.offsets[i + 1]});
        }
    });
    stop_if_asked(context);
    const WideSparseMatrix mirrored = transpose(graph);
    std::transform(graph.values.begin(), graph.values.end(), mirrored.values.begin(), graph.values.begin(),
                   [](double a, double b) { return 0.5 * (a + b); });
    return graph;
}

}  // namespace isogon
