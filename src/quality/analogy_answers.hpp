#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The row of each word; of a word that occurs twice the first one. A view: the words must outlive it.
class WordRows {
public:
    explicit WordRows(std::span<const std::string> words);

    /// The row of this word, else that of the word with A-Z in lower case, else none.
    [[nodiscard]] std::optional<Index> find(std::string_view word) const;
    /// The rows of words that no earlier row has, ascending.
    [[nodiscard]] const std::vector<Index>& first_rows() const { return first_rows_; }

    /// Bytes for the rows of so many words, rounded up.
    [[nodiscard]] static std::uint64_t bytes(std::size_t words);

private:
    [[nodiscard]] std::optional<Index> find_exactly(std::string_view word) const;

    std::unordered_map<std::string_view, Index> rows_;
    std::vector<Index> first_rows_;
};

/// Rows a, b, c of "a is to b as c is to ?".
using AnalogyTerms = std::array<Index, 3>;

/// The value for no answer: there is no candidate, or the vectors cancel and have no direction.
inline constexpr Index no_answer = std::numeric_limits<Index>::max();

/// For each question the candidate nearest by cosine to b/|b| - a/|a| + c/|c| that is none of the three; of equally
/// near ones the first. `lengths` are those of all points, as norms() gives them; `candidates` are numbers of points
/// that are not zero, ascending. A zero vector among the terms adds nothing. The same for any number of threads.
/// Throws Interruption. O(questions candidates D).
[[nodiscard]] std::vector<Index> answer_analogies(const PointsView& points, std::span<const double> lengths,
                                                  std::span<const Index> candidates,
                                                  std::span<const AnalogyTerms> questions, const RunContext& context);

/// Bytes for the computation of the answers, answers included.
[[nodiscard]] std::uint64_t analogy_answer_bytes(Index candidates, Index questions, Index dimension, int threads);

}  // namespace isogon
