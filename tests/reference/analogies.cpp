#include "reference/analogies.hpp"

namespace isogon::reference {

double nearness_to_analogy(const Points& p, const std::array<Index, 3>& terms, Index j) {
    return cosine(p, terms[1], j) - cosine(p, terms[0], j) + cosine(p, terms[2], j);
}

std::optional<Index> analogy(const Points& p, const std::array<Index, 3>& terms, const std::vector<Index>& candidates) {
    std::optional<Index> best;
    for (const Index j : candidates) {
        const bool term = std::find(terms.begin(), terms.end(), j) != terms.end();
        if (!term && (!best || nearness_to_analogy(p, terms, j) > nearness_to_analogy(p, terms, *best))) {
            best = j;
        }
    }
    return best;
}

}  // namespace isogon::reference
