#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// "; did you mean threshold?" for the word among `known` that differs least from `word`: by at most a third of its
/// letters changed, left out, added or swapped with the next, or as the only one that begins with it. Small and capital
/// letters count alike. "" where none is near. Cost: the product of the lengths, for each known word.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace isogon
