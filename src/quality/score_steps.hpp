#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// "1 point", "7 points".
[[nodiscard]] std::string points_text(std::size_t count);

/// The given threshold, else the one that choose_threshold takes from `points`, in a phase "threshold" of its own.
[[nodiscard]] double given_or_chosen(const std::optional<double>& given, const PointsView& points, std::uint64_t seed,
                                     const RunContext& context, Summary& summary);

/// Points without a pair above the threshold.
struct Isolation {
    Index isolated = 0;
    Index points = 0;        ///< of so many
    Index zero_vectors = 0;  ///< of which these never are in a pair
    double threshold = 0.0;
};

/// Warns if more than a tenth of the points with a direction are isolated: that they have `company` ("no other point")
/// above the threshold, and what to do.
void warn_of_isolated(const Isolation& isolation, const std::string& company, const std::string& remedy,
                      Summary& summary);

/// Records in the summary of a score that the context has ended it.
void end_early(const Interruption& interruption, Summary& summary);

struct NormScore {
    double mean = 0.0;  ///< of | |y_i| / |x_i| - 1 |
    double max = 0.0;
};

/// Compares lengths, point by point, over the points whose length in x is not zero; without any, all is 0.
[[nodiscard]] NormScore compare_norms(std::span<const double> x_lengths, std::span<const double> y_lengths);

}  // namespace isogon
