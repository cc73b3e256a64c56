#include "isogon/core/divided_points.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/team.hpp"

namespace isogon {

DividedPoints::DividedPoints(const PointsView& all) : here_(all), begins_{0, all.count} {}

DividedPoints::DividedPoints(const PointsView& here, std::vector<Index> begins, const Team& team)
    : here_(here), begins_(std::move(begins)), team_(&team) {}

DividedPoints DividedPoints::with(const PointsView& here) const {
    DividedPoints other = *this;
    other.here_ = here;
    return other;
}

Range DividedPoints::own() const {
    return of_rank(team_ == nullptr ? 0 : team_->rank());
}

void DividedPoints::gather(std::span<std::byte> items) const {
    if (team_ == nullptr || count() == 0) {
        return;
    }
    const std::size_t item_bytes = items.size() / count();
    std::vector<std::uint64_t> begins;
    for (const Index begin : begins_) {
        begins.push_back(begin * item_bytes);
    }
    team_->gather(items, begins);
}

Points DividedPoints::some(Range points) const {
    std::vector<Index> list(points.size());
    std::iota(list.begin(), list.end(), static_cast<Index>(points.begin));
    return chosen(list);
}

Points DividedPoints::chosen(std::span<const Index> list) const {
    const auto length = static_cast<Index>(list.size());
    // By ascending number what a rank holds lies side by side.
    std::vector<Index> order(length);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return list[a] < list[b]; });
    const auto place_of = [&](std::size_t point) {
        return std::lower_bound(order.begin(), order.end(), point,
                                [&](Index place, std::size_t value) { return list[place] < value; }) -
               order.begin();
    };
    Points sorted(length, dimension());
    const Range mine = own();
    for (auto k = place_of(mine.begin); k < place_of(mine.end); ++k) {
        const auto row = here_[static_cast<Index>(list[order[k]] - mine.begin)];
        std::copy(row.begin(), row.end(), sorted[static_cast<Index>(k)].begin());
    }
    if (team_ != nullptr && !sorted.empty()) {
        std::vector<std::uint64_t> begins;
        for (const Index begin : begins_) {
            begins.push_back(static_cast<std::uint64_t>(place_of(begin)) * dimension() * sizeof(float));
        }
        team_->gather(std::as_writable_bytes(sorted.values()), begins);
    }
    if (std::is_sorted(list.begin(), list.end())) {
        return sorted;
    }
    Points points(length, dimension());
    for (Index k = 0; k < length; ++k) {
        std::copy_n(sorted[k].begin(), dimension(), points[order[k]].begin());
    }
    return points;
}

std::vector<double> norms_of_all(const DividedPoints& points) {
    std::vector<double> lengths(points.count());
    const std::vector<double> own = norms(points.here());
    std::copy(own.begin(), own.end(), lengths.begin() + static_cast<std::ptrdiff_t>(points.own().begin));
    points.gather(std::as_writable_bytes(std::span(lengths)));
    return lengths;
}

void require_all_finite(const DividedPoints& points, const char* source) {
    if (!points.divided()) {
        require_finite(points.here(), source);
        return;
    }
    // The first row of each rank, counted among all points; `count` where there is none.
    std::vector<std::uint64_t> rows(points.team()->size());
    const Index found = first_row_not_finite(points.here());
    rows[points.team()->rank()] = found == points.here().count ? points.count() : points.own().begin + found;
    gather_parts(*points.team(), rows.size(), sizeof(rows[0]), std::as_writable_bytes(std::span(rows)));
    const auto first = static_cast<Index>(*std::min_element(rows.begin(), rows.end()));
    if (first < points.count()) {
        require_finite(points.chosen(std::vector{first}).view(), source, first);
    }
}

}  // namespace isogon
