#include "forces/orthtree.hpp"

#include <algorithm>
#include <limits>

namespace isogon {

namespace {

constexpr int levels = 20;  // of halving: three numbers of so many bits fit into 64
constexpr double cells = 1U << levels;
using Place = std::array<double, Orthtree::most_numbers>;

/// The number of the cell along one side, of cells that halving the side so often makes.
std::uint64_t cell_of(double value, double low, double width) {
    const double cell = width > 0.0 ? (value - low) / width * cells : 0.0;
    return static_cast<std::uint64_t>(std::clamp(cell, 0.0, cells - 1.0));
}

/// The bits of the numbers in turn, highest first: what lies in one box has the same first bits.
std::uint64_t interleaved(const std::array<std::uint64_t, Orthtree::most_numbers>& numbers, Index count) {
    std::uint64_t code = 0;
    for (int bit = levels - 1; bit >= 0; --bit) {
        for (Index c = 0; c < count; ++c) {
            code = (code << 1U) | ((numbers[c] >> static_cast<unsigned>(bit)) & 1U);
        }
    }
    return code;
}

}  // namespace

/// The smallest box around some points, and the sum of these.
struct Orthtree::Extent {
    Place low{};
    Place high{};
    Place sum{};

    Extent() {
        low.fill(std::numeric_limits<double>::infinity());
        high.fill(-std::numeric_limits<double>::infinity());
    }

    void add(const Extent& other) {
        for (std::size_t c = 0; c < most_numbers; ++c) {
            low[c] = std::min(low[c], other.low[c]);
            high[c] = std::max(high[c], other.high[c]);
            sum[c] += other.sum[c];
        }
    }

    [[nodiscard]] double width() const {
        double widest = 0.0;
        for (std::size_t c = 0; c < most_numbers; ++c) {
            widest = std::max(widest, high[c] - low[c]);
        }
        return widest;
    }
};

struct Orthtree::Coded {
    std::uint64_t code = 0;
    Index point = 0;
};

Orthtree::Orthtree(const WideVectors& y) : numbers_(y.columns) {
    sort_points(y);
    boxes_.reserve(y.rows / 2 + 1);
    add_box({0, y.rows}, 0);
}

void Orthtree::sort_points(const WideVectors& y) {
    places_.assign(y.rows, Place{});
    for (std::size_t i = 0; i < y.rows; ++i) {
        std::copy_n(y.row(i), numbers_, places_[i].begin());
    }
    const Extent all = extent_of({0, y.rows});
    const double width = all.width();
    std::vector<Coded> coded(y.rows);
    for (Index i = 0; i < y.rows; ++i) {
        std::array<std::uint64_t, most_numbers> numbers{};
        for (Index c = 0; c < numbers_; ++c) {
            numbers[c] = cell_of(places_[i][c], all.low[c], width);
        }
        coded[i] = {interleaved(numbers, numbers_), i};
    }
    std::sort(coded.begin(), coded.end(),
              [](const Coded& a, const Coded& b) { return a.code != b.code ? a.code < b.code : a.point < b.point; });
    codes_.resize(y.rows);
    order_.resize(y.rows);
    for (std::size_t place = 0; place < y.rows; ++place) {
        codes_[place] = coded[place].code;
        order_[place] = coded[place].point;
        std::copy_n(y.row(coded[place].point), numbers_, places_[place].begin());
    }
}

Orthtree::Extent Orthtree::extent_of(Range points) const {
    Extent extent;
    for (std::size_t place = points.begin; place < points.end; ++place) {
        Extent one;
        one.low = one.high = one.sum = places_[place];
        extent.add(one);
    }
    return extent;
}

/// Where the points end that lie in the same part as the first, when a box of this level is halved.
std::size_t Orthtree::end_of_part(Range points, int level) const {
    const auto shift = static_cast<unsigned>(levels - 1 - level) * numbers_;
    const std::uint64_t part = codes_[points.begin] >> shift;
    const auto begin = codes_.begin() + static_cast<std::ptrdiff_t>(points.begin);
    const auto end = codes_.begin() + static_cast<std::ptrdiff_t>(points.end);
    return points.begin +
           static_cast<std::size_t>(std::partition_point(begin, end, [=](auto code) { return code >> shift == part; }) -
                                    begin);
}

Orthtree::Extent Orthtree::add_box(Range points, int level) {
    while (level < levels && end_of_part(points, level) == points.end) {
        ++level;
    }
    const std::size_t box = boxes_.size();
    boxes_.push_back({{}, 0.0, static_cast<Index>(points.begin), static_cast<Index>(points.end), 0});
    Extent extent;
    if (level == levels || points.size() <= points_of_leaf) {
        extent = extent_of(points);
    } else {
        for (std::size_t begin = points.begin; begin < points.end;) {
            const std::size_t end = end_of_part({begin, points.end}, level);
            extent.add(add_box({begin, end}, level + 1));
            begin = end;
        }
    }
    const double width = extent.width();
    boxes_[box].squared_width = width * width;
    for (std::size_t c = 0; c < most_numbers; ++c) {
        boxes_[box].mean[c] = extent.sum[c] / static_cast<double>(points.size());
    }
    boxes_[box].next = static_cast<Index>(boxes_.size());
    return extent;
}

std::uint64_t Orthtree::bytes(Index points) {
    // At worst every box below has one point, and so there are twice as many boxes as points.
    return std::uint64_t{points} *
           (sizeof(Coded) + sizeof(std::uint64_t) + sizeof(Index) + sizeof(Place) + 2 * sizeof(Box));
}

}  // namespace isogon
