#pragma once
#include <array>
#include <cstddef>
#include <span>

namespace isogon {

/// a x: a row, each of whose numbers is multiplied by the factor.
struct ScaledRow {
    std::span<const float> numbers;
    float factor = 1.0F;
};

/// |a x - b y|^2, summed in float32 over lanes of the machine's vectors: symmetric in (x, a) and (y, b) bit for bit,
/// exactly 0 for equal products, and to about six digits relative to itself however small it is, which x.y cannot give.
[[nodiscard]] double squared_difference(const ScaledRow& x, const ScaledRow& y);

/// (a x).(b y), likewise.
[[nodiscard]] double scaled_product(const ScaledRow& x, const ScaledRow& y);

inline constexpr std::size_t differences_at_once = 4;

/// sums[r] = sum_k |x_k - rows[r][k]|, summed in float32 over lanes: symmetric bit for bit, and the same for a row
/// whichever others stand beside it. Exact for zeros and ones up to 2^24 of them a lane.
void absolute_differences(std::span<const float> x, const std::array<const float*, differences_at_once>& rows,
                          std::array<double, differences_at_once>& sums);

}  // namespace isogon
