#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/panel_product.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// 48 vectors of float64 side by side, as PanelView has float32. 64-byte aligned, stride a multiple of 8.
struct WidePanelView {
    const double* data = nullptr;
    std::size_t stride = panel_width;
};

/// values[i * stride + j] = sum over k < depth of left_k,i right_k,j for i, j in [0, 48), or += that: multiply_panels
/// in float64, at half its speed.
void multiply_panels(WidePanelView left, WidePanelView right, std::size_t depth, double* values, std::size_t stride,
                     bool add);

/// A vector of doubles, aligned to 64 bytes.
class AlignedDoubles {
public:
    AlignedDoubles() = default;
    explicit AlignedDoubles(std::size_t count) : values_(count + 7) {}
    // A copy would have another offset within 64 bytes; moving keeps the address.
    AlignedDoubles(const AlignedDoubles&) = delete;
    AlignedDoubles& operator=(const AlignedDoubles&) = delete;
    AlignedDoubles(AlignedDoubles&&) = default;
    AlignedDoubles& operator=(AlignedDoubles&&) = default;
    ~AlignedDoubles() = default;
    [[nodiscard]] double* data();
    [[nodiscard]] const double* data() const { return const_cast<AlignedDoubles*>(this)->data(); }

private:
    std::vector<double> values_;
};

/// The rows of a block of vectors in panels of 48, component by component; the last panel is padded with zeros.
class WidePanels {
public:
    WidePanels() = default;
    /// Concatenates the rows of `blocks`, each block multiplied by its coefficient.
    WidePanels(std::span<const WideVectors* const> blocks, std::span<const double> coefficients,
               const RunContext& context);
    WidePanels(const WideVectors& block, const RunContext& context);

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index depth() const { return depth_; }
    [[nodiscard]] Index panels() const { return static_cast<Index>((rows_ + panel_width - 1) / panel_width); }
    [[nodiscard]] WidePanelView panel(Index p) const {
        return {values_.data() + std::size_t{p} * depth_ * panel_width, panel_width};
    }
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index depth) {
        return (std::uint64_t{rows} + panel_width) * depth * sizeof(double);
    }

private:
    Index rows_ = 0;
    Index depth_ = 0;
    AlignedDoubles values_;
};

}  // namespace isogon
