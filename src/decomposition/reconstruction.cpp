#include "isogon/decomposition/reconstruction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

void require_there(std::span<const Index> list, Index count, const char* what) {
    const auto bad = std::find_if(list.begin(), list.end(), [&](Index i) { return i >= count; });
    if (bad != list.end()) {
        throw InvalidArgument(what, std::to_string(*bad),
                              "must be below " + std::to_string(count) + "; they are counted from 0");
    }
}

WideVectors picked(const WideVectors& block, std::span<const Index> rows) {
    WideVectors some(static_cast<Index>(rows.size()), block.columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(block.row(rows[i]), block.columns, some.row(i));
    }
    return some;
}

WidePanels panels_of(const ReluFactors& factors, std::span<const Index> columns, const RunContext& context) {
    require_there(columns, factors.right.rows, "columns");
    return columns.empty() ? WidePanels(factors.right, context) : WidePanels(picked(factors.right, columns), context);
}

}  // namespace

Reconstruction::Reconstruction(const ReluFactors& factors, std::span<const Index> columns, Reconstruct what,
                               const RunContext& context)
    : factors_(factors), context_(context), what_(what), right_(panels_of(factors, columns, context)) {}

void Reconstruction::rows(std::span<const Index> rows, std::span<double> out) const {
    require_there(rows, factors_.left.rows, "rows");
    const WidePanels left(picked(factors_.left, rows), context_);
    const double least = what_ == Reconstruct::Output ? 0.0 : -std::numeric_limits<double>::infinity();
    const std::size_t width = columns();
    std::vector<char> beyond(rows.size());
    parallel_blocks(context_, left.panels(), 1, [&](Range range) {
        AlignedDoubles tile(panel_width * panel_width);
        for (std::size_t p = range.begin; p < range.end; ++p) {
            const std::size_t height = std::min(panel_width, rows.size() - p * panel_width);
            for (Index q = 0; q < right_.panels(); ++q) {
                multiply_panels(left.panel(static_cast<Index>(p)), right_.panel(q), left.depth(), tile.data(),
                                panel_width, false);
                const std::size_t begin = q * panel_width;
                for (std::size_t i = 0; i < height; ++i) {
                    const double* from = tile.data() + i * panel_width;
                    const double* end = from + std::min(panel_width, width - begin);
                    if (!std::all_of(from, end, [](double value) { return std::isfinite(value); })) {
                        beyond[p * panel_width + i] = 1;
                    }
                    std::transform(from, end,
                                   out.begin() + static_cast<std::ptrdiff_t>((p * panel_width + i) * width + begin),
                                   [&](double value) { return std::max(least, value); });
                }
            }
        }
    });
    if (const auto bad = std::find(beyond.begin(), beyond.end(), 1); bad != beyond.end()) {
        throw InputError("W H", "row " + std::to_string(rows[static_cast<std::size_t>(bad - beyond.begin())]),
                         "is beyond the largest number of float64: no fit leaves such factors");
    }
}

}  // namespace isogon
