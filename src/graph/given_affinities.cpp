#include "isogon/graph/given_affinities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

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

// Within these sums of weights and what is divided by them are numbers.
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

/// As rows are walked in their order, the entries of a row come up as mirrored ones one after the other.
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
