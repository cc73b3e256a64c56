#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Rows a, b, c of "a is to b as c is to ?".
using AnalogyTerms = std::array<Index, 3>;

/// The answer where there is none: no candidate is left, or the vectors cancel and point nowhere.
inline constexpr Index no_answer = std::numeric_limits<Index>::max();

/// For each question the candidate nearest by cosine to b/|b| - a/|a| + c/|c| that is none of the three; of equally
/// near ones the first. `lengths` are those of all points, as norms() gives them; `candidates` are numbers of points
/// that are not zero, ascending. A zero vector among the terms adds nothing. The same for any number of threads.
/// Throws Interruption. O(questions candidates D).
[[nodiscard]] std::vector<Index> answer_analogies(const PointsView& points, std::span<const double> lengths,
                                                  std::span<const Index> candidates,
                                                  std::span<const AnalogyTerms> questions, const RunContext& context);

/// Bytes that answering takes, with the answers.
[[nodiscard]] std::uint64_t analogy_answer_bytes(Index candidates, Index questions, Index dimension, int threads);

}  // namespace isogon
