#pragma once
#include <cstddef>

namespace isogon {

/// Width of a panel: the number of points (or columns) whose components lie side by side. 48 is the largest width that
/// fills 8 x 3 AVX-512 accumulators, and 6 x 2 of AVX2 and SSE, without a remainder.
inline constexpr std::size_t panel_width = 48;

/// 48 vectors side by side: component k of vector i is data[k * stride + i]. 64-byte aligned, stride a multiple of
/// 64 bytes.
template <class T>
struct PanelView {
    const T* data = nullptr;
    std::size_t stride = panel_width;
};

/// values[i * stride + j] = sum over k < depth of left_k,i right_k,j for i, j in [0, 48): the innermost loop of every
/// dense product here. `values` is 64-byte aligned, its stride a multiple of 16. float32, summed over k in order in
/// chunks of 128. The instruction set is the best of the machine, chosen at run time: results differ in rounding
/// between kinds of machines, not between runs.
void multiply_panels(PanelView<float> left, PanelView<float> right, std::size_t depth, float* values,
                     std::size_t stride);

/// The same in float64, at half the speed, in chunks of 64; `add`: += that.
void multiply_panels(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                     std::size_t stride, bool add);

/// Name of the instruction set in use: "AVX3", "AVX2", ...
[[nodiscard]] const char* instruction_set_name();

}  // namespace isogon
