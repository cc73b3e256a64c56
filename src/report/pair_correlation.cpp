#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "report/measures.hpp"

namespace isogon {

namespace {

/// Values that differ by a smaller share differ by the rounding of float32 inputs, as in score().
constexpr double rounding = 0x1p-18;

/// Ranks from 0; equal values share the mean of theirs.
std::vector<double> mean_ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] <= values[order[first]] * (1.0 + rounding)) {
            ++last;
        }
        for (std::size_t place = first; place <= last; ++place) {
            ranks[order[place]] = static_cast<double>(first + last) / 2.0;
        }
        first = last + 1;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double mean = (static_cast<double>(a.size()) - 1.0) / 2.0;
    double products = 0.0;
    double squares_a = 0.0;
    double squares_b = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        products += (a[k] - mean) * (b[k] - mean);
        squares_a += (a[k] - mean) * (a[k] - mean);
        squares_b += (b[k] - mean) * (b[k] - mean);
    }
    return squares_a > 0.0 && squares_b > 0.0 ? products / std::sqrt(squares_a * squares_b) : 0.0;
}

constexpr std::uint64_t most_pairs = 20000;

/// All pairs of different points where they are few, else some drawn at random.
std::vector<std::pair<Index, Index>> some_pairs(Index count, std::uint64_t seed) {
    std::vector<std::pair<Index, Index>> pairs;
    if (std::uint64_t{count} * (count - 1) / 2 <= most_pairs) {
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < i; ++j) {
                pairs.emplace_back(i, j);
            }
        }
        return pairs;
    }
    for (std::uint64_t k = 0; k < most_pairs; ++k) {
        // Which points angles are counted of is drawn at indices of points, below 2^32.
        Random random(seed, RandomStream::AngleDensity, (std::uint64_t{1} << 32) + k);
        const Index i = random.below(count);
        const Index j = random.below(count - 1);
        pairs.emplace_back(i, j < i ? j : j + 1);
    }
    return pairs;
}

}  // namespace

double pair_correlation(const ComparedSides& sides, std::uint64_t seed) {
    const MeasuredSide side_in(sides.x, sides.metrics.input);
    const MeasuredSide side_out(sides.y, sides.metrics.output);
    std::vector<double> in;
    std::vector<double> out;
    for (const auto& [i, j] : some_pairs(sides.x.count, seed)) {
        in.push_back(side_in.between(i, j));
        out.push_back(side_out.between(i, j));
    }
    return correlation(mean_ranks(in), mean_ranks(out));
}

}  // namespace isogon
