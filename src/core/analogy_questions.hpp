#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// "a is to b as c is to d": Athens Greece Oslo Norway.
struct AnalogyQuestion {
    std::array<std::string, 4> words{};
    Index category = 0;  ///< a place in AnalogyQuestions::categories
};

/// Questions in their order, each of one category.
struct AnalogyQuestions {
    std::vector<std::string> categories{};
    std::vector<AnalogyQuestion> questions{};
};

/// Whether a category is about grammar (comparatives, plurals, tenses) rather than meaning. By convention its name then
/// begins with "gram": 9 of the 14 categories of the Google test set (Mikolov, Chen, Corrado and Dean 2013), from
/// gram1-adjective-to-adverb to gram9-plural-verbs. All others are semantic.
[[nodiscard]] inline bool is_syntactic(std::string_view category) {
    return category.starts_with("gram");
}

}  // namespace isogon
