#include "verlet/panel_boxes.hpp"

#include <algorithm>
#include <bit>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verlet/panel_boxes.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float rounding_up = 1.0F + 1e-4F;  // more than that of a pair's squared distance

/// A bit for each lane: whether these squares are within these reaches. Not "less or equal": NaN is within.
template <class Tag, class Vector>
HWY_INLINE std::uint64_t bits_within(Tag tag, Vector squares, Vector radius, Vector skins) {
    static_assert(hn::MaxLanes(Tag()) <= 16);
    const Vector reach = hn::Mul(hn::Set(tag, rounding_up), hn::Add(radius, skins));
    std::uint8_t bits[8] = {};  // NOLINT(*-avoid-c-arrays): as Highway takes it
    hn::StoreMaskBits(tag, hn::Not(hn::Gt(squares, hn::Mul(reach, reach))), bits);
    return std::uint64_t{bits[0]} | std::uint64_t{bits[1]} << 8;
}

/// How far intervals from `low` to `high` are apart, squared, added to what others are.
template <class Tag, class Vector>
HWY_INLINE Vector add_gap(Tag tag, Vector squares, Vector above, Vector below) {
    const Vector gap = hn::Max(hn::Zero(tag), hn::Max(above, below));
    return hn::Add(squares, hn::Mul(gap, gap));
}

/// Bit b: whether box b of the eight columns is within reach of the row's.
std::uint64_t boxes_within_reach(const PanelBoxes::Box& row, const PanelBoxes::Columns& columns) {
    const hn::CappedTag<float, PanelBoxes::columns_at_once> tag;
    std::uint64_t within = 0;
    for (std::size_t b = 0; b < PanelBoxes::columns_at_once; b += hn::Lanes(tag)) {
        auto squares = hn::Zero(tag);
        for (std::size_t k = 0; k < row.coordinates; ++k) {
            const float* const lows = columns.boxes + 2 * k * columns.stride + b;
            squares = add_gap(tag, squares, hn::Sub(hn::LoadU(tag, lows), hn::Set(tag, row.highs[k])),
                              hn::Sub(hn::Set(tag, row.lows[k]), hn::LoadU(tag, lows + columns.stride)));
        }
        within |= bits_within(tag, squares, hn::Max(hn::Set(tag, row.radius), hn::LoadU(tag, columns.radii + b)),
                              hn::Add(hn::Set(tag, row.skin), hn::LoadU(tag, columns.skins + b)))
                  << b;
    }
    return within;
}

/// Bit i: whether point i of the rows is within reach of the box.
HWY_INLINE std::uint64_t points_within_reach(const PanelBoxes::Points& rows, const PanelBoxes::Box& box) {
    const hn::CappedTag<float, 16> tag;
    std::uint64_t within = 0;
    for (std::size_t i = 0; i < tile_width; i += hn::Lanes(tag)) {
        auto squares = hn::Zero(tag);
        for (std::size_t k = 0; k < box.coordinates; ++k) {
            const auto x = hn::LoadU(tag, rows.coordinates + k * tile_width + i);
            squares =
                add_gap(tag, squares, hn::Sub(hn::Set(tag, box.lows[k]), x), hn::Sub(x, hn::Set(tag, box.highs[k])));
        }
        within |= bits_within(tag, squares, hn::Max(hn::LoadU(tag, rows.radii + i), hn::Set(tag, box.radius)),
                              hn::Add(hn::LoadU(tag, rows.skins + i), hn::Set(tag, box.skin)))
                  << i;
    }
    return within;
}

/// Bit j: whether point j of the columns is within reach of point i of the rows.
HWY_INLINE std::uint64_t points_within_reach(const PanelBoxes::Points& rows, std::size_t i,
                                             const PanelBoxes::Points& columns, std::size_t dimension) {
    const hn::CappedTag<float, 16> tag;
    std::uint64_t within = 0;
    for (std::size_t j = 0; j < tile_width; j += hn::Lanes(tag)) {
        auto squares = hn::Zero(tag);
        for (std::size_t k = 0; k < dimension * tile_width; k += tile_width) {
            const auto difference =
                hn::Sub(hn::LoadU(tag, columns.coordinates + k + j), hn::Set(tag, rows.coordinates[k + i]));
            squares = hn::Add(squares, hn::Mul(difference, difference));
        }
        within |= bits_within(tag, squares, hn::Max(hn::Set(tag, rows.radii[i]), hn::LoadU(tag, columns.radii + j)),
                              hn::Add(hn::Set(tag, rows.skins[i]), hn::LoadU(tag, columns.skins + j)))
                  << j;
    }
    return within;
}

PanelBoxes::Marked mark_points(const PanelBoxes::Points& rows, const PanelBoxes::Points& columns,
                               const PanelBoxes::Box& box, std::size_t dimension, TilePlaces& places) {
    const std::uint64_t near_box = points_within_reach(rows, box);
    std::uint64_t any = 0;
    std::fill_n(places.rows, tile_width, std::uint64_t{0});
    for (std::uint64_t rest = near_box; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        places.rows[i] = points_within_reach(rows, i, columns, dimension);
        any |= places.rows[i];
    }
    return {static_cast<std::size_t>(std::popcount(near_box)), any != 0};
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

namespace {

/// The box around some boxes.
PanelBoxes::Box around(std::span<const PanelBoxes::Box> boxes) {
    PanelBoxes::Box all = boxes.front();
    for (const PanelBoxes::Box& box : boxes) {
        for (std::size_t k = 0; k < box.coordinates; ++k) {
            all.lows[k] = std::min(all.lows[k], box.lows[k]);
            all.highs[k] = std::max(all.highs[k], box.highs[k]);
        }
        all.radius = std::max(all.radius, box.radius);
        all.skin = std::max(all.skin, box.skin);
    }
    return all;
}

}  // namespace

HWY_EXPORT(boxes_within_reach);
HWY_EXPORT(mark_points);

PanelBoxes::PanelBoxes(const MultiVector<float>& positions, const std::vector<float>& radii,
                       const std::vector<float>& skins, const RunContext& context)
    : dimension_(positions.columns()),
      coordinates_(std::min(most_coordinates, positions.columns())),
      boxes_(block_count(positions.rows(), tile_width)),
      values_(2 * coordinates_, static_cast<Index>(block_count(positions.rows(), tile_width)) + columns_at_once),
      radii_(values_.columns()),
      skins_(values_.columns()),
      by_coordinate_(dimension_ <= most_coordinates ? radii.size() * dimension_ : 0),
      radii_of_points_(radii.data()),
      skins_of_points_(skins.data()) {
    constexpr std::size_t panels_at_once = 64;
    parallel_blocks(context, values_.columns() - columns_at_once, panels_at_once, [&](Range panels) {
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            const std::size_t begin = p * tile_width;
            const std::size_t end = std::min<std::size_t>(begin + tile_width, positions.rows());
            Box& box = boxes_[p];
            box.coordinates = coordinates_;
            std::copy_n(positions.row(static_cast<Index>(begin)), coordinates_, box.lows);
            std::copy_n(box.lows, coordinates_, box.highs);
            for (std::size_t i = begin; i < end; ++i) {
                const float* const row = positions.row(static_cast<Index>(i));
                for (Index k = 0; k < coordinates_; ++k) {
                    box.lows[k] = std::min(box.lows[k], row[k]);
                    box.highs[k] = std::max(box.highs[k], row[k]);
                }
                box.radius = std::max(box.radius, radii[i]);
                box.skin = std::max(box.skin, skins[i]);
            }
            for (Index k = 0; k < coordinates_; ++k) {
                values_.row(2 * k)[p] = box.lows[k];
                values_.row(2 * k + 1)[p] = box.highs[k];
            }
            radii_[p] = box.radius;
            skins_[p] = box.skin;
            for (std::size_t i = begin; compare_points() && i < end; ++i) {
                for (Index k = 0; k < dimension_; ++k) {
                    by_coordinate_.data()[(p * dimension_ + k) * tile_width + (i - begin)] =
                        positions.row(static_cast<Index>(i))[k];
                }
            }
        }
    });
    const RowBlocks blocks = pair_blocks(positions.rows());
    const std::size_t in_block = blocks.rows / tile_width;
    for (std::size_t b = 0; b < blocks.blocks; ++b) {
        const Range panels = block_range(b, boxes_.size(), in_block);
        blocks_.push_back(around(std::span(boxes_).subspan(panels.begin, panels.size())));
    }
}

bool PanelBoxes::blocks_within_reach(std::size_t a, std::size_t b) const {
    const Box& one = blocks_[a];
    const Box& other = blocks_[b];
    float squares = 0.0F;
    for (std::size_t k = 0; k < coordinates_; ++k) {
        const float gap = std::max({0.0F, one.lows[k] - other.highs[k], other.lows[k] - one.highs[k]});
        squares += gap * gap;
    }
    const float reach = (1.0F + 1e-4F) * (std::max(one.radius, other.radius) + one.skin + other.skin);
    return !(squares > reach * reach);
}

PanelBoxes::Points PanelBoxes::points(Index panel) const {
    const std::size_t first = std::size_t{panel} * tile_width;
    return {by_coordinate_.data() + first * dimension_, radii_of_points_ + first, skins_of_points_ + first};
}

PanelBoxes::Marked PanelBoxes::mark_within_reach(const PanelBoxes& rows, Index row, Index column,
                                                 TilePlaces& places) const {
    return HWY_DYNAMIC_DISPATCH(mark_points)(rows.points(row), points(column), boxes_[column], dimension_, places);
}

std::uint64_t PanelBoxes::within_reach(const PanelBoxes& rows, Index row, Index first, Index count) const {
    const Box& own = rows.boxes_[row];
    std::uint64_t within = 0;
    for (Index b = 0; b < count; b += columns_at_once) {
        const Columns columns{values_.row(0) + first + b, values_.stride(), radii_.data() + first + b,
                              skins_.data() + first + b};
        within |= HWY_DYNAMIC_DISPATCH(boxes_within_reach)(own, columns) << b;
    }
    return count < 64 ? within & ((std::uint64_t{1} << count) - 1) : within;
}

std::uint64_t PanelBoxes::bytes(Index count, Index dimension) {
    const std::uint64_t panels = block_count(count, tile_width);
    return panels * (sizeof(Box) + 2 * (std::min(most_coordinates, dimension) + 1) * sizeof(float)) +
           (dimension <= most_coordinates ? panels * tile_width * dimension * sizeof(float) : 0);
}

void unmark_non_pairs(const PanelPair& pair, const PairedPoints& points, TilePlaces& places) {
    const std::size_t rows = std::min<std::size_t>(tile_width, points.rows - pair.rows * tile_width);
    const std::size_t columns = std::min<std::size_t>(tile_width, points.columns - pair.columns * tile_width);
    const bool diagonal = points.same && pair.rows == pair.columns;
    if (!diagonal && rows == tile_width && columns == tile_width) {
        return;
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        const std::uint64_t within = i < rows ? (std::uint64_t{1} << columns) - 1 : 0;
        const std::uint64_t after = diagonal ? ~((std::uint64_t{2} << i) - 1) : ~std::uint64_t{0};
        places.rows[i] &= within & after;
    }
}

}  // namespace isogon
#endif
