#include "decomposition/active_set.hpp"

#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "decomposition/active_rows.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

namespace {

EntryPattern assembled(std::vector<ActiveRows>&& parts, Offset entries) {
    EntryPattern result;
    result.columns.reserve(entries);
    for (ActiveRows& part : parts) {
        for (const Offset length : part.lengths) {
            result.offsets.push_back(result.offsets.back() + length);
        }
        result.columns.insert(result.columns.end(), part.columns.begin(), part.columns.end());
        part = {};
    }
    return result;
}

EntryPattern transposed(const EntryPattern& pattern, Index columns) {
    EntryPattern result;
    result.offsets.assign(std::size_t{columns} + 1, 0);
    for (const Index j : pattern.columns) {
        ++result.offsets[j + 1];
    }
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    result.columns.resize(pattern.columns.size());
    std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
    for (Index i = 0; i < pattern.rows(); ++i) {
        for (const Index j : pattern.row(i)) {
            result.columns[next[j]++] = i;
        }
    }
    return result;
}

}  // namespace

std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                    const RunContext& context) {
    const WidePanels rows(factors.left, context);
    const WidePanels columns(factors.right, context);
    std::vector<ActiveRows> parts(rows.panels());
    std::atomic<Offset> entries = 0;  // a sum of whole numbers: the same in any order
    parallel_tasks(context, parts.size(), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        if (entries > capacity) {
            return;
        }
        parts[p] = active_rows(side, factors, rows, columns, static_cast<Index>(p));
        entries += parts[p].columns.size();
    });
    if (entries > capacity) {
        return std::nullopt;
    }
    ActiveSet result;
    result.forward = assembled(std::move(parts), entries);
    result.backward = transposed(result.forward, side.columns());
    return result;
}

}  // namespace isogon
