#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

// Points in panels of 48, and the product of two panels: the innermost loop of all passes over pairs of points.
namespace isogon {

/// Width of a panel: the number of points (or columns) whose components lie side by side. 48 is the largest width that
/// fills 8 x 3 AVX-512 accumulators, and 6 x 2 of AVX2 and NEON, without a remainder.
inline constexpr std::size_t panel_width = 48;

/// 48 x 48 numbers: what two panels make, and the blocks of Cholesky factors.
inline constexpr std::size_t panel_tile_size = panel_width * panel_width;
template <class T>
using PanelTile = std::array<T, panel_tile_size>;

/// result := the transpose of a tile.
template <class T>
void transpose_tile(const T* tile, T* result) {
    for (std::size_t i = 0; i < panel_width; ++i) {
        for (std::size_t j = 0; j < panel_width; ++j) {
            result[i * panel_width + j] = tile[j * panel_width + i];
        }
    }
}

/// 48 vectors side by side: component k of vector i is data[k * stride + i]. 64-byte aligned, stride a multiple of
/// 64 bytes.
template <class T>
struct PanelView {
    const T* data = nullptr;
    std::size_t stride = panel_width;
};

/// values[i * stride + j] = sum over k < depth of left_k,i right_k,j for i, j in [0, 48): the innermost loop of every
/// dense product here. `values` is 64-byte aligned, its stride a multiple of 16. float32, summed over k in order in
/// chunks of 128, by fused multiply-adds. The instruction set is the best of the machine, chosen at run time; all give
/// the same bits (docs/reproducible.md).
void multiply_panels(PanelView<float> left, PanelView<float> right, std::size_t depth, float* values,
                     std::size_t stride);

/// The same in float64, at half the speed, in chunks of 64.
void multiply_panels(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                     std::size_t stride);
/// += these. From zeros on, the bits of multiply_panels().
void add_panel_products(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                        std::size_t stride);

/// Name of the instruction set in use: "AVX3", "AVX2", ...
[[nodiscard]] const char* instruction_set_name();

/// The instruction sets that this processor and this library have, best first; after use_instruction_set() that one
/// alone.
[[nodiscard]] std::vector<std::string> instruction_set_names();

/// Makes kernels use the instruction set of this name, for tests that results do not depend on it. Throws
/// InvalidArgument if this processor has none of that name. Not to be called while anything computes.
void use_instruction_set(const std::string& name);

/// Points in panels of 48, each panel stored component by component: the input of multiply_panels. Padding after the
/// last point is zero vectors, whose products are zero and so never above a threshold.
class PackedPoints {
public:
    PackedPoints() = default;
    PackedPoints(Index count, Index depth);

    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index depth() const { return depth_; }
    [[nodiscard]] Index panels() const { return panels_; }
    [[nodiscard]] PanelView<float> panel(Index p) const { return {values_ + p * panel_size(), panel_width}; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes(count_, depth_); }
    [[nodiscard]] static std::uint64_t bytes(Index count, Index depth);

    /// The whole memory: packed points of equal count and depth can be copied by it.
    [[nodiscard]] std::span<float> values() { return {values_, bytes() / sizeof(float)}; }
    [[nodiscard]] std::span<const float> values() const { return {values_, bytes() / sizeof(float)}; }

    /// Component `k` of point `i`.
    float& at(Index i, Index k) { return values_[i / panel_width * panel_size() + k * panel_width + i % panel_width]; }
    [[nodiscard]] float at(Index i, Index k) const { return const_cast<PackedPoints*>(this)->at(i, k); }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }  // NOLINT(*-no-malloc): from std::calloc
    };
    [[nodiscard]] std::size_t panel_size() const { return std::size_t{depth_} * panel_width; }

    std::unique_ptr<void, Free> memory_;
    float* values_ = nullptr;  ///< in there, 64-byte aligned
    Index count_ = 0;
    Index depth_ = 0;
    Index panels_ = 0;
};

/// Packs x_i scale_i, followed by one more component last_i for each point: with (scale, last) = (1, |x|) on the left
/// and (1, -tau |x|) on the right, the product of two packed points is x_i.x_j - tau |x_i||x_j|, and "above tau" is
/// "above 0". Empty spans mean scale 1 and no last component.
[[nodiscard]] PackedPoints pack(const PointsView& points, std::span<const float> scale, std::span<const float> last,
                                const RunContext& context);

/// Packs the directions x_i / |x_i| of the points that `chosen` lists, in its order; `lengths` are those of all points,
/// as norms() gives them. Divided in float64, so that lengths beyond the inverses of float32 do no harm. A zero vector
/// has no direction and stays zero: at right angles to all.
[[nodiscard]] PackedPoints pack_directions(const PointsView& points, std::span<const double> lengths,
                                           std::span<const Index> chosen, const RunContext& context);

/// A symmetric matrix of low rank as products of packed points, L_ij = left_i . right_j, for passes over all pairs.
struct PackedLowRank {
    PackedPoints left;
    PackedPoints right;
};

/// The same in float64: the rows of multivectors in panels of 48, component by component. The last panel is padded with
/// zeros.
class PackedRows {
public:
    PackedRows() = default;
    /// Concatenates the rows of `blocks`, each block multiplied by its coefficient.
    PackedRows(std::span<const MultiVector<double>* const> blocks, std::span<const double> coefficients,
               const RunContext& context);
    PackedRows(const MultiVector<double>& block, const RunContext& context);

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index depth() const { return depth_; }
    [[nodiscard]] Index panels() const { return static_cast<Index>((rows_ + panel_width - 1) / panel_width); }
    [[nodiscard]] PanelView<double> panel(Index p) const {
        return {values_.data() + std::size_t{p} * depth_ * panel_width, panel_width};
    }
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index depth) {
        return (std::uint64_t{rows} + panel_width) * depth * sizeof(double);
    }

private:
    Index rows_ = 0;
    Index depth_ = 0;
    AlignedArray<double> values_;
};

}  // namespace isogon
