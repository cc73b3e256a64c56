#include "pairs/isolated_points.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/trigonometry.hpp"
#include "isogon/core/points.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/sparse_algebra.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

using Nearest = std::vector<NearPoint>;

/// Keeps the nearest `neighbors`, sorted.
void keep_nearest(Nearest& near, Index neighbors) {
    const auto kept = std::min<std::size_t>(neighbors, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end(),
                      [](const NearPoint& a, const NearPoint& b) {
                          return a.cosine != b.cosine ? a.cosine > b.cosine : a.point < b.point;
                      });
    near.resize(kept);
}

PackedPoints directions(const PointsView& points, const RunContext& context) {
    return pack_directions(points, norms(points), numbers_below(points.count), context);
}

/// The nearest among the local points of this rank.
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
            // A copy, so that the capacity for all candidates is freed.
            nearest[band.first_row + r].assign(near.begin(), near.end());
        }
    });
    return nearest;
}

/// Merges the candidates of all ranks. Each rank sends `neighbors` slots for each point; cosine 0 marks an empty slot.
void merge_over_ranks(const RankGroup& ranks, Index neighbors, std::vector<Nearest>& nearest) {
    const std::size_t places = nearest.size() * neighbors;
    std::vector<NearPoint> all(places * ranks.size());
    for (std::size_t k = 0; k < nearest.size(); ++k) {
        std::copy(nearest[k].begin(), nearest[k].end(),
                  all.begin() + static_cast<std::ptrdiff_t>(ranks.rank() * places + k * neighbors));
        nearest[k].clear();
    }
    ranks.all_gather_parts(ranks.size(), places * sizeof(NearPoint), std::as_writable_bytes(std::span(all)));
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
    // In batches: the list may hold half of all points.
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    for (std::size_t k = 0; k < list.size(); k += at_once) {
        const auto some = list.subspan(k, std::min(at_once, list.size() - k));
        std::vector<Nearest> found = nearest_here(x, columns, some, neighbors, context);
        if (x.is_distributed()) {
            merge_over_ranks(ranks_of(x), neighbors, found);
        }
        nearest.insert(nearest.end(), found.begin(), found.end());
    }
    return nearest;
}

namespace {

/// Number of points strictly between two directions at `angle` so that all steps are below acos(tau).
Index points_between(double angle, double threshold) {
    constexpr double margin = 0.99;  // float32 cosines must come out above tau
    return static_cast<Index>(std::ceil(angle / (margin * elementary::acos(threshold)))) - 1;
}

/// The arc from an isolated point to its nearest neighbour.
struct Bridge {
    Index from = 0;
    Index to = 0;
    double angle = 0.0;
    Index between = 0;      ///< points on it
    std::size_t place = 0;  ///< the row of the first of them
};

std::vector<Bridge> bridges_from(const DistributedPoints& x, const std::vector<Index>& isolated, double threshold,
                                 const RunContext& context) {
    const auto nearest = nearest_by_cosine(x, isolated, 1, context);
    std::vector<Bridge> bridges;
    std::size_t place = x.count();
    for (std::size_t k = 0; k < isolated.size(); ++k) {
        if (!nearest[k].empty()) {
            const double angle = elementary::acos(std::min(1.0, double{nearest[k].front().cosine}));
            bridges.push_back({isolated[k], nearest[k].front().point, angle, points_between(angle, threshold), place});
            place += bridges.back().between;
        }
    }
    return bridges;
}

/// Access to the local rows of the extended inputs by global index.
class OwnRows {
public:
    OwnRows(Range own, Points& rows) : own_(own), rows_(rows) {}
    /// Null if point `place` is not local.
    [[nodiscard]] float* row(std::size_t place) const {
        const bool here = own_.begin <= place && place < own_.end;
        return here ? rows_[static_cast<Index>(place - own_.begin)].data() : nullptr;
    }

private:
    Range own_;
    Points& rows_;
};

/// Copies the inputs to the local rows. With more points the partition over ranks is another one, so all inputs are
/// gathered, in batches.
void copy_inputs(const DistributedPoints& x, const OwnRows& rows) {
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    for (std::size_t begin = 0; begin < x.count(); begin += at_once) {
        const Points some = x.gather_range({begin, std::min<std::size_t>(begin + at_once, x.count())});
        for (Index i = 0; i < some.count(); ++i) {
            if (float* row = rows.row(begin + i)) {
                std::copy_n(some[i].begin(), x.dimension(), row);
            }
        }
    }
}

/// Spherical interpolation of the directions, linear interpolation of the lengths, which are those of all points.
void build_bridge(const Bridge& bridge, std::span<const float> from, std::span<const float> to,
                  const std::vector<double>& lengths, const OwnRows& rows) {
    const double length_from = lengths[bridge.from];
    const double length_to = lengths[bridge.to];
    for (Index step = 1; step <= bridge.between; ++step) {
        float* target = rows.row(bridge.place + step - 1);
        if (target == nullptr) {
            continue;
        }
        const double t = static_cast<double>(step) / (bridge.between + 1);
        const double length = (1.0 - t) * length_from + t * length_to;
        const double of_from =
            length * elementary::sin((1.0 - t) * bridge.angle) / (elementary::sin(bridge.angle) * length_from);
        const double of_to = length * elementary::sin(t * bridge.angle) / (elementary::sin(bridge.angle) * length_to);
        for (std::size_t c = 0; c < from.size(); ++c) {
            target[c] = static_cast<float>(of_from * from[c] + of_to * to[c]);
        }
    }
}

void build_bridges(const DistributedPoints& x, const std::vector<Bridge>& bridges, const OwnRows& rows) {
    const std::vector<double> lengths = norms_of_all(x);
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    for (std::size_t begin = 0; begin < bridges.size(); begin += at_once) {
        const auto some = std::span(bridges).subspan(begin, std::min(at_once, bridges.size() - begin));
        std::vector<Index> from(some.size());
        std::vector<Index> to(some.size());
        std::transform(some.begin(), some.end(), from.begin(), [](const Bridge& bridge) { return bridge.from; });
        std::transform(some.begin(), some.end(), to.begin(), [](const Bridge& bridge) { return bridge.to; });
        const Points starts = x.gather_rows(from);
        const Points ends = x.gather_rows(to);
        for (Index k = 0; k < some.size(); ++k) {
            build_bridge(some[k], std::as_const(starts)[k], std::as_const(ends)[k], lengths, rows);
        }
    }
}

}  // namespace

std::vector<Index> isolated_points(const Similarities& s) {
    std::vector<Index> degrees = support_degrees(s.upper);
    s.ranks.all_gather_rows(pair_blocks(s.size()), std::as_writable_bytes(std::span(degrees)));
    std::vector<Index> isolated;
    for (Index i = 0; i < s.size(); ++i) {
        if (degrees[i] == 0 && s.diagonal[i] > 0.0F) {
            isolated.push_back(i);
        }
    }
    return isolated;
}

VirtualInputs add_virtual_inputs(const DistributedPoints& points, const std::vector<Index>& isolated, double threshold,
                                 const RunContext& context) {
    const DistributedPoints x = distributed(points);
    const std::vector<Bridge> bridges = bridges_from(x, isolated, threshold, context);
    VirtualInputs result;
    result.unreachable = static_cast<Index>(isolated.size() - bridges.size());
    for (const Bridge& bridge : bridges) {
        result.added += bridge.between;
    }
    const Range own = ranks_of(x).own_rows(pair_blocks(x.count() + result.added));
    result.points = Points(static_cast<Index>(own.size()), x.dimension());
    const OwnRows rows(own, result.points);
    copy_inputs(x, rows);
    build_bridges(x, bridges, rows);
    return result;
}

namespace {

using Entry = MatrixEntry<float>;

/// The new entries of each isolated point, in the order of `isolated`.
std::vector<std::vector<Entry>> entries_of(const DistributedPoints& x, const std::vector<Index>& isolated,
                                           Index neighbors, double threshold, const RunContext& context) {
    const std::vector<double> lengths = norms_of_all(x, context);
    const auto nearest = nearest_by_cosine(x, isolated, neighbors, context);
    std::vector<std::vector<Entry>> entries(isolated.size());
    for (std::size_t k = 0; k < isolated.size(); ++k) {
        const Index i = isolated[k];
        for (const auto& [cosine, j] : nearest[k]) {
            const double value = lengths[i] * lengths[j] * (double{cosine} - threshold);
            entries[k].push_back({std::min(i, j), std::max(i, j), static_cast<float>(value)});
        }
    }
    return entries;
}

}  // namespace

IsolatedSupport support_isolated(const DistributedPoints& points, const std::vector<Index>& isolated, Index neighbors,
                                 Similarities& s, const RunContext& context) {
    const DistributedPoints x = distributed(points);
    IsolatedSupport result;
    std::vector<Entry> all;
    for (const auto& entries : entries_of(x, isolated, neighbors, s.threshold, context)) {
        result.unreachable += entries.empty() ? 1 : 0;
        all.insert(all.end(), entries.begin(), entries.end());
    }
    if (all.empty()) {
        return result;
    }
    // Two isolated points may be nearest neighbours of each other.
    std::sort(all.begin(), all.end());
    all.erase(
        std::unique(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.place() == b.place(); }),
        all.end());
    for (const Entry& entry : all) {
        s.squared_norm += 2.0 * double{entry.value} * entry.value;
    }
    result.added = all.size();
    if (s.pairs_of_all_ranks) {
        *s.pairs_of_all_ranks += all.size();
    }
    const Range own = s.ranks.own_rows(pair_blocks(s.size()));
    const auto is_own = [&](std::size_t i) { return own.begin <= i && i < own.end; };
    std::erase_if(all, [&](const Entry& entry) { return !is_own(entry.row) && !is_own(entry.column); });
    s.upper = with_entries(s.upper, all);
    return result;
}

}  // namespace isogon
