#include "matching/nearest_by_cosine.hpp"

#include <algorithm>
#include <numeric>

#include "isogon/core/communicator.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

namespace {

using Nearest = std::vector<NearPoint>;

/// Leaves the first few in order.
void keep_nearest(Nearest& near, Index neighbors) {
    const auto kept = std::min<std::size_t>(neighbors, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end(),
                      [](const NearPoint& a, const NearPoint& b) {
                          return a.cosine != b.cosine ? a.cosine > b.cosine : a.point < b.point;
                      });
    near.resize(kept);
}

/// All points, as numbers from 0 on.
std::vector<Index> numbers_below(std::size_t count) {
    std::vector<Index> numbers(count);
    std::iota(numbers.begin(), numbers.end(), Index{0});
    return numbers;
}

PackedPoints directions(const PointsView& points, const RunContext& context) {
    return pack_directions(points, norms(points), numbers_below(points.count), context);
}

/// Those among the points of this rank.
std::vector<Nearest> nearest_here(const DistributedPoints& x, const PackedPoints& columns, std::span<const Index> list,
                                  Index neighbors, const RunContext& context) {
    const auto first = static_cast<Index>(x.local_range().begin);
    std::vector<Nearest> nearest(list.size());
    for_each_row_band(directions(x.gather_rows(list).view(), context), columns, context, [&](RowBand& band) {
        for (Index r = 0; r < band.rows; ++r) {
            const float* cosines = band.values + r * band.stride;
            Nearest near;
            for (Index j = 0; j < band.columns; ++j) {
                if (first + j != list[band.first_row + r] && cosines[j] > 0.0F) {
                    near.push_back({cosines[j], first + j});
                }
            }
            keep_nearest(near, neighbors);
            nearest[band.first_row + r].assign(near.begin(), near.end());  // the room of all is given back
        }
    });
    return nearest;
}

/// The nearest among those that each rank has found near. Each sends as many places as there may be; cosine 0 is none.
void merge_over_ranks(const Communicator& communicator, Index neighbors, std::vector<Nearest>& nearest) {
    const std::size_t places = nearest.size() * neighbors;
    std::vector<NearPoint> all(places * communicator.size());
    for (std::size_t k = 0; k < nearest.size(); ++k) {
        std::copy(nearest[k].begin(), nearest[k].end(),
                  all.begin() + static_cast<std::ptrdiff_t>(communicator.rank() * places + k * neighbors));
        nearest[k].clear();
    }
    all_gather_parts(communicator, communicator.size(), places * sizeof(NearPoint),
                     std::as_writable_bytes(std::span(all)));
    for (std::size_t place = 0; place < all.size(); ++place) {
        if (all[place].cosine > 0.0F) {
            nearest[place % places / neighbors].push_back(all[place]);
        }
    }
    for (Nearest& near : nearest) {
        keep_nearest(near, neighbors);
    }
}

}  // namespace

std::vector<std::vector<NearPoint>> nearest_by_cosine(const DistributedPoints& x, std::span<const Index> list,
                                                      Index neighbors, const RunContext& context) {
    std::vector<Nearest> nearest;
    const PackedPoints columns = list.empty() ? PackedPoints() : directions(x.local(), context);
    // Some at a time: the list may hold half of all points.
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    for (std::size_t k = 0; k < list.size(); k += at_once) {
        const auto some = list.subspan(k, std::min(at_once, list.size() - k));
        std::vector<Nearest> found = nearest_here(x, columns, some, neighbors, context);
        if (x.is_distributed()) {
            merge_over_ranks(*x.communicator(), neighbors, found);
        }
        nearest.insert(nearest.end(), found.begin(), found.end());
    }
    return nearest;
}

}  // namespace isogon
