#include "isogon/distributed/distributed_points.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "distributed/communicator.hpp"
#include "distributed/rank_group.hpp"

namespace isogon {

DistributedPoints::DistributedPoints(const PointsView& all) : local_(all), begins_{0, all.count} {}

DistributedPoints::DistributedPoints(const PointsView& all, const Communicator& communicator)
    : local_(all), begins_{0, all.count}, communicator_(&communicator) {}

DistributedPoints::DistributedPoints(const PointsView& local, std::vector<Index> begins,
                                     const Communicator& communicator)
    : local_(local), begins_(std::move(begins)), communicator_(&communicator), is_distributed_(true) {}

DistributedPoints DistributedPoints::with(const PointsView& local) const {
    DistributedPoints other = *this;
    other.local_ = local;
    return other;
}

Range DistributedPoints::local_range() const {
    return of_rank(is_distributed_ ? communicator_->rank() : 0);
}

void DistributedPoints::all_gather(std::span<std::byte> items) const {
    if (!is_distributed_ || count() == 0) {
        return;
    }
    const std::size_t item_bytes = items.size() / count();
    std::vector<std::uint64_t> begins;
    for (const Index begin : begins_) {
        begins.push_back(begin * item_bytes);
    }
    communicator_->all_gather(items, begins);
}

Points DistributedPoints::gather_range(Range points) const {
    std::vector<Index> list(points.size());
    std::iota(list.begin(), list.end(), static_cast<Index>(points.begin));
    return gather_rows(list);
}

Points DistributedPoints::gather_rows(std::span<const Index> list) const {
    const auto length = static_cast<Index>(list.size());
    // Sorted by number, so that the rows of a rank are contiguous.
    std::vector<Index> order(length);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return list[a] < list[b]; });
    const auto place_of = [&](std::size_t point) {
        return std::lower_bound(order.begin(), order.end(), point,
                                [&](Index place, std::size_t value) { return list[place] < value; }) -
               order.begin();
    };
    Points sorted(length, dimension());
    const Range own = local_range();
    for (auto k = place_of(own.begin); k < place_of(own.end); ++k) {
        const auto row = local_[static_cast<Index>(list[order[k]] - own.begin)];
        std::copy(row.begin(), row.end(), sorted[static_cast<Index>(k)].begin());
    }
    if (is_distributed_ && !sorted.empty()) {
        std::vector<std::uint64_t> begins;
        for (const Index begin : begins_) {
            begins.push_back(static_cast<std::uint64_t>(place_of(begin)) * dimension() * sizeof(float));
        }
        communicator_->all_gather(std::as_writable_bytes(sorted.values()), begins);
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

std::vector<double> norms_of_all(const DistributedPoints& points, const RunContext& context) {
    std::vector<double> lengths(points.count());
    const std::vector<double> own = norms(points.local(), context);
    std::copy(own.begin(), own.end(), lengths.begin() + static_cast<std::ptrdiff_t>(points.local_range().begin));
    points.all_gather(std::as_writable_bytes(std::span(lengths)));
    return lengths;
}

void require_all_finite(const DistributedPoints& points, const char* source) {
    if (!points.is_distributed()) {
        require_finite(points.local(), source);
        return;
    }
    const RankGroup ranks = ranks_of(points);
    // The first row of each rank, counted among all points; `count` where there is none.
    std::vector<std::uint64_t> rows(ranks.size());
    const Index found = first_row_not_finite(points.local());
    rows[ranks.rank()] = found == points.local().count ? points.count() : points.local_range().begin + found;
    ranks.all_gather_parts(rows.size(), sizeof(rows[0]), std::as_writable_bytes(std::span(rows)));
    const auto first = static_cast<Index>(*std::min_element(rows.begin(), rows.end()));
    if (first < points.count()) {
        require_finite(points.gather_rows(std::vector{first}).view(), source, first);
    }
}

}  // namespace isogon
