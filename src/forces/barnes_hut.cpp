#include "forces/barnes_hut.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/parallel.hpp"
#include "forces/repulsion.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr int levels = 20;  // halvings: three numbers of so many bits fit into 64
constexpr double cells = 1U << levels;
using Place = std::array<double, Orthtree::most_numbers>;

/// The index of the cell along one side, after `levels` halvings of the side.
std::uint64_t cell_of(double value, double low, double width) {
    const double cell = width > 0.0 ? (value - low) / width * cells : 0.0;
    return static_cast<std::uint64_t>(std::clamp(cell, 0.0, cells - 1.0));
}

/// Morton code: the bits of the coordinates interleaved, highest first, so points of one box share a prefix.
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

Orthtree::Orthtree(const MultiVector<double>& y) : numbers_(y.columns()) {
    sort_points(y);
    boxes_.reserve(y.rows() / 2 + 1);
    add_box({0, y.rows()}, 0);
}

void Orthtree::sort_points(const MultiVector<double>& y) {
    places_.assign(y.rows(), Place{});
    for (std::size_t i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(i), numbers_, places_[i].begin());
    }
    const Extent all = extent_of({0, y.rows()});
    const double width = all.width();
    std::vector<Coded> coded(y.rows());
    for (Index i = 0; i < y.rows(); ++i) {
        std::array<std::uint64_t, most_numbers> numbers{};
        for (Index c = 0; c < numbers_; ++c) {
            numbers[c] = cell_of(places_[i][c], all.low[c], width);
        }
        coded[i] = {interleaved(numbers, numbers_), i};
    }
    std::sort(coded.begin(), coded.end(),
              [](const Coded& a, const Coded& b) { return a.code != b.code ? a.code < b.code : a.point < b.point; });
    codes_.resize(y.rows());
    order_.resize(y.rows());
    for (std::size_t place = 0; place < y.rows(); ++place) {
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

/// The end of the points in the same child box as the first one, at this level.
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
    // At worst every leaf has one point: twice as many boxes as points.
    return std::uint64_t{points} *
           (sizeof(Coded) + sizeof(std::uint64_t) + sizeof(Index) + sizeof(Place) + 2 * sizeof(Box));
}

namespace {

constexpr std::size_t tree_points_of_task = 256;
constexpr std::size_t points_between_checks = 0x1p16;  // a fraction of a second

/// The sums of all other points' forces on one point.
class Pushed {
public:
    explicit Pushed(const Place& own) : own_(own) {}

    /// Sets the source position and returns its squared distance.
    [[nodiscard]] double look_at(const Place& place) {
        double squared = 0.0;
        for (std::size_t c = 0; c < own_.size(); ++c) {
            apart_[c] = own_[c] - place[c];
            squared += apart_[c] * apart_[c];
        }
        return squared;
    }

    /// Adds `count` points at the source position.
    void add(double squared, double count) {
        const double k = 1.0 / (1.0 + squared);
        closeness_ += count * k;
        const double force = count * k * k;
        for (std::size_t c = 0; c < own_.size(); ++c) {
            push_[c] += force * apart_[c];
        }
    }

    /// sum_j k_ij, with the point itself among j.
    [[nodiscard]] double closeness() const { return closeness_; }
    [[nodiscard]] const Place& push() const { return push_; }

private:
    Place own_;
    Place apart_{};
    Place push_{};
    double closeness_ = 0.0;
};

/// The repulsion of all points on the point at a place of the tree's order: by boxes where they are narrow, else point
/// by point.
Pushed pushed_by_all(const Orthtree& tree, std::size_t place, double theta) {
    Pushed point(tree.at(place));
    const auto& boxes = tree.boxes();
    for (std::size_t b = 0; b < boxes.size();) {
        const Orthtree::Box& box = boxes[b];
        const double squared = point.look_at(box.mean);
        const bool inside = place >= box.begin && place < box.end;
        if (box.squared_width == 0.0 || (!inside && box.squared_width < theta * theta * squared)) {
            point.add(squared, box.end - box.begin);
            b = box.next;
        } else if (tree.is_leaf(b)) {
            for (std::size_t other = box.begin; other < box.end; ++other) {
                point.add(point.look_at(tree.at(other)), 1.0);
            }
            b = box.next;
        } else {
            ++b;
        }
    }
    return point;
}

double push_places(const Orthtree& tree, Range places, double theta, MultiVector<double>& pushes) {
    double total = 0.0;
    for (std::size_t place = places.begin; place < places.end; ++place) {
        const Pushed point = pushed_by_all(tree, place, theta);
        total += point.closeness() - 1.0;  // without the point itself
        std::copy_n(point.push().begin(), pushes.columns(), pushes.row(tree.order()[place]));
    }
    return total;
}

}  // namespace

BarnesHutRepulsion::BarnesHutRepulsion(Index dimension, double theta) : theta_(theta) {
    if (dimension < 1 || dimension > Orthtree::most_numbers) {
        throw InvalidArgument("dimension", std::to_string(dimension), "must be 1, 2 or 3 for a tree of boxes");
    }
    if (!(theta >= 0.0 && theta <= 1.0)) {
        throw InvalidArgument("theta", to_text(OptionValue{theta}),
                              "must be at least 0, where no pair is left out, and at most 1");
    }
}

double BarnesHutRepulsion::repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) {
    throw_if_cancelled(context);
    const Orthtree tree(y);
    double total = 0.0;
    for (std::size_t begin = 0; begin < y.rows(); begin += points_between_checks) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(points_between_checks, y.rows() - begin);
        total += parallel_sum(context, count, tree_points_of_task, [&](Range places) {
            return push_places(tree, {begin + places.begin, begin + places.end}, theta_, pushes);
        });
    }
    return total;
}

std::uint64_t BarnesHutRepulsion::bytes(Index points) {
    return Orthtree::bytes(points);
}

}  // namespace isogon
