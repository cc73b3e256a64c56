#include "verlet/panel_boxes.hpp"

#include <algorithm>
#include <array>

#include "pairs/tile_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verlet/panel_boxes.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Bit b: whether box b of the eight columns is within reach of the row's. Not "less or equal": NaN is within.
std::uint64_t boxes_within_reach(const PanelBoxes::Row& row, const PanelBoxes::Columns& columns) {
    const hn::CappedTag<float, PanelBoxes::columns_at_once> tag;
    const auto rounding_up = hn::Set(tag, 1.0F + 1e-4F);  // more than that of a pair's squared distance
    std::uint64_t within = 0;
    for (std::size_t b = 0; b < PanelBoxes::columns_at_once; b += hn::Lanes(tag)) {
        auto squares = hn::Zero(tag);
        for (std::size_t k = 0; k < row.coordinates; ++k) {
            const float* const lows = columns.boxes + 2 * k * columns.stride + b;
            const auto above = hn::Sub(hn::LoadU(tag, lows), hn::Set(tag, row.highs[k]));
            const auto below = hn::Sub(hn::Set(tag, row.lows[k]), hn::LoadU(tag, lows + columns.stride));
            const auto gap = hn::Max(hn::Zero(tag), hn::Max(above, below));
            squares = hn::Add(squares, hn::Mul(gap, gap));
        }
        const auto radius = hn::Max(hn::Set(tag, row.radius), hn::LoadU(tag, columns.radii + b));
        const auto skins = hn::Add(hn::Set(tag, row.skin), hn::LoadU(tag, columns.skins + b));
        const auto reach = hn::Mul(rounding_up, hn::Add(radius, skins));
        std::uint8_t bits[8] = {};  // NOLINT(*-avoid-c-arrays): as Highway takes it
        hn::StoreMaskBits(tag, hn::Not(hn::Gt(squares, hn::Mul(reach, reach))), bits);
        within |= std::uint64_t{bits[0]} << b;
    }
    return within;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(boxes_within_reach);

PanelBoxes::PanelBoxes(const MultiVector<float>& positions, const std::vector<float>& radii,
                       const std::vector<float>& skins, const RunContext& context)
    : coordinates_(std::min(most_coordinates, positions.columns())),
      values_(2 * coordinates_, static_cast<Index>(block_count(positions.rows(), tile_width)) + columns_at_once),
      radii_(values_.columns()),
      skins_(values_.columns()) {
    constexpr std::size_t panels_at_once = 64;
    parallel_blocks(context, values_.columns() - columns_at_once, panels_at_once, [&](Range panels) {
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            const std::size_t begin = p * tile_width;
            const std::size_t end = std::min<std::size_t>(begin + tile_width, positions.rows());
            std::array<float, most_coordinates> low{};
            std::array<float, most_coordinates> high{};
            std::copy_n(positions.row(static_cast<Index>(begin)), coordinates_, low.begin());
            high = low;
            for (std::size_t i = begin; i < end; ++i) {
                const float* const row = positions.row(static_cast<Index>(i));
                for (Index k = 0; k < coordinates_; ++k) {
                    low[k] = std::min(low[k], row[k]);
                    high[k] = std::max(high[k], row[k]);
                }
                radii_[p] = std::max(radii_[p], radii[i]);
                skins_[p] = std::max(skins_[p], skins[i]);
            }
            for (Index k = 0; k < coordinates_; ++k) {
                values_.row(2 * k)[p] = low[k];
                values_.row(2 * k + 1)[p] = high[k];
            }
        }
    });
}

std::uint64_t PanelBoxes::within_reach(const PanelBoxes& rows, Index row, Index first, Index count) const {
    Row own{.coordinates = coordinates_, .radius = rows.radii_[row], .skin = rows.skins_[row]};
    for (Index k = 0; k < coordinates_; ++k) {
        own.lows[k] = rows.values_.row(2 * k)[row];
        own.highs[k] = rows.values_.row(2 * k + 1)[row];
    }
    std::uint64_t within = 0;
    for (Index b = 0; b < count; b += columns_at_once) {
        const Columns columns{values_.row(0) + first + b, values_.stride(), radii_.data() + first + b,
                              skins_.data() + first + b};
        within |= HWY_DYNAMIC_DISPATCH(boxes_within_reach)(own, columns) << b;
    }
    return count < 64 ? within & ((std::uint64_t{1} << count) - 1) : within;
}

}  // namespace isogon
#endif
