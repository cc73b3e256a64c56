#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// A tree of boxes over outputs of one to three numbers (Barnes and Hut, "A hierarchical O(N log N) force-calculation
/// algorithm", Nature 1986): the box around all is halved along each number, and so are its parts, down to boxes of few
/// points. Empty boxes, and boxes with all points in one part, are left out. The same tree for the same outputs,
/// whatever the number of threads. O(n log n).
class Orthtree {
public:
    static constexpr Index most_numbers = 3;
    static constexpr std::size_t points_of_leaf = 8;

    /// A box: its points are [begin, end) in the tree's order, and the boxes inside it follow it, up to `next`, the
    /// first that is not inside.
    struct Box {
        std::array<double, most_numbers> mean{};  ///< mean of its points
        double squared_width = 0.0;               ///< square of the longest side of the box that just holds its points
        Index begin = 0;
        Index end = 0;
        Index next = 0;
    };

    /// y has one to three columns, at least one row, and no NaN.
    explicit Orthtree(const MultiVector<double>& y);

    [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }
    /// The points in tree order, in which near points are near each other.
    [[nodiscard]] const std::vector<Index>& order() const { return order_; }
    /// The numbers of the point at a place of the order, and zeros up to three.
    [[nodiscard]] const std::array<double, most_numbers>& at(std::size_t place) const { return places_[place]; }
    [[nodiscard]] bool is_leaf(std::size_t box) const { return boxes_[box].next == box + 1; }

    [[nodiscard]] static std::uint64_t bytes(Index points);

private:
    struct Extent;
    struct Coded;
    void sort_points(const MultiVector<double>& y);
    Extent add_box(Range points, int level);
    [[nodiscard]] Extent extent_of(Range points) const;
    [[nodiscard]] std::size_t end_of_part(Range points, int level) const;

    Index numbers_;
    std::vector<std::uint64_t> codes_;
    std::vector<Index> order_;
    std::vector<std::array<double, most_numbers>> places_;
    std::vector<Box> boxes_;
};

}  // namespace isogon
