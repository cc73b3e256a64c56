#include "graph/path_search.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/path_search.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: a line holds as many lengths.
using Doubles = hn::CappedTag<double, sources_in_path_block>;
using Vector = hn::Vec<Doubles>;

/// Point i's lengths := the minimum of themselves and of each neighbour's lengths plus the edge. Returns whether any of
/// them decreased.
HWY_INLINE bool look(const CsrMatrix<double>& graph, Index i, double* HWY_RESTRICT lengths) {
    const Doubles tag;
    bool nearer = false;
    for (std::size_t s = 0; s < sources_in_path_block; s += hn::Lanes(tag)) {
        double* own = lengths + std::size_t{i} * sources_in_path_block + s;
        const Vector before = hn::Load(tag, own);
        Vector least = before;
        for (Offset k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
            const Vector there = hn::Load(tag, lengths + std::size_t{graph.indices[k]} * sources_in_path_block + s);
            least = hn::Min(least, hn::Add(there, hn::Set(tag, graph.values[k])));
        }
        nearer |= !hn::AllFalse(tag, hn::Lt(least, before));
        hn::Store(least, tag, own);
    }
    return nearer;
}

/// Sweeps up and down until no point is waiting. False after more than `most` visits.
bool settle(const CsrMatrix<double>& graph, std::uint64_t most, double* lengths, unsigned char* waiting) {
    std::uint64_t looks = 0;
    bool found = true;
    for (bool up = true; found && looks <= most; up = !up) {
        found = false;
        for (Index step = 0; step < graph.rows; ++step) {
            const Index i = up ? step : graph.rows - 1 - step;
            if (waiting[i] == 0) {
                continue;
            }
            waiting[i] = 0;
            ++looks;
            if (look(graph, i, lengths)) {
                found = true;
                for (Offset k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
                    waiting[graph.indices[k]] = 1;
                }
            }
        }
    }
    return !found;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(settle);

PathSearch::PathSearch(const CsrMatrix<double>& graph, std::uint64_t looks)
    : graph_(graph), looks_(looks), lines_(graph.rows), waiting_(graph.rows) {}

std::uint64_t PathSearch::bytes(Index points) {
    return std::uint64_t{points} * (sizeof(Line) + 1);
}

std::span<const double> PathSearch::run(std::span<const Index> sources) {
    for (Line& line : lines_) {
        line.lengths.fill(std::numeric_limits<double>::infinity());
    }
    std::fill(waiting_.begin(), waiting_.end(), static_cast<unsigned char>(0));
    for (std::size_t s = 0; s < sources.size(); ++s) {
        lines_[sources[s]].lengths[s] = 0.0;
        for (const Index j : graph_.row_indices(sources[s])) {
            waiting_[j] = 1;
        }
    }
    double* lengths = lines_.front().lengths.data();
    if (!HWY_DYNAMIC_DISPATCH(settle)(graph_, looks_ * graph_.rows, lengths, waiting_.data())) {
        for (std::size_t s = 0; s < sources.size(); ++s) {
            const std::vector<double> column = dijkstra(graph_, sources[s]);
            for (std::size_t i = 0; i < column.size(); ++i) {
                lines_[i].lengths[s] = column[i];
            }
        }
    }
    return {lengths, lines_.size() * sources_in_path_block};
}

}  // namespace isogon
#endif
