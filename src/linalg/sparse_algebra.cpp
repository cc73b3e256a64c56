#include "linalg/sparse_algebra.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// A sparse accumulator for one row at a time, allocated once for many rows.
class RowSums {
public:
    explicit RowSums(Index columns) : sums_(columns, 0.0), seen_(columns, false) { met_.reserve(columns); }

    [[nodiscard]] static std::uint64_t bytes(Index columns) {
        return std::uint64_t{columns} * (sizeof(double) + sizeof(char) + sizeof(Index));
    }

    void add(Index column, double value) {
        if (!seen_[column]) {
            seen_[column] = true;
            met_.push_back(column);
        }
        sums_[column] += value;
    }

    /// Appends the row by ascending column, and clears the accumulator.
    void move_to(std::vector<Index>& columns, std::vector<double>& values) {
        put_in_order();
        for (const Index column : met_) {
            columns.push_back(column);
            values.push_back(sums_[column]);
            sums_[column] = 0.0;
            seen_[column] = false;
        }
        met_.clear();
    }

private:
    /// With many nonzero columns a scan of all is faster than sorting.
    void put_in_order() {
        constexpr std::size_t looks_per_comparison = 16;
        if (met_.size() * looks_per_comparison < sums_.size()) {
            std::sort(met_.begin(), met_.end());
            return;
        }
        met_.clear();
        for (std::size_t column = 0; column < seen_.size(); ++column) {
            if (seen_[column] != 0) {
                met_.push_back(static_cast<Index>(column));
            }
        }
    }

    std::vector<double> sums_;
    std::vector<char> seen_;
    std::vector<Index> met_;
};

/// Some rows of the product.
struct Part {
    std::vector<Offset> lengths;
    std::vector<Index> indices;
    std::vector<double> values;
};

Part multiply_rows(const CsrMatrix<double>& a, const CsrMatrix<double>& b, Range rows, std::size_t entries) {
    Part part;
    part.lengths.reserve(rows.size());
    part.indices.reserve(entries);
    part.values.reserve(entries);
    RowSums sums(b.columns);
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const auto i = static_cast<Index>(row);
        for (std::size_t k = 0; k < a.row_indices(i).size(); ++k) {
            const Index middle = a.row_indices(i)[k];
            const double weight = a.row_values(i)[k];
            for (std::size_t l = 0; l < b.row_indices(middle).size(); ++l) {
                sums.add(b.row_indices(middle)[l], weight * b.row_values(middle)[l]);
            }
        }
        const std::size_t before = part.indices.size();
        sums.move_to(part.indices, part.values);
        part.lengths.push_back(part.indices.size() - before);
    }
    return part;
}

/// The number of entries of each block of rows of a product, by its pattern alone.
std::vector<std::uint64_t> product_entries(const CsrMatrix<double>& a, const CsrMatrix<double>& b, std::size_t block,
                                           const RunContext& context) {
    std::vector<std::uint64_t> counts(block_count(a.rows, block));
    parallel_tasks(context, counts.size(), [&](std::size_t task) {
        throw_if_cancelled_in_task(context);
        const Range rows = block_range(task, a.rows, block);
        std::vector<std::size_t> seen(b.columns, rows.end);
        std::uint64_t count = 0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (const Index middle : a.row_indices(static_cast<Index>(i))) {
                for (const Index column : b.row_indices(middle)) {
                    count += seen[column] == i ? 0 : 1;
                    seen[column] = i;
                }
            }
        }
        counts[task] = count;
    });
    return counts;
}

}  // namespace

CsrMatrix<double> product(const CsrMatrix<double>& a, const CsrMatrix<double>& b, const RunContext& context) {
    if (a.columns != b.rows) {
        throw InvalidArgument("factors", std::to_string(a.columns) + " columns and " + std::to_string(b.rows) + " rows",
                              "must fit each other");
    }
    // Every part has an accumulator for all columns: few parts, so that these stay small beside the product.
    constexpr std::size_t most_parts = 64;
    constexpr std::size_t least_rows = 256;
    const std::size_t block = std::max(least_rows, block_count(a.rows, most_parts));
    constexpr std::uint64_t of_entry = 2 * (sizeof(Index) + sizeof(double));  // in its part, and in the whole
    constexpr const char* remedy = "raise the limit, or take fewer neighbors";
    std::vector<Part> parts(block_count(a.rows, block));
    const std::size_t running = std::min(parts.size(), static_cast<std::size_t>(context.thread_count()));
    const MemoryItem scratch{"sums of its rows", running * RowSums::bytes(b.columns)};
    require_memory(context, {scratch}, remedy);
    const std::vector<std::uint64_t> counts = product_entries(a, b, block, context);
    const std::uint64_t entries = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    require_memory(context, {{"the product of sparse matrices", of_entry * entries}, scratch}, remedy);
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        throw_if_cancelled_in_task(context);
        parts[task] = multiply_rows(a, b, block_range(task, a.rows, block), counts[task]);
    });
    CsrMatrix<double> result{.rows = a.rows, .columns = b.columns};
    result.indices.reserve(entries);
    result.values.reserve(entries);
    for (Part& part : parts) {
        for (const Offset length : part.lengths) {
            result.offsets.push_back(result.offsets.back() + length);
        }
        result.indices.insert(result.indices.end(), part.indices.begin(), part.indices.end());
        result.values.insert(result.values.end(), part.values.begin(), part.values.end());
        part = {};
    }
    return result;
}

void symmetrise(CsrMatrix<double>& matrix) {
    const CsrMatrix<double> other = transpose(matrix);
    for (std::size_t k = 0; k < matrix.values.size(); ++k) {
        matrix.values[k] = (matrix.values[k] + other.values[k]) / 2.0;
    }
}

CsrMatrix<double> identity_minus(const CsrMatrix<double>& weights) {
    if (weights.rows != weights.columns) {
        throw InvalidArgument("columns", std::to_string(weights.columns),
                              "must be " + std::to_string(weights.rows) + ", as many as rows");
    }
    CsrMatrix<double> result{.rows = weights.rows, .columns = weights.columns};
    result.indices.reserve(weights.entries() + weights.rows);
    result.values.reserve(weights.entries() + weights.rows);
    for (Index i = 0; i < weights.rows; ++i) {
        bool placed = false;
        const auto place_diagonal = [&] {
            result.indices.push_back(i);
            result.values.push_back(1.0);
            placed = true;
        };
        for (std::size_t k = 0; k < weights.row_indices(i).size(); ++k) {
            if (!placed && weights.row_indices(i)[k] > i) {
                place_diagonal();
            }
            result.indices.push_back(weights.row_indices(i)[k]);
            result.values.push_back(-weights.row_values(i)[k]);
        }
        if (!placed) {
            place_diagonal();
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

CsrMatrix<double> shifted(const CsrMatrix<double>& a, const CsrMatrix<double>* b, double shift) {
    CsrMatrix<double> result{.rows = a.rows, .columns = a.columns};
    const Offset most = std::max(a.entries(), b == nullptr ? 0 : b->entries()) + a.rows;
    result.indices.reserve(most);
    result.values.reserve(most);
    const auto add = [&](Index column, double value) {
        result.indices.push_back(column);
        result.values.push_back(value);
    };
    for (Index i = 0; i < a.rows; ++i) {
        const Index diagonal[] = {i};
        const double one[] = {1.0};
        const std::span<const Index> left = a.row_indices(i);
        const std::span<const Index> right = b == nullptr ? std::span<const Index>(diagonal) : b->row_indices(i);
        const std::span<const double> weights = b == nullptr ? std::span<const double>(one) : b->row_values(i);
        std::size_t k = 0;
        std::size_t l = 0;
        while (k < left.size() || l < right.size()) {
            const Index column = l == right.size() || (k < left.size() && left[k] <= right[l]) ? left[k] : right[l];
            double value = 0.0;
            if (k < left.size() && left[k] == column) {
                value += a.row_values(i)[k++];
            }
            if (l < right.size() && right[l] == column) {
                value += shift * weights[l++];
            }
            add(column, value);
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

}  // namespace isogon
