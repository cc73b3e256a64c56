#include "quality/score_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>

#include "pairs/threshold.hpp"

namespace isogon {

std::string points_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " point" : " points");
}

double given_or_chosen(const std::optional<double>& given, const PointsView& points, std::uint64_t seed,
                       const RunContext& context, Summary& summary) {
    if (given) {
        return *given;
    }
    const PhaseTimer timer(summary, "threshold");
    return choose_threshold(points, {.seed = seed}, context).threshold;
}

void warn_of_isolated(const Isolation& isolation, const std::string& missing, const std::string& remedy,
                      Summary& summary) {
    constexpr double tolerated = 0.1;
    const double share =
        static_cast<double>(isolation.isolated) / std::max<Index>(isolation.points - isolation.zero_vectors, 1);
    if (share <= tolerated) {
        return;
    }
    std::array<char, 64> count{};
    std::snprintf(count.data(), count.size(), "%u of %u points (%.1f%%)", isolation.isolated, isolation.points,
                  100.0 * share);
    std::array<char, 32> threshold{};
    std::snprintf(threshold.data(), threshold.size(), "%.4g", isolation.threshold);
    summary.warn(std::string(count.data()) + " have " + missing + " above the threshold " + threshold.data() +
                 ", so the angles say nothing of them: " + remedy);
}

void end_early(const Interruption& interruption, Summary& summary) {
    summary.termination = interruption.reason;
    summary.message =
        "ended early (" + std::string(name(interruption.reason)) + "): the measures that are 0 were not reached";
}

NormScore compare_norms(std::span<const double> x_lengths, std::span<const double> y_lengths) {
    NormScore score;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < x_lengths.size(); ++i) {
        if (x_lengths[i] > 0.0) {
            const double deviation = std::abs(y_lengths[i] / x_lengths[i] - 1.0);
            score.mean += deviation;
            score.max = std::max(score.max, deviation);
            ++compared;
        }
    }
    score.mean /= static_cast<double>(std::max<std::size_t>(compared, 1));
    return score;
}

PackedPoints pack_all_directions(const PointsView& points, std::span<const double> lengths, const RunContext& context) {
    std::vector<Index> all(points.count);
    std::iota(all.begin(), all.end(), Index{0});
    return pack_directions(points, lengths, all, context);
}

}  // namespace isogon
