#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linalg/multi_vector.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

/// The number of marks expected (mark_within_reach), which decides about time only. Few: most rows of a panel have
/// none, so that with AVX-512 four rows are compared at once first, in whole numbers. FewByLeading: and components are
/// in the order of their size, so that the leading ones tell most pairs apart. Without a unit that multiplies matrices
/// (AMX) those of the others are multiplied where they do not: the product of these is at most that of their lengths.
enum class MarksExpected { Few, FewByLeading, Many };

/// Distances, not squared, within which no non-neighbours belong (radii), and how far each point may be from where it
/// was quantised (skins). Each array has 48 numbers.
struct PanelReach {
    const float* radii = nullptr;
    const float* skins = nullptr;
};

/// Points in integers of 8 bits (7 with AVX2), y_i ~ s q_i with one step s for each panel of 48, with what that may be
/// wrong by: pairs that are surely far from each other are told from the others in a quarter of the memory of float32,
/// and in less of its time: QuantizedPoints::cost_of_product(). Integer products are exact, so a bound needs no more
/// than the errors.
class QuantizedPoints {
public:
    QuantizedPoints() = default;
    QuantizedPoints(Index count, Index dimension, MarksExpected expected)
        : QuantizedPoints(count, dimension, expected, largest_component()) {}
    /// Components are at most `largest`, 127 or less, where another kernel is tried than that of this machine.
    QuantizedPoints(Index count, Index dimension, MarksExpected expected, int largest);

    /// Quantises panel p, rows `stride` numbers apart, in steps of its largest component.
    void set_panel(Index p, const float* rows, std::size_t stride);
    /// Quantises point i anew, in the steps of its panel. What is larger than these reach is cut, and the error larger.
    void set(Index i, const float* components);

    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index panels() const;
    /// At least |y_i - s q_i|.
    [[nodiscard]] float error(Index i) const { return errors_[i]; }
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, MarksExpected expected);
    /// The time of one product, in those of a dense product in float32 on this machine.
    [[nodiscard]] static double cost_of_product();

    /// 48 points for the kernel: components 4 by 4, those of a point side by side; the rest has 48 numbers.
    struct Panel {
        const std::int8_t* components;
        const std::int8_t* by_point;  ///< those of a point in one piece; null where no kernel reads them
        std::size_t groups;           ///< of four components
        bool few_marks;               ///< are expected
        const std::int32_t* sums;     ///< of the components
        float step;                   ///< s
        const float* squares;         ///< |s q_i|^2
        const float* errors;
        std::size_t leading_groups;     ///< that are multiplied first; all, or fewer
        const float* rests;             ///< where fewer: at least the length of q's other components
        const std::int32_t* rest_sums;  ///< and their sum
        PanelReach reach;
    };
    [[nodiscard]] Panel panel(Index p, const PanelReach& reach = {}) const;

private:
    /// The largest component that this machine's kernel can multiply: of eight bits, or seven.
    [[nodiscard]] static int largest_component();
    [[nodiscard]] std::int8_t* group(Index i, std::size_t g);

    Index count_ = 0;
    Index dimension_ = 0;
    int largest_ = 0;
    bool few_marks_ = false;
    std::size_t groups_ = 0;
    std::size_t leading_groups_ = 0;
    AlignedArray<std::int8_t> components_;
    AlignedArray<std::int8_t> by_point_;
    std::vector<std::int32_t> sums_;
    std::vector<float> steps_;  ///< of panels
    std::vector<float> squares_;
    std::vector<float> errors_;
    std::vector<float> rests_;
    std::vector<std::int32_t> rest_sums_;
};

/// Marks the places of all pairs that may have |y_i - y_j| < max(r_i, r_j) + s_i + s_j, of some that are further, and
/// of padding; false where there are none. The skins and errors of a panel are all taken to be its largest on the other
/// side.
bool mark_within_reach(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns, TilePlaces& places);

}  // namespace isogon
