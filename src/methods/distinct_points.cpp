#include "methods/distinct_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

namespace {

/// Writes what is the same for points that are: the numbers, or of angles (x - shift) / size, whose quotients are
/// rounded alike for x and 3 x. False for a point without a direction.
bool write_standard_form(std::span<const float> row, Metric metric, std::vector<float>& form) {
    if (!has_direction(row, metric)) {
        return false;
    }
    form.resize(row.size());
    if (row.empty()) {
        return true;
    }
    const auto [least, most] = std::minmax_element(row.begin(), row.end());
    const bool correlation = metric == Metric::Correlation;
    const double shift = correlation ? double{*least} : 0.0;
    const double size = correlation                ? double{*most} - double{*least}
                        : metric == Metric::Cosine ? std::max(std::abs(double{*least}), std::abs(double{*most}))
                                                   : 1.0;
    std::transform(row.begin(), row.end(), form.begin(), [&](float value) {
        return static_cast<float>((double{value} - shift) / size) + 0.0F;  // -0 becomes 0
    });
    return true;
}

std::uint64_t hash_of(std::span<const float> form, std::uint64_t seed) {
    std::uint64_t hash = seed;
    for (const float value : form) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

class SamePoints {
public:
    SamePoints(const PointsView& points, Metric metric, std::span<const std::int64_t> labels)
        : points_(points), metric_(metric), labels_(labels) {}

    /// A hash of the point; none without a direction.
    [[nodiscard]] std::optional<std::uint64_t> hash(Index i, std::vector<float>& form) const {
        if (!write_standard_form(points_[i], metric_, form)) {
            return std::nullopt;
        }
        return hash_of(form, labels_.empty() ? 0 : static_cast<std::uint64_t>(labels_[i]));
    }

    [[nodiscard]] bool same(Index i, Index j) {
        if (!labels_.empty() && labels_[i] != labels_[j]) {
            return false;
        }
        return write_standard_form(points_[i], metric_, first_) && write_standard_form(points_[j], metric_, second_) &&
               first_ == second_;
    }

private:
    PointsView points_;
    Metric metric_;
    std::span<const std::int64_t> labels_;
    std::vector<float> first_{};
    std::vector<float> second_{};
};

using HashedRow = std::pair<std::uint64_t, Index>;

/// For each point the least that is the same; nowhere for those that are not among `hashes`, which ascend.
std::vector<Index> first_of_each(const std::vector<HashedRow>& hashes, Index points, SamePoints& rows) {
    std::vector<Index> first(points, DistinctPoints::nowhere);
    std::vector<Index> firsts;  // first points of one hash
    for (std::size_t k = 0; k < hashes.size(); ++k) {
        if (k == 0 || hashes[k].first != hashes[k - 1].first) {
            firsts.clear();
        }
        const Index i = hashes[k].second;
        const auto known = std::find_if(firsts.begin(), firsts.end(), [&](Index j) { return rows.same(i, j); });
        first[i] = known == firsts.end() ? i : *known;
        if (known == firsts.end()) {
            firsts.push_back(i);
        }
    }
    return first;
}

DistinctPoints numbered(const std::vector<Index>& first) {
    DistinctPoints result{.place = std::vector<Index>(first.size(), DistinctPoints::nowhere)};
    std::vector<Index> times;
    for (Index i = 0; i < first.size(); ++i) {
        if (first[i] == DistinctPoints::nowhere) {
            ++result.undirected;
            continue;
        }
        if (first[i] == i) {
            result.place[i] = static_cast<Index>(result.rows.size());
            result.rows.push_back(i);
            times.push_back(0);
        }
        result.place[i] = result.place[first[i]];
        result.most = std::max(result.most, ++times[result.place[i]]);
    }
    return result;
}

}  // namespace

DistinctPoints distinct_points(const PointsView& points, Metric metric, std::span<const std::int64_t> labels,
                               const RunContext& context) {
    constexpr std::size_t rows_of_task = 256;
    require_memory(context, {{"a look for equal points", points.count * (sizeof(HashedRow) + 2 * sizeof(Index))}},
                   "raise the limit or take fewer points");
    SamePoints rows(points, metric, labels);
    std::vector<HashedRow> hashes(points.count);
    parallel_blocks(context, points.count, rows_of_task, [&](Range range) {
        std::vector<float> form;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            const auto hash = rows.hash(i, form);
            hashes[i] = {hash.value_or(0), hash ? i : DistinctPoints::nowhere};
        }
    });
    std::erase_if(hashes, [](const HashedRow& row) { return row.second == DistinctPoints::nowhere; });
    std::sort(hashes.begin(), hashes.end());
    return numbered(first_of_each(hashes, points.count, rows));
}

std::vector<Index> first_equal_points(const DistributedPoints& points) {
    const PointsView& own = points.local();
    const SamePoints rows(own, Metric::Euclidean, {});
    std::vector<std::uint64_t> hashes(points.count());
    std::vector<float> form;
    for (Index i = 0; i < own.count; ++i) {
        hashes[points.local_range().begin + i] = rows.hash(i, form).value_or(0);
    }
    points.all_gather(std::as_writable_bytes(std::span(hashes)));
    std::vector<HashedRow> sorted;
    for (Index i = 0; i < points.count(); ++i) {
        sorted.emplace_back(hashes[i], i);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Index> first(points.count());
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const bool equal = k > 0 && sorted[k].first == sorted[k - 1].first;
        first[sorted[k].second] = equal ? first[sorted[k - 1].second] : sorted[k].second;
    }
    return first;
}

}  // namespace isogon
