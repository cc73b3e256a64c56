#include "methods/distinct_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/metric_rows.hpp"
#include "neighbors/sparse_row.hpp"

namespace isogon {

namespace {

/// What is the same for points that are.
using Form = std::vector<std::uint32_t>;

/// The numbers as they are compared: as they are, or of angles (x - shift) / size, whose quotients are rounded alike
/// for x and 3 x.
class Standard {
public:
    Standard(double least, double most, Metric metric)
        : shift_(metric == Metric::Correlation ? least : 0.0),
          size_(metric == Metric::Correlation ? most - least
                : metric == Metric::Cosine    ? std::max(std::abs(least), std::abs(most))
                                              : 1.0) {}

    [[nodiscard]] std::uint32_t operator()(double value) const {
        return std::bit_cast<std::uint32_t>(static_cast<float>((value - shift_) / size_) + 0.0F);  // -0 becomes 0
    }

private:
    double shift_;
    double size_;
};

struct DenseRows {
    PointsView points;

    [[nodiscard]] Index count() const { return points.count; }
    /// False for a point without a direction.
    bool write(Index i, Metric metric, Form& form) const {
        const auto row = points[i];
        if (!has_direction(row, metric)) {
            return false;
        }
        form.clear();
        if (!row.empty()) {
            const auto [least, most] = std::minmax_element(row.begin(), row.end());
            std::ranges::transform(row, std::back_inserter(form), Standard(double{*least}, double{*most}, metric));
        }
        return true;
    }
};

struct SparseRows {
    const CsrMatrix<double>& matrix;

    [[nodiscard]] Index count() const { return matrix.rows; }
    /// The same, of entries: column and number of each. By correlation as by cosine: rows that are x + b of sparse ones
    /// have no zeros.
    bool write(Index i, Metric metric, Form& form) const {
        const SparseRow row = sparse_row(matrix, i);
        if (!has_direction(row, matrix.columns, metric)) {
            return false;
        }
        double largest = 0.0;
        for (const double value : row.values) {
            largest = std::max(largest, std::abs(value));
        }
        const Standard standard(0.0, largest, metric == Metric::Correlation ? Metric::Cosine : metric);
        form.clear();
        for (std::size_t k = 0; k < row.columns.size(); ++k) {
            if (row.values[k] != 0.0) {
                form.push_back(row.columns[k]);
                form.push_back(standard(row.values[k]));
            }
        }
        return true;
    }
};

std::uint64_t hash_of(const Form& form, std::uint64_t seed) {
    std::uint64_t hash = seed;
    for (const std::uint32_t bits : form) {
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

template <class Rows>
class SamePoints {
public:
    SamePoints(const Rows& points, Metric metric, std::span<const std::int64_t> labels)
        : points_(points), metric_(metric), labels_(labels) {}

    /// A hash of the point; none without a direction.
    [[nodiscard]] std::optional<std::uint64_t> hash(Index i, Form& form) const {
        if (!points_.write(i, metric_, form)) {
            return std::nullopt;
        }
        return hash_of(form, labels_.empty() ? 0 : static_cast<std::uint64_t>(labels_[i]));
    }

    [[nodiscard]] bool same(Index i, Index j) {
        if (!labels_.empty() && labels_[i] != labels_[j]) {
            return false;
        }
        return points_.write(i, metric_, first_) && points_.write(j, metric_, second_) && first_ == second_;
    }

private:
    Rows points_;
    Metric metric_;
    std::span<const std::int64_t> labels_;
    Form first_{};
    Form second_{};
};

using HashedRow = std::pair<std::uint64_t, Index>;

/// For each point the least that is the same; nowhere for those that are not among `hashes`, which ascend.
template <class Rows>
std::vector<Index> first_of_each(const std::vector<HashedRow>& hashes, Index points, SamePoints<Rows>& rows) {
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

template <class Rows>
DistinctPoints distinct_of(const Rows& points, Metric metric, std::span<const std::int64_t> labels,
                           const RunContext& context) {
    constexpr std::size_t rows_of_task = 256;
    const Index count = points.count();
    require_memory(context, {{"a look for equal points", count * (sizeof(HashedRow) + 2 * sizeof(Index))}},
                   "raise the limit or take fewer points");
    SamePoints rows(points, metric, labels);
    std::vector<HashedRow> hashes(count);
    parallel_blocks(context, count, rows_of_task, [&](Range range) {
        Form form;
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            const auto hash = rows.hash(i, form);
            hashes[i] = {hash.value_or(0), hash ? i : DistinctPoints::nowhere};
        }
    });
    std::erase_if(hashes, [](const HashedRow& row) { return row.second == DistinctPoints::nowhere; });
    std::sort(hashes.begin(), hashes.end());
    return numbered(first_of_each(hashes, count, rows));
}

}  // namespace

DistinctPoints distinct_points(const PointsView& points, Metric metric, std::span<const std::int64_t> labels,
                               const RunContext& context) {
    return distinct_of(DenseRows{points}, metric, labels, context);
}

DistinctPoints distinct_points(const CsrMatrix<double>& points, Metric metric, std::span<const std::int64_t> labels,
                               const RunContext& context) {
    return distinct_of(SparseRows{points}, metric, labels, context);
}

std::vector<Index> first_equal_points(const DistributedPoints& points) {
    const PointsView& own = points.local();
    const SamePoints rows(DenseRows{own}, Metric::Euclidean, {});
    std::vector<std::uint64_t> hashes(points.count());
    Form form;
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
