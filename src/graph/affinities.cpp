#include "graph/affinities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr std::size_t affinity_rows_of_task = 1024;

/// distance := weight(row, column, distance), all rows.
template <class Weight>
void weigh(CsrMatrix<double>& graph, const RunContext& context, const Weight& weight) {
    throw_if_cancelled(context);
    parallel_blocks(context, graph.rows, affinity_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (Offset k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
                graph.values[k] = weight(i, graph.indices[k], graph.values[k]);
            }
        }
    });
}

/// The value of `measure` for the values of each row, `without` for rows without entries.
template <class Measure>
std::vector<double> measured_rows(const CsrMatrix<double>& matrix, double without, const RunContext& context,
                                  const Measure& measure) {
    std::vector<double> found(matrix.rows);
    parallel_blocks(context, matrix.rows, affinity_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto values = matrix.row_values(static_cast<Index>(i));
            found[i] = values.empty() ? without : measure(values);
        }
    });
    return found;
}

/// The first row that has entries, and these of a sum below the least; the number of rows if there is none.
Index zero_row(const CsrMatrix<double>& weights, const RunContext& context) {
    const std::vector<double> sums = measured_rows(
        weights, least_affinity_sum, context,
        [](std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); });
    const auto zero = std::find_if(sums.begin(), sums.end(), [](double sum) { return sum < least_affinity_sum; });
    return static_cast<Index>(zero - sums.begin());
}

/// Distances to the nearest neighbour of every row, 0 where there is none.
std::vector<double> nearest_distances(const CsrMatrix<double>& graph, const RunContext& context) {
    return measured_rows(graph, 0.0, context, [](std::span<const double> values) {
        return *std::min_element(values.begin(), values.end());
    });
}

/// The sigma at which the weight of the nearest neighbour alone is at least the least sum, in every row.
double smallest_sigma_of(const std::vector<double>& nearest) {
    const double longest = nearest.empty() ? 0.0 : *std::max_element(nearest.begin(), nearest.end());
    return longest / std::sqrt(-elementary::log(least_affinity_sum));
}

/// The distance at that place in the order of a row's, or the first after it that is above 0; 0 if none is.
double scale_in(std::span<double> distances, Index neighbor) {
    const std::size_t place = std::min<std::size_t>(neighbor, distances.size());
    const auto at = distances.begin() + static_cast<std::ptrdiff_t>(place > 0 ? place - 1 : 0);
    std::nth_element(distances.begin(), at, distances.end());
    if (*at > 0.0) {
        return *at;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const double distance : distances) {
        least = distance > 0.0 ? std::min(least, distance) : least;
    }
    return std::isfinite(least) ? least : 0.0;
}

void require_neighbor(Index neighbor) {
    if (neighbor == 0) {
        throw InvalidArgument("scale neighbor", "0", "must be at least 1, the nearest; 7 is usual");
    }
}

}  // namespace

CsrMatrix<double> connectivity(CsrMatrix<double> graph, const RunContext& context) {
    require_graph(graph, context);
    weigh(graph, context, [](Index, Index, double) { return 1.0; });
    return graph;
}

CsrMatrix<double> gaussian_affinities(CsrMatrix<double> graph, double sigma, const RunContext& context) {
    require_graph(graph, context);
    if (!(sigma > 0.0 && std::isfinite(sigma))) {
        throw InvalidArgument("sigma", to_text(OptionValue{sigma}), "must be a number above 0");
    }
    const std::vector<double> nearest = nearest_distances(graph, context);
    weigh(graph, context, [sigma](Index, Index, double distance) {
        const double ratio = distance / sigma;
        return elementary::exp(-ratio * ratio);
    });
    const Index zero = zero_row(graph, context);
    if (zero < graph.rows) {
        // A little more than the bound, since it is printed in three digits.
        throw InvalidArgument("sigma", to_text(OptionValue{sigma}),
                              "the weights of row " + std::to_string(zero) + " sum to less than " +
                                  rounded(least_affinity_sum) + ": its nearest neighbour is at " +
                                  rounded(nearest[zero]) + "; use at least " +
                                  rounded(1.01 * smallest_sigma_of(nearest)));
    }
    return graph;
}

double smallest_sigma(const CsrMatrix<double>& graph, const RunContext& context) {
    return smallest_sigma_of(nearest_distances(graph, context));
}

std::vector<double> neighbor_distances(const CsrMatrix<double>& rows, Index neighbor, const RunContext& context) {
    require_neighbor(neighbor);
    std::vector<double> scales(rows.rows);
    parallel_blocks(context, rows.rows, affinity_rows_of_task, [&](Range range) {
        std::vector<double> distances;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto values = rows.row_values(static_cast<Index>(i));
            distances.assign(values.begin(), values.end());
            scales[i] = distances.empty() ? 0.0 : scale_in(distances, neighbor);
        }
    });
    return scales;
}

double default_sigma(std::vector<double> neighbor_distances, double smallest) {
    std::erase(neighbor_distances, 0.0);
    if (neighbor_distances.empty()) {
        return 1.0;
    }
    const auto middle = neighbor_distances.begin() + static_cast<std::ptrdiff_t>((neighbor_distances.size() - 1) / 2);
    std::nth_element(neighbor_distances.begin(), middle, neighbor_distances.end());
    // Slightly above the bound: exactly at it, rounding may reduce the sum of a row below the least one.
    return std::max(*middle, (1.0 + 1e-9) * smallest);
}

double default_sigma(const CsrMatrix<double>& graph, Index neighbor, const RunContext& context) {
    return default_sigma(neighbor_distances(graph, neighbor, context), smallest_sigma(graph, context));
}

CsrMatrix<double> self_tuning_affinities(CsrMatrix<double> graph, Index neighbor, const RunContext& context) {
    require_graph(graph, context);
    const std::vector<double> scales = neighbor_distances(graph, neighbor, context);
    const std::vector<double> nearest = nearest_distances(graph, context);
    weigh(graph, context, [&scales](Index i, Index j, double distance) {
        return distance > 0.0 ? elementary::exp(-distance / scales[i] * (distance / scales[j])) : 1.0;
    });
    const Index zero = zero_row(graph, context);
    if (zero < graph.rows) {
        throw InvalidArgument("scale neighbor", std::to_string(neighbor),
                              "the weights of row " + std::to_string(zero) + " sum to less than " +
                                  rounded(least_affinity_sum) + ": its nearest neighbour is at " +
                                  rounded(nearest[zero]) +
                                  " and lies among points far nearer to each other; use a larger one, or weights by "
                                  "perplexity");
    }
    return graph;
}

namespace {

[[noreturn]] void refuse(const std::string& source, Index i, Index j, const std::string& why) {
    throw InputError(source, "row " + std::to_string(i) + ", column " + std::to_string(j) + " (counted from 0)", why);
}

[[noreturn]] void refuse_unlike(const std::string& source, Index i, Index j, const std::string& there,
                                const std::string& mirrored) {
    refuse(source, i, j,
           "is " + there + ", but row " + std::to_string(j) + ", column " + std::to_string(i) + " is " + mirrored +
               ": affinities must be symmetric, as P + P^T is");
}

std::string text_of(double value) {
    return to_text(OptionValue{value});
}

// Within these bounds, sums of weights and quotients by them neither overflow nor become NaN.
constexpr double largest_weight = 1e100;
constexpr double least_heaviest = 1e-100;

void require_weights(const CsrMatrix<double>& weights, const std::string& source) {
    for (Index i = 0; i < weights.rows; ++i) {
        const auto values = weights.row_values(i);
        const auto columns = weights.row_indices(i);
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (values[k] < 0.0) {
                refuse(source, i, columns[k], "is " + text_of(values[k]) + ", and no weight may be below 0");
            }
            if (values[k] > largest_weight) {
                refuse(source, i, columns[k],
                       "is " + text_of(values[k]) + ", and no weight may be above 1e100: take a larger unit");
            }
            if (columns[k] == i) {
                refuse(source, i, i, "is an entry on the diagonal, and no point pulls at itself: leave them out");
            }
        }
    }
}

/// Visits the rows in order. The mirror images of the entries of a row then occur in the order of its columns, so that
/// one position a row is enough to find them.
void require_symmetry(const CsrMatrix<double>& weights, const std::string& source) {
    std::vector<Offset> next(weights.offsets.begin(), weights.offsets.end() - 1);
    const auto refuse_alone = [&](Index j) {
        const Offset alone = next[j];
        refuse_unlike(source, j, weights.indices[alone], text_of(weights.values[alone]), "not there");
    };
    for (Index i = 0; i < weights.rows; ++i) {
        for (Offset e = weights.offsets[i]; e < weights.offsets[i + 1]; ++e) {
            const Index j = weights.indices[e];
            const Offset mirrored = next[j]++;
            if (mirrored == weights.offsets[j + 1] || weights.indices[mirrored] > i) {
                refuse_unlike(source, i, j, text_of(weights.values[e]), "not there");
            }
            if (weights.indices[mirrored] < i) {
                --next[j];
                refuse_alone(j);
            }
            if (weights.values[mirrored] != weights.values[e]) {
                refuse_unlike(source, i, j, text_of(weights.values[e]), text_of(weights.values[mirrored]));
            }
        }
    }
    for (Index j = 0; j < weights.rows; ++j) {
        if (next[j] != weights.offsets[j + 1]) {
            refuse_alone(j);
        }
    }
}

void require_held(const CsrMatrix<double>& weights, const std::string& source) {
    Index first = 0;
    Index alone = 0;
    for (Index i = 0; i < weights.rows; ++i) {
        const auto values = weights.row_values(i);
        if (std::none_of(values.begin(), values.end(), [](double value) { return value > 0.0; })) {
            first = alone++ == 0 ? i : first;
        }
    }
    const double heaviest =
        weights.values.empty() ? 0.0 : *std::max_element(weights.values.begin(), weights.values.end());
    if (heaviest > 0.0 && heaviest < least_heaviest) {
        throw InputError(source, "",
                         "the heaviest weight is " + text_of(heaviest) + ", below 1e-100: take a smaller unit");
    }
    if (alone > 0) {
        throw InputError(source, "row " + std::to_string(first) + " (counted from 0)",
                         "has no weight above 0, so that nothing would hold the point; there are " +
                             std::to_string(alone) + " such rows: leave these points out, or join them to others");
    }
}

}  // namespace

void require_affinities(const CsrMatrix<double>& weights, Index points, const std::string& source) {
    if (weights.rows != points || weights.columns != points) {
        throw InputError(source, "",
                         std::to_string(weights.rows) + " x " + std::to_string(weights.columns) +
                             " affinities: there must be a row and a column for each of " + std::to_string(points) +
                             " points");
    }
    validate(weights);
    require_weights(weights, source);
    require_symmetry(weights, source);
    require_held(weights, source);
}

CsrMatrix<double> without_diagonal(CsrMatrix<double> weights) {
    validate(weights);
    std::size_t kept = 0;
    std::size_t begin = 0;
    for (Index i = 0; i < weights.rows; ++i) {
        const std::size_t end = weights.offsets[i + std::size_t{1}];
        for (std::size_t e = begin; e < end; ++e) {
            if (weights.indices[e] != i) {
                weights.indices[kept] = weights.indices[e];
                weights.values[kept++] = weights.values[e];
            }
        }
        begin = end;
        weights.offsets[i + std::size_t{1}] = kept;
    }
    weights.indices.resize(kept);
    weights.values.resize(kept);
    return weights;
}

CsrMatrix<float> shares_of(const CsrMatrix<double>& weights) {
    constexpr double rounding = 1e-6;
    const double largest = *std::max_element(weights.values.begin(), weights.values.end());
    const double sum = std::accumulate(weights.values.begin(), weights.values.end(), 0.0,
                                       [largest](double part, double weight) { return part + weight / largest; });
    const bool are_shares = std::abs(sum * largest - 1.0) <= rounding;
    CsrMatrix<float> shares{weights.rows, weights.columns, weights.offsets, weights.indices,
                            std::vector<float>(weights.values.size())};
    std::transform(weights.values.begin(), weights.values.end(), shares.values.begin(),
                   [=](double weight) { return static_cast<float>(are_shares ? weight : weight / largest / sum); });
    return shares;
}

}  // namespace isogon
