#include "neighbors/tied_neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "neighbors/metric_space.hpp"

namespace isogon {

namespace {

/// Counts and their quotients (hamming, jaccard) are as exact as float64; sums of differences (manhattan) move by the
/// coordinates' rounding, as do the others, of which no more is known.
MeasuredPair measure_rows(std::span<const float> a, std::span<const float> b, Metric metric) {
    double squares = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        squares += double{a[k]} * double{a[k]} + double{b[k]} * double{b[k]};
    }
    const double distance = distance_between(a, b, metric);
    const bool counts = metric == Metric::Hamming || metric == Metric::Jaccard;
    return {.nearness = distance, .rounding = counts ? 0x1p-40 * distance : 0x1p-23 * std::sqrt(squares)};
}

}  // namespace

MeasuredPair measure_pair(std::span<const float> a, std::span<const float> b, Metric metric) {
    if (!is_of_products(metric)) {
        return measure_rows(a, b, metric);
    }
    const auto length = [&](std::span<const float> point) {
        double square = 0.0;
        for (const float value : point) {
            square += double{value} * double{value};
        }
        return metric == Metric::Cosine ? std::sqrt(square) : 1.0;
    };
    const double unit_a = length(a);
    const double unit_b = length(b);
    if (unit_a == 0.0 || unit_b == 0.0) {
        return {.nearness = 1.0};
    }
    double sum = 0.0;      // sum of squared differences, or products
    double spread = 0.0;   // squared change of the sum by a step of each coordinate
    double squares = 0.0;  // squares of coordinates that differ
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double u = double{a[k]} / unit_a;
        const double v = double{b[k]} / unit_b;
        const double both = u * u + v * v;
        sum += metric == Metric::InnerProduct ? u * v : (u - v) * (u - v);
        spread += metric == Metric::InnerProduct ? 2.0 * (u * v) * (u * v) : (u - v) * (u - v) * both;
        squares += u == v ? 0.0 : both;
    }
    constexpr double step = 0x1p-23;
    return {.nearness = metric == Metric::InnerProduct ? -sum : 0.5 * sum,
            .rounding = step * std::sqrt(spread) + step * step * squares};
}

// Goes from the most likely count outwards by the quotients of neighbouring probabilities, so that nothing overflows.
DrawnCounts::DrawnCounts(Index all, Index marked, Index drawn) {
    const double n = all;
    const double m = marked;
    const double d = drawn;
    least = marked + std::uint64_t{drawn} > all ? marked + drawn - all : 0;
    const Index most = std::min(marked, drawn);
    probabilities.resize(std::size_t{most - least} + 1);
    const auto likely = static_cast<Index>(
        std::clamp((d + 1.0) * (m + 1.0) / (n + 2.0), static_cast<double>(least), static_cast<double>(most)));
    const auto quotient = [&](double h) { return (m - h) * (d - h) / ((h + 1.0) * (n - m - d + h + 1.0)); };
    probabilities[likely - least] = 1.0;
    for (Index h = likely; h < most; ++h) {
        probabilities[h + 1 - least] = probabilities[h - least] * quotient(h);
    }
    for (Index h = likely; h > least; --h) {
        probabilities[h - 1 - least] = probabilities[h - least] / quotient(h - 1.0);
    }
    const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    for (double& probability : probabilities) {
        probability /= sum;
    }
}

double NeighborOverlap::kept(Index k) const {
    const Index places_x = k - inside_x;
    const Index drawn = k - inside_y;
    const double inside =
        inside_both + (inside_x_tied_y == 0 ? 0.0 : static_cast<double>(inside_x_tied_y) * drawn / tied_y);
    if (tied_x_inside_y + std::min(tied_both, drawn) <= places_x) {
        return inside + tied_x_inside_y + (tied_both == 0 ? 0.0 : static_cast<double>(tied_both) * drawn / tied_y);
    }
    const DrawnCounts counts(tied_y, tied_both, drawn);
    double tied = 0.0;
    for (std::size_t h = 0; h < counts.probabilities.size(); ++h) {
        const auto found = static_cast<Index>(tied_x_inside_y + counts.least + h);
        tied += counts.probabilities[h] * std::min(places_x, found);
    }
    return inside + tied;
}

double NeighborOverlap::all_kept(Index k) const {
    const Index drawn = k - inside_y;
    if (inside_both + inside_x_tied_y < inside_x || inside_both + tied_x_inside_y < inside_y ||
        inside_x_tied_y > drawn || drawn - inside_x_tied_y > tied_both) {
        return 0.0;
    }
    // All that are inside in x are drawn, and all others that are drawn tie in x.
    double probability = 1.0;
    for (Index i = 0; i < drawn; ++i) {
        probability *= (i < inside_x_tied_y ? static_cast<double>(drawn) - i
                                            : static_cast<double>(tied_both) - (i - inside_x_tied_y)) /
                       (static_cast<double>(tied_y) - i);
    }
    return probability;
}

void KeptCount::add(Index row, const NeighborOverlap& overlap, bool in_order) {
    const double common = overlap.kept(k_);
    common_ += common;
    all_ += overlap.all_kept(k_);
    in_order_ += in_order ? 1 : 0;
    kept_.rows.push_back(row);
    kept_.shares.push_back(static_cast<float>(common) / static_cast<float>(k_));
}

KeptNeighbors KeptCount::finish() {
    if (!kept_.rows.empty()) {
        const auto count = static_cast<double>(kept_.rows.size());
        kept_.neighbors = common_ / (count * k_);
        kept_.all = all_ / count;
        kept_.in_order = static_cast<double>(in_order_) / count;
    }
    return std::move(kept_);
}

namespace {

/// The distances of points from rows of lists in x, as far as they are known: from the list, and for other points from
/// the inputs.
class ListDistances {
public:
    ListDistances(const ListedNeighbors& x, const RunContext& context)
        : lists_(x.lists), of_(x.of), are_known_(x.of.points.count > 0 && !x.lists.distances.empty()) {
        if (are_known_ && is_of_products(x.of.metric)) {
            space_.emplace(x.of, context);
        }
    }

    [[nodiscard]] double at(Index list, Index place) const {
        return are_known_ ? double{lists_.distances_of(list)[place]} : static_cast<double>(place);
    }
    [[nodiscard]] Index listed(Index list, Index place) const { return lists_[list][place]; }
    /// `row`: that of the list.
    [[nodiscard]] double of(Index list, Index row, Index point) const {
        const auto points = lists_[list];
        const auto place = std::ranges::find(points, point) - points.begin();
        if (place < std::ssize(points)) {
            return at(list, static_cast<Index>(place));
        }
        if (space_) {
            return double{space_->distance(row, point)};
        }
        return are_known_ ? distance_between(of_.rows[row], of_.points[point], of_.metric)
                          : std::numeric_limits<double>::infinity();
    }
    /// The least difference of distances that tells an order.
    [[nodiscard]] double width(double distance) const {
        constexpr double share = 0x1p-17;  // distances have about six digits
        return are_known_ ? share * std::abs(distance) : 0.0;
    }

    enum class Side { Inside, Tied, Beyond };

    /// Where a point stands, of which `distance` is of().
    [[nodiscard]] Side side_of(Index list, Index row, Index point, double distance) const {
        if (are_known_ && ties_with_last(list, row, point, distance)) {
            return Side::Tied;
        }
        // A nearer point that is not listed was not found: it is no neighbour.
        return std::ranges::find(lists_[list], point) != lists_[list].end() ? Side::Inside : Side::Beyond;
    }

private:
    [[nodiscard]] bool ties_with_last(Index list, Index row, Index point, double distance) const {
        const Index last = lists_[list].back();
        const double kth = at(list, lists_.size - 1);
        if (point == last) {
            return true;
        }
        const MeasuredPair of_last = measure(row, last);
        const bool squared = of_.metric == Metric::Euclidean;
        const double nearness = squared ? 0.5 * distance * distance : distance;
        const double nearness_of_last = squared ? 0.5 * kth * kth : kth;
        const double window = 0x1p-17 * std::abs(nearness_of_last) + 4.0 * of_last.rounding;
        return std::abs(nearness - nearness_of_last) <= window && tie(measure(row, point), of_last);
    }
    [[nodiscard]] MeasuredPair measure(Index row, Index point) const {
        return measure_pair(of_.rows[row], of_.points[point], of_.metric);
    }

    const NeighborLists& lists_;
    SearchedPoints of_;
    bool are_known_;
    std::optional<MetricSpace> space_;  ///< for metrics of products, and faster
};

/// A neighbour in y.
struct NearOutput {
    Index point = 0;
    float y = 0.0F;  ///< its distances
    double x = 0.0;
};

/// Compares single lists.
class ListComparison {
public:
    ListComparison(std::span<const Index> numbers, const ListedNeighbors& x, const ListedNeighbors& y,
                   const RunContext& context)
        : numbers_(numbers), k_(x.lists.size), x_(x, context), found_(y.lists), y_(y.of, context) {}

    struct Kept {
        NeighborOverlap overlap{};
        bool in_order = false;
    };

    [[nodiscard]] Kept compare(Index list) const {
        const std::vector<NearOutput> near = nearest(list);
        const float kth = found_.distances_of(list)[k_ - 1];
        Kept kept;
        NeighborOverlap& overlap = kept.overlap;
        for (Index place = 0; place < k_; ++place) {
            const auto side = x_.side_of(list, numbers_[list], x_.listed(list, place), x_.at(list, place));
            overlap.inside_x += side == ListDistances::Side::Inside ? 1 : 0;
        }
        for (const NearOutput& one : near) {
            const bool inside_y = one.y < kth;
            const auto side = x_.side_of(list, numbers_[list], one.point, one.x);
            (inside_y ? overlap.inside_y : overlap.tied_y) += 1;
            (inside_y ? overlap.inside_both : overlap.inside_x_tied_y) += side == ListDistances::Side::Inside ? 1 : 0;
            (inside_y ? overlap.tied_x_inside_y : overlap.tied_both) += side == ListDistances::Side::Tied ? 1 : 0;
        }
        kept.in_order = overlap.all_kept(k_) == 1.0 && are_in_order(near);
        return kept;
    }

private:
    /// The nearest, with all that tie at the k-th place.
    [[nodiscard]] std::vector<NearOutput> nearest(Index list) const {
        const Index row = numbers_[list];
        const auto points = found_[list];
        const auto distances = found_.distances_of(list);
        const float kth = distances[k_ - 1];
        const bool more_tie = points.size() > k_ && distances[k_] == kth;
        std::vector<NearOutput> near;
        for (Index place = 0; place < k_ && (distances[place] < kth || !more_tie); ++place) {
            near.push_back({points[place], distances[place], x_.of(list, row, points[place])});
        }
        for (Index j = 0; more_tie && j < y_.points().count; ++j) {
            if ((j != row || !y_.among_themselves()) && y_.distance(row, j) == kth) {
                near.push_back({j, kth, x_.of(list, row, j)});
            }
        }
        return near;
    }

    /// Whether none comes before a nearer one of x, and none that x tells apart tie in y.
    [[nodiscard]] bool are_in_order(const std::vector<NearOutput>& near) const {
        const auto reversed = [this](const NearOutput& one, const NearOutput& next) {
            return next.x < one.x - x_.width(one.x) || (next.y == one.y && next.x > one.x + x_.width(one.x));
        };
        return std::ranges::adjacent_find(near, reversed) == near.end();
    }

    std::span<const Index> numbers_;
    Index k_;
    ListDistances x_;
    const NeighborLists& found_;
    MetricSpace y_;
};

constexpr std::size_t lists_at_once = 64;

}  // namespace

KeptNeighbors count_kept(std::span<const Index> numbers, const ListedNeighbors& x, const ListedNeighbors& y,
                         const RunContext& context) {
    const ListComparison comparison(numbers, x, y, context);
    std::vector<ListComparison::Kept> kept(numbers.size());
    parallel_blocks(context, numbers.size(), lists_at_once, [&](Range lists) {
        throw_if_cancelled_in_task(context);
        for (std::size_t list = lists.begin; list < lists.end; ++list) {
            kept[list] = comparison.compare(static_cast<Index>(list));
        }
    });
    throw_if_cancelled(context);
    KeptCount count(x.lists.size);
    for (std::size_t list = 0; list < numbers.size(); ++list) {
        count.add(numbers[list], kept[list].overlap, kept[list].in_order);
    }
    return count.finish();
}

namespace {

/// The places that tied points have in a list, filled again: first with those that are found, nearest first.
void choose_ties_of(Index row, const ListDistances& known, std::span<const Index> found, std::span<Index> list,
                    std::span<float> distances) {
    std::vector<std::pair<Index, float>> tied;
    const auto is_tied = [&](Index point, double distance) {
        return known.side_of(row, row, point, distance) == ListDistances::Side::Tied;
    };
    const auto add = [&](Index point) {
        const double distance = known.of(row, row, point);
        if (is_tied(point, distance)) {
            tied.emplace_back(point, static_cast<float>(distance));
        }
    };
    std::ranges::for_each(found, add);
    for (const Index point : list) {
        if (std::ranges::find(found, point) == found.end()) {
            add(point);
        }
    }
    auto next = tied.begin();
    for (std::size_t place = 0; place < list.size(); ++place) {
        if (is_tied(list[place], double{distances[place]})) {
            std::tie(list[place], distances[place]) = *next++;
        }
    }
}

}  // namespace

void choose_ties(NeighborLists& lists, const SearchedPoints& searched, const NeighborLists& found,
                 const RunContext& context) {
    const NeighborLists given = lists;
    const ListDistances known({given, searched}, context);
    parallel_blocks(context, lists.count(), lists_at_once, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        for (auto row = static_cast<Index>(rows.begin); row < rows.end; ++row) {
            const std::size_t first = std::size_t{row} * lists.size;
            choose_ties_of(row, known, found[row], std::span(lists.indices).subspan(first, lists.size),
                           std::span(lists.distances).subspan(first, lists.size));
        }
    });
    throw_if_cancelled(context);
}

}  // namespace isogon
