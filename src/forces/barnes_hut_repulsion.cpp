#include "isogon/forces/barnes_hut_repulsion.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "forces/orthtree.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t points_of_task = 256;
constexpr std::size_t points_between_checks = 0x1p16;  // a fraction of a second

using Place = std::array<double, Orthtree::most_numbers>;

/// What all others do to one point.
class Pushed {
public:
    explicit Pushed(const Place& own) : own_(own) {}

    /// The squared distance to a place.
    [[nodiscard]] double look_at(const Place& place) {
        double squared = 0.0;
        for (std::size_t c = 0; c < own_.size(); ++c) {
            apart_[c] = own_[c] - place[c];
            squared += apart_[c] * apart_[c];
        }
        return squared;
    }

    /// `count` points at the place that was looked at last.
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

/// The point at a place of the tree's order, pushed by all: through boxes where they are narrow, else point by point.
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

double push_places(const Orthtree& tree, Range places, double theta, WideVectors& pushes) {
    double total = 0.0;
    for (std::size_t place = places.begin; place < places.end; ++place) {
        const Pushed point = pushed_by_all(tree, place, theta);
        total += point.closeness() - 1.0;  // without the point itself
        std::copy_n(point.push().begin(), pushes.columns, pushes.row(tree.order()[place]));
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

double BarnesHutRepulsion::repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) {
    throw_if_cancelled(context);
    const Orthtree tree(y);
    double total = 0.0;
    for (std::size_t begin = 0; begin < y.rows; begin += points_between_checks) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(points_between_checks, y.rows - begin);
        total += parallel_sum(context, count, points_of_task, [&](Range places) {
            return push_places(tree, {begin + places.begin, begin + places.end}, theta_, pushes);
        });
    }
    return total;
}

std::uint64_t BarnesHutRepulsion::bytes(Index points) {
    return Orthtree::bytes(points);
}

}  // namespace isogon
