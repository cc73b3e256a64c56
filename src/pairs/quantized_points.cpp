#include "pairs/quantized_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/parallel.hpp"
#include "pairs/quantized_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/quantized_points.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Integers = hn::RebindToSigned<Floats>;
using Vector = hn::Vec<Floats>;

constexpr std::size_t rows_at_once = 4;
constexpr std::size_t vectors_at_once = 3;

/// Products of some rows with some columns.
HWY_INLINE void multiply(const QuantizedPoints::Panel& rows, std::size_t i, const QuantizedPoints::Panel& columns,
                         std::size_t j, Vector (&products)[rows_at_once][vectors_at_once]) {
    const Floats floats;
    const Integers integers;
    const std::size_t lanes = hn::Lanes(floats);
    for (auto& of_row : products) {
        for (Vector& product : of_row) {
            product = hn::Zero(floats);
        }
    }
    for (std::size_t g = 0; g < columns.groups; ++g) {
        const std::int8_t* column_group = columns.components + (g * tile_width + j) * quantized_group;
        const std::int8_t* row_group = rows.components + (g * tile_width + i) * quantized_group;
        hn::Vec<Integers> fours[vectors_at_once];
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            fours[v] =
                hn::LoadU(integers, reinterpret_cast<const std::int32_t*>(column_group + v * lanes * quantized_group));
        }
        for (std::size_t k = 0; k < quantized_group; ++k) {
            for (std::size_t v = 0; v < vectors_at_once; ++v) {
                // The lowest byte, with its sign; then the next one becomes the lowest.
                const Vector column = hn::ConvertTo(floats, hn::ShiftRight<24>(hn::ShiftLeft<24>(fours[v])));
                fours[v] = hn::ShiftRight<8>(fours[v]);
                for (std::size_t r = 0; r < rows_at_once; ++r) {
                    const Vector row = hn::Set(floats, static_cast<float>(row_group[r * quantized_group + k]));
                    products[r][v] = hn::MulAdd(row, column, products[r][v]);
                }
            }
        }
    }
}

/// Bit j and those after it of a row of places, of which none is set.
template <class Mask>
HWY_INLINE void store_bits(Mask mask, std::size_t j, std::uint64_t& row) {
    const Floats tag;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&row);
    if (hn::Lanes(tag) >= 8) {
        hn::StoreMaskBits(tag, mask, bytes + j / 8);
    } else {
        std::uint8_t few[8] = {};
        hn::StoreMaskBits(tag, mask, few);
        bytes[j / 8] = static_cast<std::uint8_t>(bytes[j / 8] | few[0] << j % 8);
    }
}

void mark_with_float_products(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                              const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                              TilePlaces& places) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    const float inverse = 1.0F / rows.step;
    const Vector of_step = hn::Set(tag, inverse);
    const Vector step = hn::Set(tag, columns.step);
    std::fill_n(places.rows, tile_width, std::uint64_t{0});
    for (std::size_t first = 0; first < tile_width; first += vectors_at_once * lanes) {
        for (std::size_t i = 0; i < tile_width; i += rows_at_once) {
            Vector products[rows_at_once][vectors_at_once];
            multiply(rows, i, columns, first, products);
            for (std::size_t r = 0; r < rows_at_once; ++r) {
                const Vector half_square = hn::Set(tag, inverse * of_rows.half_squares[i + r]);
                const Vector difference = hn::Set(tag, inverse * of_rows.differences[i + r]);
                for (std::size_t v = 0; v < vectors_at_once; ++v) {
                    const std::size_t j = first + v * lanes;
                    const Vector by_row = hn::MulAdd(hn::LoadU(tag, of_columns.half_squares + j), of_step, difference);
                    const Vector by_column =
                        hn::MulAdd(hn::LoadU(tag, of_columns.differences + j), of_step, half_square);
                    const Vector product = hn::Mul(products[r][v], step);
                    // Not "greater": what overflowed to NaN is marked.
                    const auto is_far = hn::Le(product, hn::Min(by_row, by_column));
                    store_bits(hn::Not(is_far), j, places.rows[i + r]);
                }
            }
        }
    }
}

HWY_INLINE void write_bounds_of(const QuantizedPoints::Panel& panel, float slack_of_other, QuantizedBounds& bounds) {
    const Floats tag;
    const Vector half = hn::Set(tag, 0.5F);
    for (std::size_t i = 0; i < tile_width; i += hn::Lanes(tag)) {
        const Vector slack = hn::Add(hn::LoadU(tag, panel.errors + i), hn::LoadU(tag, panel.reach.skins + i));
        const Vector within =
            hn::Add(hn::Add(hn::LoadU(tag, panel.reach.radii + i), slack), hn::Set(tag, slack_of_other));
        const Vector bound = hn::Mul(hn::Set(tag, 1.0F + bounds_margin), within);
        const Vector half_square =
            hn::Mul(hn::Set(tag, 0.5F * (1.0F - bounds_margin)), hn::LoadU(tag, panel.squares + i));
        hn::StoreU(half_square, tag, bounds.half_squares + i);
        hn::StoreU(hn::NegMulAdd(hn::Mul(half, bound), bound, half_square), tag, bounds.differences + i);
    }
}

HWY_INLINE float largest_slack(const QuantizedPoints::Panel& panel) {
    const Floats tag;
    Vector most = hn::Zero(tag);
    for (std::size_t i = 0; i < tile_width; i += hn::Lanes(tag)) {
        most = hn::Max(most, hn::Add(hn::LoadU(tag, panel.errors + i), hn::LoadU(tag, panel.reach.skins + i)));
    }
    return hn::GetLane(hn::MaxOfLanes(tag, most));
}

void write_both_bounds(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                       QuantizedBounds& of_rows, QuantizedBounds& of_columns) {
    write_bounds_of(rows, largest_slack(columns), of_rows);
    write_bounds_of(columns, largest_slack(rows), of_columns);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(mark_with_float_products);
HWY_EXPORT(write_both_bounds);

namespace {

std::size_t padded_count(Index count) {
    return block_count(count, tile_width) * tile_width;
}

/// An even number, as a kernel takes two at a time, in equal parts of no more than another takes.
std::size_t groups_of(Index dimension) {
    const std::size_t groups = block_count(dimension, quantized_group);
    const std::size_t parts = std::max<std::size_t>(1, block_count(groups, most_groups_at_once));
    return 2 * parts * block_count(groups, 2 * parts);
}

ByteProducts of_this_machine() {
    static const ByteProducts products = byte_products();
    return products;
}

/// Whether the components of each point are kept in one piece, too, for AMX.
bool keeps_points() {
    return of_this_machine() == ByteProducts::Amx;
}

/// The leading groups that are multiplied first, an even number, as a kernel takes two at a time. Two fifths by
/// measurement, on which a search of digits hardly depends. With AMX all take no longer than to look at the products
/// twice.
std::size_t leading_of(std::size_t groups, MarksExpected expected) {
    constexpr std::size_t least_groups = 20;
    const bool pays = expected == MarksExpected::FewByLeading && groups >= least_groups && !keeps_points();
    return pays ? groups / 5 * 2 : groups;
}

}  // namespace

int QuantizedPoints::largest_component() {
    return of_this_machine() == ByteProducts::Avx2 ? largest_of_seven_bits : 127;
}

QuantizedPoints::QuantizedPoints(Index count, Index dimension, MarksExpected expected, int largest)
    : count_(count),
      dimension_(dimension),
      largest_(largest),
      few_marks_(expected != MarksExpected::Many),
      groups_(groups_of(dimension)),
      leading_groups_(leading_of(groups_, expected)),
      components_(padded_count(count) * groups_ * quantized_group),
      by_point_(keeps_points() ? components_.size() : 0),
      sums_(padded_count(count)),
      steps_(panels(), 1.0F),
      squares_(padded_count(count)),
      errors_(padded_count(count)),
      rests_(leading_groups_ < groups_ ? padded_count(count) : 0),
      rest_sums_(rests_.size()) {}

Index QuantizedPoints::panels() const {
    return static_cast<Index>(block_count(count_, tile_width));
}

std::int8_t* QuantizedPoints::group(Index i, std::size_t g) {
    return components_.data() + ((i / tile_width * groups_ + g) * tile_width + i % tile_width) * quantized_group;
}

void QuantizedPoints::set_panel(Index p, const float* rows, std::size_t stride) {
    constexpr float least_step = 1e-30F;
    const std::size_t first = std::size_t{p} * tile_width;
    const std::size_t points = std::min(tile_width, count_ - first);
    float most = 0.0F;
    for (std::size_t i = 0; i < points; ++i) {
        for (Index k = 0; k < dimension_; ++k) {
            most = std::max(most, std::abs(rows[i * stride + k]));
        }
    }
    steps_[p] = most > 0.0F ? std::max(most / static_cast<float>(largest_), least_step) : 1.0F;
    for (std::size_t i = 0; i < points; ++i) {
        set(static_cast<Index>(first + i), rows + i * stride);
    }
}

void QuantizedPoints::set(Index i, const float* components) {
    const auto largest = static_cast<float>(largest_);
    constexpr double upwards = 1.0 + 1e-6;
    const float step = steps_[i / tile_width];
    std::int8_t* in_point = by_point_.size() == 0 ? nullptr : by_point_.data() + i * groups_ * quantized_group;
    std::int32_t sum = 0;
    std::int64_t squares = 0;
    std::int32_t rest_sum = 0;
    std::int64_t rest_squares = 0;
    double error = 0.0;
    for (Index k = 0; k < dimension_; ++k) {
        const float steps = std::clamp(components[k] / step, -largest, largest);
        const auto q = static_cast<std::int8_t>(std::lrint(steps));
        group(i, k / quantized_group)[k % quantized_group] = q;
        if (in_point != nullptr) {
            in_point[k] = q;
        }
        sum += q;
        squares += std::int64_t{q} * q;
        if (k >= leading_groups_ * quantized_group) {
            rest_sum += q;
            rest_squares += std::int64_t{q} * q;
        }
        const double difference = double{components[k]} - double{step} * q;
        error += difference * difference;
    }
    sums_[i] = sum;
    squares_[i] = static_cast<float>(double{step} * step * static_cast<double>(squares));
    errors_[i] = static_cast<float>(upwards * std::sqrt(error));
    if (!rests_.empty()) {
        rests_[i] = static_cast<float>(upwards * std::sqrt(static_cast<double>(rest_squares)));
        rest_sums_[i] = rest_sum;
    }
}

QuantizedPoints::Panel QuantizedPoints::panel(Index p, const PanelReach& reach) const {
    const std::size_t first = std::size_t{p} * tile_width;
    return {.components = components_.data() + first * groups_ * quantized_group,
            .by_point = by_point_.size() == 0 ? nullptr : by_point_.data() + first * groups_ * quantized_group,
            .groups = groups_,
            .few_marks = few_marks_,
            .sums = sums_.data() + first,
            .step = steps_[p],
            .squares = squares_.data() + first,
            .errors = errors_.data() + first,
            .leading_groups = leading_groups_,
            .rests = rests_.empty() ? nullptr : rests_.data() + first,
            .rest_sums = rests_.empty() ? nullptr : rest_sums_.data() + first,
            .reach = reach};
}

std::uint64_t QuantizedPoints::bytes(Index count, Index dimension, MarksExpected expected) {
    const std::uint64_t numbers = (expected == MarksExpected::FewByLeading ? 5 : 3) * sizeof(float);
    const std::uint64_t copies = keeps_points() ? 2 : 1;
    return padded_count(count) * (copies * groups_of(dimension) * quantized_group + numbers + 1);
}

void write_bounds(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns, QuantizedBounds& of_rows,
                  QuantizedBounds& of_columns) {
    HWY_DYNAMIC_DISPATCH(write_both_bounds)(rows, columns, of_rows, of_columns);
}

void mark_with_float_products(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                              TilePlaces& places) {
    QuantizedBounds of_rows;     // NOLINT(*-member-init): written here
    QuantizedBounds of_columns;  // NOLINT(*-member-init): likewise
    write_bounds(rows, columns, of_rows, of_columns);
    HWY_DYNAMIC_DISPATCH(mark_with_float_products)(rows, of_rows, columns, of_columns, places);
}

/// With AVX2 a product takes a third; bounds of seven bits are wider and leave more pairs to compare.
double QuantizedPoints::cost_of_product() {
    switch (of_this_machine()) {
        case ByteProducts::Amx: return 0.05;
        case ByteProducts::Vnni: return 0.25;
        case ByteProducts::Avx2: return 0.5;
        case ByteProducts::None: break;
    }
    return 1.0;
}

bool mark_within_reach(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns, TilePlaces& places) {
    switch (of_this_machine()) {
        case ByteProducts::Amx: mark_with_amx(rows, columns, places); break;
        case ByteProducts::Vnni: mark_with_vnni(rows, columns, places); break;
        case ByteProducts::Avx2: mark_with_avx2(rows, columns, places); break;
        case ByteProducts::None: mark_with_float_products(rows, columns, places); break;
    }
    return std::accumulate(std::begin(places.rows), std::end(places.rows), std::uint64_t{0}, std::bit_or()) != 0;
}

}  // namespace isogon
#endif
