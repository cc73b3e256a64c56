#include "isogon/linalg/wide_panels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/wide_panels.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

#include "linalg/panel_strip.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {

void multiply_wide_panels(WidePanelView left, WidePanelView right, std::size_t depth, double* values,
                          std::size_t stride, bool add) {
    multiply_strips<double>({left.data, left.stride}, {right.data, right.stride}, depth, values, stride, add);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cstdint>

#include "isogon/core/parallel.hpp"

namespace isogon {

HWY_EXPORT(multiply_wide_panels);

void multiply_panels(WidePanelView left, WidePanelView right, std::size_t depth, double* values, std::size_t stride,
                     bool add) {
    HWY_DYNAMIC_DISPATCH(multiply_wide_panels)(left, right, depth, values, stride, add);
}

double* AlignedDoubles::data() {
    constexpr std::uintptr_t alignment = 64;
    const auto address = reinterpret_cast<std::uintptr_t>(values_.data());  // NOLINT(*-reinterpret-cast): its remainder
    return values_.data() + (alignment - address % alignment) % alignment / sizeof(double);
}

WidePanels::WidePanels(std::span<const WideVectors* const> blocks, std::span<const double> coefficients,
                       const RunContext& context)
    : rows_(blocks.empty() ? 0 : blocks.front()->rows) {
    for (const WideVectors* block : blocks) {
        depth_ += block->columns;
    }
    values_ = AlignedDoubles(std::size_t{panels()} * panel_width * depth_);
    parallel_tasks(context, panels(), [&](std::size_t p) {
        double* out = values_.data() + p * depth_ * panel_width;
        const Range rows = block_range(p, rows_, panel_width);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const double* row = blocks[b]->row(i);
                for (Index k = 0; k < blocks[b]->columns; ++k) {
                    out[k * panel_width + i - rows.begin] = coefficients[b] * row[k];
                }
            }
            out += std::size_t{blocks[b]->columns} * panel_width;
        }
    });
}

WidePanels::WidePanels(const WideVectors& block, const RunContext& context)
    : WidePanels(std::vector<const WideVectors*>{&block}, std::vector<double>{1.0}, context) {}

}  // namespace isogon
#endif
