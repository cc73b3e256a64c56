#include "isogon/core/did_you_mean.hpp"

#include <algorithm>
#include <cctype>

namespace isogon {

namespace {

/// No name is so long; what a file or a command line holds may be.
constexpr std::size_t longest_word = 64;

std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& letter : lower) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return lower;
}

/// Letters to change, leave out, add or swap with the next: the distance of Damerau and Levenshtein in which no piece
/// is changed twice (optimal string alignment), of which three rows of the table are kept.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last = std::move(last);
        last = std::move(row);
    }
    return last[b.size()];
}

/// The only one that begins with `word`, or "".
std::string only_completion(const std::string& word, const std::vector<std::string>& known) {
    std::string found;
    for (const std::string& other : known) {
        if (lower_case(other).starts_with(word)) {
            if (!found.empty()) {
                return "";
            }
            found = other;
        }
    }
    return found;
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string found;
    for (const std::string& other : known) {
        const std::size_t distance = edit_distance(word, lower_case(other));
        // A word of two letters is one change away from everything.
        if (distance < least && distance < std::min(word.size(), other.size())) {
            least = distance;
            found = other;
        }
    }
    return found;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    if (word.empty() || word.size() > longest_word) {
        return "";
    }
    const std::string lower = lower_case(word);
    std::string found = nearest(lower, known);
    if (found.empty() && word.size() > 1) {
        found = only_completion(lower, known);
    }
    return found.empty() ? "" : "; did you mean " + found + "?";
}

}  // namespace isogon
