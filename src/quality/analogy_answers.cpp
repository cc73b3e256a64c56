#include "quality/analogy_answers.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "quality/angles.hpp"

namespace isogon {

namespace {

/// ASCII only: other alphabets need a table that depends on the language.
std::string lower_case(std::string_view word) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

}  // namespace

WordRows::WordRows(std::span<const std::string> words) {
    rows_.reserve(words.size());
    first_rows_.reserve(words.size());
    for (Index row = 0; row < words.size(); ++row) {
        if (rows_.emplace(words[row], row).second) {
            first_rows_.push_back(row);
        }
    }
}

std::optional<Index> WordRows::find(std::string_view word) const {
    const auto row = find_exactly(word);
    return row ? row : find_exactly(lower_case(word));
}

std::optional<Index> WordRows::find_exactly(std::string_view word) const {
    const auto found = rows_.find(word);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t WordRows::bytes(std::size_t words) {
    // A node holds its value, its hash, and a pointer to the next; a bucket is a pointer. The system rounds up.
    constexpr std::uint64_t node = sizeof(std::pair<std::string_view, Index>) + 3 * sizeof(void*);
    constexpr std::uint64_t bucket = 2 * sizeof(void*);
    return words * (node + bucket + sizeof(Index));
}

namespace {

/// Directions are known to some 6e-8, so a sum of three that is shorter than this is mostly rounding.
constexpr double shortest_target = 1e-6;

constexpr float excluded_product = -std::numeric_limits<float>::infinity();

void add_direction(const PointsView& points, std::span<const double> lengths, Index row, double sign,
                   std::vector<double>& sum) {
    if (lengths[row] == 0.0) {
        return;
    }
    const auto values = points[row];
    for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += sign * (double{values[k]} / lengths[row]);
    }
}

double length(const std::vector<double>& vector) {
    double squares = 0.0;
    for (const double value : vector) {
        squares += value * value;
    }
    return std::sqrt(squares);
}

/// b/|b| - a/|a| + c/|c|, zero where the sum cancels.
PackedPoints pack_targets(const PointsView& points, std::span<const double> lengths,
                          std::span<const AnalogyTerms> questions, const RunContext& context) {
    PackedPoints targets(static_cast<Index>(questions.size()), points.dimension);
    parallel_blocks(context, questions.size(), panel_width, [&](Range range) {
        std::vector<double> target(points.dimension);
        for (std::size_t q = range.begin; q < range.end; ++q) {
            const auto& [a, b, c] = questions[q];
            std::fill(target.begin(), target.end(), 0.0);
            add_direction(points, lengths, b, 1.0, target);
            add_direction(points, lengths, a, -1.0, target);
            add_direction(points, lengths, c, 1.0, target);
            if (length(target) < shortest_target) {
                continue;
            }
            for (Index k = 0; k < points.dimension; ++k) {
                targets.at(static_cast<Index>(q), k) = static_cast<float>(target[k]);
            }
        }
    });
    return targets;
}

/// The first of the largest products, without those of the terms.
Index nearest_candidate(std::span<float> products, std::span<const Index> candidates, const AnalogyTerms& terms) {
    for (const Index term : terms) {
        const auto place = std::lower_bound(candidates.begin(), candidates.end(), term);
        if (place != candidates.end() && *place == term) {
            products[static_cast<std::size_t>(place - candidates.begin())] = excluded_product;
        }
    }
    const auto greatest = std::max_element(products.begin(), products.end());
    return greatest == products.end() || *greatest == excluded_product
               ? no_answer
               : candidates[static_cast<std::size_t>(greatest - products.begin())];
}

}  // namespace

std::vector<Index> answer_analogies(const PointsView& points, std::span<const double> lengths,
                                    std::span<const Index> candidates, std::span<const AnalogyTerms> questions,
                                    const RunContext& context) {
    const PackedPoints directions = pack_directions(points, lengths, candidates, context);
    const PackedPoints targets = pack_targets(points, lengths, questions, context);
    std::vector<Index> answers(questions.size(), no_answer);
    for_each_row_band(
        targets, directions, context,
        [&](RowBand& band) {
            for (Index r = 0; r < band.rows; ++r) {
                const Index q = band.first_row + r;
                if (!is_zero(targets, q)) {
                    answers[q] =
                        nearest_candidate({band.values + r * band.stride, band.columns}, candidates, questions[q]);
                }
            }
        },
        "analogies");
    return answers;
}

std::uint64_t analogy_answer_bytes(Index candidates, Index questions, Index dimension, int threads) {
    return PackedPoints::bytes(candidates, dimension) + PackedPoints::bytes(questions, dimension) +
           row_band_bytes(candidates, threads) + std::uint64_t{questions} * sizeof(Index);
}

}  // namespace isogon
