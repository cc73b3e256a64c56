#include "isogon/matching/isolated_support.hpp"

#include <algorithm>
#include <utility>

#include "isogon/pairs/local_range.hpp"
#include "matching/nearest_by_cosine.hpp"

namespace isogon {

namespace {

struct Entry {
    Index row;
    Index column;
    float value;
    [[nodiscard]] std::pair<Index, Index> place() const { return {row, column}; }
};

/// What each isolated point brings in, in their order.
std::vector<std::vector<Entry>> entries_of(const DistributedPoints& x, const std::vector<Index>& isolated,
                                           Index neighbors, double threshold, const RunContext& context) {
    const std::vector<double> lengths = norms_of_all(x);
    const auto nearest = nearest_by_cosine(x, isolated, neighbors, context);
    std::vector<std::vector<Entry>> entries(isolated.size());
    for (std::size_t k = 0; k < isolated.size(); ++k) {
        const Index i = isolated[k];
        for (const auto& [cosine, j] : nearest[k]) {
            const double value = lengths[i] * lengths[j] * (double{cosine} - threshold);
            entries[k].push_back({std::min(i, j), std::max(i, j), static_cast<float>(value)});
        }
    }
    return entries;
}

/// `upper` with the entries, which are sorted and in none of its places.
CsrMatrix<float> merged(const CsrMatrix<float>& upper, const std::vector<Entry>& entries) {
    CsrMatrix<float> result{.rows = upper.rows, .columns = upper.columns};
    result.indices.reserve(upper.entries() + entries.size());
    result.values.reserve(upper.entries() + entries.size());
    auto next = entries.begin();
    for (Index i = 0; i < upper.rows; ++i) {
        const auto columns = upper.row_indices(i);
        const auto values = upper.row_values(i);
        const auto add = [&](Index column, float value) {
            result.indices.push_back(column);
            result.values.push_back(value);
        };
        for (std::size_t k = 0; k < columns.size(); ++k) {
            for (; next != entries.end() && next->row == i && next->column < columns[k]; ++next) {
                add(next->column, next->value);
            }
            add(columns[k], values[k]);
        }
        for (; next != entries.end() && next->row == i; ++next) {
            add(next->column, next->value);
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

}  // namespace

IsolatedSupport support_isolated(const DistributedPoints& points, const std::vector<Index>& isolated, Index neighbors,
                                 Similarities& s, const RunContext& context) {
    const DistributedPoints x = distributed(points, context);
    IsolatedSupport result;
    std::vector<Entry> all;
    for (const auto& entries : entries_of(x, isolated, neighbors, s.threshold, context)) {
        result.unreachable += entries.empty() ? 1 : 0;
        all.insert(all.end(), entries.begin(), entries.end());
    }
    if (all.empty()) {
        return result;
    }
    // Two isolated points may have named each other.
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.place() < b.place(); });
    all.erase(
        std::unique(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.place() == b.place(); }),
        all.end());
    for (const Entry& entry : all) {
        s.squared_norm += 2.0 * double{entry.value} * entry.value;
    }
    result.added = all.size();
    if (s.pairs_of_all_ranks) {
        *s.pairs_of_all_ranks += all.size();
    }
    const Range own = local_points(s.size(), context);
    const auto is_own = [&](std::size_t i) { return own.begin <= i && i < own.end; };
    std::erase_if(all, [&](const Entry& entry) { return !is_own(entry.row) && !is_own(entry.column); });
    s.upper = merged(s.upper, all);
    return result;
}

}  // namespace isogon
