#include "neighbors/sparse_neighbors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

/// What tells the distance of two rows beside their sum over common columns: by metric, a size (square of the length,
/// sum of the numbers or of their absolute values) and 1 / length (about the mean, by correlation).
struct RowSize {
    double size = 0.0;
    double per_length = 0.0;
};

RowSize size_of(const SparseRow& row, Index columns, Metric metric) {
    switch (metric) {
        case Metric::Euclidean: {
            const double length = length_about(0.0, row, columns);
            return {length * length, 0.0};
        }
        case Metric::Cosine:
            return {0.0, has_direction(row, columns, metric) ? 1.0 / length_about(0.0, row, columns) : 0.0};
        case Metric::Correlation: {
            const double sum = sum_of(row);
            return has_direction(row, columns, metric) ? RowSize{sum, 1.0 / length_about(sum / columns, row, columns)}
                                                       : RowSize{};
        }
        case Metric::Manhattan: {
            double sum = 0.0;
            for (const double value : row.values) {
                sum += std::abs(value);
            }
            return {sum, 0.0};
        }
        default: return {sum_of(row), 0.0};  // hamming and jaccard: the number of ones
    }
}

std::vector<RowSize> sizes_of(const CsrMatrix<double>& matrix, Metric metric) {
    std::vector<RowSize> sizes(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        sizes[i] = size_of(sparse_row(matrix, i), matrix.columns, metric);
    }
    return sizes;
}

/// The points of each column, block of points by block: the sums of a block stay in the innermost cache while rows are
/// multiplied with it.
class InvertedIndex {
public:
    InvertedIndex(const CsrMatrix<double>& points, const RunContext& context)
        : rows_(points.rows), rows_in_block_(block_rows(points)), blocks_(block_count(rows_, rows_in_block_)) {
        parallel_tasks(context, blocks_.size(), [&](std::size_t b) {
            std::vector<Index> numbers(rows(b).size());
            std::iota(numbers.begin(), numbers.end(), static_cast<Index>(rows(b).begin));
            blocks_[b] = transpose(rows_of(points, numbers));
        });
    }

    [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
    [[nodiscard]] Range rows(std::size_t b) const { return block_range(b, rows_, rows_in_block_); }
    [[nodiscard]] std::size_t rows_in_block() const { return std::min<std::size_t>(rows_in_block_, rows_); }
    /// The entries of a column: rows within the block, ascending, and values.
    [[nodiscard]] SparseRow column(std::size_t b, Index c) const { return sparse_row(blocks_[b], c); }

    [[nodiscard]] static std::uint64_t bytes(const CsrMatrix<double>& points) {
        const std::uint64_t starts = block_count(points.rows, block_rows(points)) * (points.columns + 1ULL);
        return starts * sizeof(Offset) + points.entries() * (sizeof(Index) + sizeof(double));
    }

private:
    /// 32 kB of sums; more where there are so many columns that their starts would outweigh the entries.
    [[nodiscard]] static std::size_t block_rows(const CsrMatrix<double>& points) {
        constexpr std::size_t usual = 4096;
        const std::size_t most_blocks = std::max<std::size_t>(1, points.entries() / (points.columns + 1ULL));
        return std::max(usual, block_count(points.rows, most_blocks));
    }

    std::size_t rows_;
    std::size_t rows_in_block_;
    std::vector<CsrMatrix<double>> blocks_;  ///< transposed
};

/// The least keys that were offered with ascending numbers; of equal ones the first.
class LeastKeys {
public:
    explicit LeastKeys(Index count) : count_(count) { best_.reserve(count + std::size_t{1}); }

    [[nodiscard]] double bound() const {
        return best_.size() < count_ ? std::numeric_limits<double>::infinity() : best_.front().first;
    }
    void offer(double key, Index number) {
        if (best_.size() == count_) {
            std::pop_heap(best_.begin(), best_.end());
            best_.pop_back();
        }
        best_.emplace_back(key, number);
        std::push_heap(best_.begin(), best_.end());
    }
    [[nodiscard]] const std::vector<std::pair<double, Index>>& best() const { return best_; }

private:
    std::size_t count_;
    std::vector<std::pair<double, Index>> best_;  ///< a heap, the worst first
};

/// Calls use(key_of(sum, size of the point)) for the metric: keys of one row ascend with its distances.
template <class Use>
void with_keys(Metric metric, const RowSize& x, Index columns, Use use) {
    switch (metric) {
        case Metric::InnerProduct: return use([](double sum, const RowSize&) { return -sum; });
        case Metric::Cosine: return use([](double sum, const RowSize& y) { return -sum * y.per_length; });
        case Metric::Correlation: {
            const double mean = x.size / columns;
            return use([mean](double sum, const RowSize& y) { return (mean * y.size - sum) * y.per_length; });
        }
        case Metric::Manhattan: return use([](double sum, const RowSize& y) { return y.size + sum; });
        case Metric::Jaccard:
            return use([size = x.size](double sum, const RowSize& y) {
                const double either = size + y.size - sum;
                return either > 0.0 ? -sum / either : -1.0;
            });
        default: return use([](double sum, const RowSize& y) { return y.size - 2.0 * sum; });
    }
}

/// Neighbours of some rows.
class RowsSearch {
public:
    RowsSearch(const SparseSearch& search, const InvertedIndex& index, const std::vector<RowSize>& sizes)
        : search_(search), index_(index), sizes_(sizes), sums_(index.rows_in_block()) {}

    void run(Range rows, Index k, NeighborLists& lists) {
        std::vector<LeastKeys> found(rows.size(), LeastKeys(k));
        std::vector<RowSize> own;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            own.push_back(
                size_of(sparse_row(search_.rows, static_cast<Index>(i)), search_.rows.columns, search_.metric));
        }
        for (std::size_t b = 0; b < index_.blocks(); ++b) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                add_up(b, static_cast<Index>(i));
                offer(b, static_cast<Index>(i), own[i - rows.begin], found[i - rows.begin]);
            }
        }
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            write(static_cast<Index>(i), found[i - rows.begin], lists);
        }
    }

private:
    /// Sums over the columns that the row has in common with each point of the block.
    void add_up(std::size_t b, Index i) {
        std::ranges::fill(sums_, 0.0);
        const SparseRow row = sparse_row(search_.rows, i);
        if (!has_direction(row, search_.rows.columns, search_.metric)) {
            return;  // its distance to all is the same
        }
        for (std::size_t c = 0; c < row.columns.size(); ++c) {
            const double value = row.values[c];
            const SparseRow points = index_.column(b, row.columns[c]);
            if (search_.metric == Metric::Manhattan) {
                for (std::size_t k = 0; k < points.columns.size(); ++k) {
                    const double other = points.values[k];
                    sums_[points.columns[k]] += std::abs(value - other) - std::abs(value) - std::abs(other);
                }
            } else {
                for (std::size_t k = 0; k < points.columns.size(); ++k) {
                    sums_[points.columns[k]] += value * points.values[k];
                }
            }
        }
    }

    void offer(std::size_t b, Index i, const RowSize& own, LeastKeys& least) const {
        const Range block = index_.rows(b);
        const RowSize* sizes = sizes_.data() + block.begin;
        with_keys(search_.metric, own, search_.rows.columns, [&](auto key_of) {
            constexpr std::size_t at_once = 32;
            std::array<double, at_once> keys{};
            for (std::size_t first = 0; first < block.size(); first += at_once) {
                const std::size_t count = std::min(at_once, block.size() - first);
                const double bound = least.bound();
                bool any = false;
                for (std::size_t j = 0; j < count; ++j) {
                    keys[j] = key_of(sums_[first + j], sizes[first + j]);
                    any |= keys[j] < bound;
                }
                for (std::size_t j = 0; any && j < count; ++j) {
                    const auto point = static_cast<Index>(block.begin + first + j);
                    if (keys[j] < least.bound() && !(search_.among_themselves && point == i)) {
                        least.offer(keys[j], point);
                    }
                }
            }
        });
    }

    /// Distances number by number: keys have lost digits of those of near rows.
    void write(Index i, const LeastKeys& least, NeighborLists& lists) const {
        std::vector<std::pair<float, Index>> nearest;
        for (const auto& [key, j] : least.best()) {
            const double distance = distance_between(sparse_row(search_.rows, i), sparse_row(search_.points, j),
                                                     search_.rows.columns, search_.metric);
            // Inner products beyond float32 are its largest number; require_distances() refuses other distances.
            constexpr double most = std::numeric_limits<float>::max();
            const bool bounded = search_.metric == Metric::InnerProduct;
            nearest.emplace_back(static_cast<float>(bounded ? std::clamp(distance, -most, most) : distance), j);
        }
        std::ranges::sort(nearest);
        for (std::size_t r = 0; r < nearest.size(); ++r) {
            lists.distances[std::size_t{i} * lists.size + r] = nearest[r].first;
            lists.indices[std::size_t{i} * lists.size + r] = nearest[r].second;
        }
    }

    const SparseSearch& search_;
    const InvertedIndex& index_;
    const std::vector<RowSize>& sizes_;
    std::vector<double> sums_;
};

}  // namespace

NeighborLists sparse_neighbors(const SparseSearch& search, Index k, const RunContext& context) {
    const std::uint64_t others = search.points.rows - (search.among_themselves && search.points.rows > 0 ? 1ULL : 0ULL);
    if (k < 1 || k > others) {
        throw InvalidArgument("neighbors", std::to_string(k),
                              "must be at least 1 and at most " + std::to_string(others) + ", the number of " +
                                  (search.among_themselves ? "other rows" : "points"));
    }
    require_memory(
        context,
        {{"the neighbours", neighbor_bytes(search.rows.rows, k)},
         {"the rows of each column", sparse_neighbors_bytes(search, k) - neighbor_bytes(search.rows.rows, k)}},
        "raise the limit, or take fewer rows");
    const InvertedIndex index(search.points, context);
    const std::vector<RowSize> sizes = sizes_of(search.points, search.metric);
    NeighborLists lists{.size = k};
    lists.indices.resize(std::size_t{search.rows.rows} * k);
    lists.distances.resize(lists.indices.size());
    constexpr std::size_t rows_of_task = 64;
    parallel_groups(context, search.rows.rows, {.block = rows_of_task, .tasks = 16, .phase = "neighbors"},
                    [&](Range rows) { RowsSearch(search, index, sizes).run(rows, k, lists); });
    require_distances(lists);
    return lists;
}

std::uint64_t sparse_neighbors_bytes(const SparseSearch& search, Index k) {
    return neighbor_bytes(search.rows.rows, k) + InvertedIndex::bytes(search.points) +
           search.points.rows * sizeof(RowSize);
}

namespace {

NeighborSearch search_sparse(const SparseSearch& search, const NeighborSearchOptions& options,
                             const RunContext& context) {
    neighbor_search_option_table().validate(options);
    if (options.search == SearchKind::Approximate) {
        throw InvalidArgument("search", "approximate",
                              "has no index for sparse rows, which are searched exactly: take exact");
    }
    if (search.rows.columns != search.points.columns) {
        throw InvalidArgument("queries", std::to_string(search.rows.columns) + " columns",
                              "must be " + std::to_string(search.points.columns) + ", those of the points");
    }
    validate(search.points);
    validate(search.rows);
    require_float32(search.points, "input");
    require_float32(search.rows, "queries");
    require_rows_for(search.metric, search.points, "input");
    require_rows_for(search.metric, search.rows, "queries");
    NeighborSearch result;
    Summary& summary = result.summary;
    summary.seed = options.seed;
    summary.threads = context.thread_count();
    try {
        const PhaseTimer timer(summary, "search");
        result.lists = sparse_neighbors(search, options.neighbors, context);
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
        summary.message = "ended before all points had their neighbours";
        return result;
    }
    Index undirected = 0;
    for (Index i = 0; i < search.rows.rows; ++i) {
        undirected += has_direction(sparse_row(search.rows, i), search.rows.columns, search.metric) ? 0 : 1;
    }
    summary.count("exact", 1.0);
    summary.measure("recall", 1.0);
    summary.count("zero_vectors", undirected);
    summary.message = "all pairs with a column in common looked at";
    if (undirected > 0) {
        summary.warn(std::to_string(undirected) + " rows have no direction: they are equally far from all points");
    }
    return result;
}

}  // namespace

NeighborSearch find_neighbors(const CsrMatrix<double>& points, const NeighborSearchOptions& options,
                              const RunContext& context) {
    return search_sparse({points, points, options.metric, true}, options, context);
}

NeighborSearch find_neighbors(const CsrMatrix<double>& queries, const CsrMatrix<double>& points,
                              const NeighborSearchOptions& options, const RunContext& context) {
    return search_sparse({queries, points, options.metric, false}, options, context);
}

}  // namespace isogon
