#include "linalg/sparse_algebra.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Rows of A Z in a batch: they stay in or near the second-level cache until all columns of Z have read them.
constexpr std::size_t rows_of_batch = 256;
constexpr std::size_t rows_of_task = 8;
constexpr std::size_t columns_of_task = 8;

constexpr std::size_t most_dense_bytes = std::size_t{256} << 20U;

constexpr const char* less_memory = "raise the limit or take fewer landmarks";

/// The rows of weights are read in the order of a graph, which the hardware prefetcher does not predict.
void fetch_row(const CsrMatrix<double>& z, Index i) {
    constexpr std::size_t line = 64;
    const auto indices = z.row_indices(i);
    const auto values = z.row_values(i);
    for (std::size_t k = 0; k < indices.size(); k += line / sizeof(Index)) {
        hwy::Prefetch(indices.data() + k);
    }
    for (std::size_t k = 0; k < values.size(); k += line / sizeof(double)) {
        hwy::Prefetch(values.data() + k);
    }
}

/// Rows of weights ordered by their heaviest column. Rows that are adjacent in the graph mostly share it, so a row
/// that is loaded for one of them is still in cache for the others.
class OrderedRows {
public:
    explicit OrderedRows(const CsrMatrix<double>& z) : places_(z.rows), order_(z.rows) {
        std::vector<Index> begins(std::size_t{z.columns} + 1);
        std::vector<Index> columns(z.rows);
        for (Index i = 0; i < z.rows; ++i) {
            columns[i] = heaviest(z, i);
            ++begins[columns[i] + std::size_t{1}];
        }
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        for (Index i = 0; i < z.rows; ++i) {
            places_[i] = begins[columns[i]]++;
            order_[places_[i]] = i;
        }
        copy(z);
    }

    [[nodiscard]] const CsrMatrix<double>& rows() const { return rows_; }
    [[nodiscard]] static std::uint64_t bytes(const CsrMatrix<double>& z) {
        return z.bytes() + 2 * std::uint64_t{z.rows} * sizeof(Index);
    }
    /// The position of row i.
    [[nodiscard]] Index place(Index i) const { return places_[i]; }
    /// The row at a position.
    [[nodiscard]] Index at(std::size_t place) const { return order_[place]; }

private:
    [[nodiscard]] static Index heaviest(const CsrMatrix<double>& z, Index i) {
        const auto values = z.row_values(i);
        const auto most = std::max_element(values.begin(), values.end());
        return most == values.end() ? 0 : z.row_indices(i)[static_cast<std::size_t>(most - values.begin())];
    }

    void copy(const CsrMatrix<double>& z) {
        rows_.rows = z.rows;
        rows_.columns = z.columns;
        rows_.indices.reserve(z.indices.size());
        rows_.values.reserve(z.values.size());
        rows_.offsets.reserve(z.offsets.size());
        for (const Index i : order_) {
            const auto indices = z.row_indices(i);
            const auto values = z.row_values(i);
            rows_.indices.insert(rows_.indices.end(), indices.begin(), indices.end());
            rows_.values.insert(rows_.values.end(), values.begin(), values.end());
            rows_.offsets.push_back(rows_.indices.size());
        }
    }

    std::vector<Index> places_;
    std::vector<Index> order_;
    CsrMatrix<double> rows_{};
};

void add_row(double weight, const CsrMatrix<double>& z, Index i, double* sums) {
    const Index* indices = z.indices.data();
    const double* values = z.values.data();
    const Offset end = z.offsets[i + std::size_t{1}];
    for (Offset l = z.offsets[i]; l < end; ++l) {
        sums[indices[l]] += weight * values[l];
    }
}

/// mixed := row i of (U + D / 2) Z, U and D the strict upper half and the diagonal of A.
void mix_row(const CsrMatrix<double>& a, const OrderedRows& z, Index i, std::span<double> mixed) {
    constexpr std::size_t ahead = 2;
    std::fill(mixed.begin(), mixed.end(), 0.0);
    const auto columns = a.row_indices(i);
    auto k = static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), i) - columns.begin());
    for (; k < columns.size(); ++k) {
        if (k + ahead < columns.size()) {
            fetch_row(z.rows(), z.place(columns[k + ahead]));
        }
        const double weight = columns[k] == i ? 0.5 * a.row_values(i)[k] : a.row_values(i)[k];
        add_row(weight, z.rows(), z.place(columns[k]), mixed.data());
    }
}

/// Sums for all pairs of columns of Z, accumulated over batches of its rows. Each row of the sums belongs to one task
/// in every batch, so terms are added in the order of the rows of Z.
class DenseSums {
public:
    DenseSums(const CsrMatrix<double>& z, const RunContext& context)
        : z_(z),
          context_(stated(z, context)),
          turned_(transpose(z, context)),
          taken_(turned_.offsets.begin(), turned_.offsets.end() - 1),
          stride_(stride_of(z)) {
        sums_.resize(z.columns * stride_);
    }

    /// T + T^T for T = Z^T (U + D / 2) Z.
    [[nodiscard]] static CsrMatrix<double> of(const CsrMatrix<double>& a, const CsrMatrix<double>& z,
                                              const RunContext& context) {
        const std::uint64_t mixed = mixed_rows(z) * stride_of(z) * sizeof(double);
        require_memory(context,
                       {{"weights of landmarks in the order of the graph", OrderedRows::bytes(z)},
                        {"some rows of the graph by landmarks", mixed}},
                       less_memory);
        const RunContext rest = beside(context, OrderedRows::bytes(z) + mixed);
        const OrderedRows rows(z);
        return DenseSums(rows.rows(), rest).of(a, rows);
    }

    [[nodiscard]] CsrMatrix<double> of(const CsrMatrix<double>& a, const OrderedRows& ordered) {
        std::vector<double> mixed(mixed_rows(z_) * stride_);
        for_each_batch([&](Range batch) {
            parallel_blocks(context_, batch.size(), rows_of_task, [&](Range rows) {
                for (std::size_t r = rows.begin; r < rows.end; ++r) {
                    mix_row(a, ordered, ordered.at(batch.begin + r), {mixed.data() + r * stride_, stride_});
                }
            });
            for_each_column(batch, [&](Index column, std::span<const Index> rows, std::span<const double> weights) {
                add_rows(rows, weights, {mixed.data(), stride_, static_cast<Index>(batch.begin)}, row_of(column));
            });
        });
        return matrix([this](Index i, Index j) { return sum(i, j) + sum(j, i); });
    }

    /// Z^T D Z, of which the upper half is summed.
    [[nodiscard]] CsrMatrix<double> of(const std::vector<double>& diagonal) {
        for_each_batch([&](Range batch) {
            for_each_column(batch, [&](Index column, std::span<const Index> rows, std::span<const double> weights) {
                for (std::size_t k = 0; k < rows.size(); ++k) {
                    add_upper(column, rows[k], diagonal.empty() ? weights[k] : weights[k] * diagonal[rows[k]]);
                }
            });
        });
        return matrix([this](Index i, Index j) { return sum(std::min(i, j), std::max(i, j)); });
    }

private:
    /// Z^T, the sums and the result, before any is allocated.
    static const RunContext& stated(const CsrMatrix<double>& z, const RunContext& context) {
        const std::uint64_t pairs = std::uint64_t{z.columns} * z.columns;
        require_memory(context,
                       {{"sums for all pairs of landmarks", z.columns * stride_of(z) * sizeof(double)},
                        {"the problem among landmarks",
                         pairs * (sizeof(Index) + sizeof(double)) + (z.columns + std::uint64_t{1}) * sizeof(Offset)},
                        {"weights of points by landmark", z.bytes()}},
                       less_memory);
        return context;
    }

    [[nodiscard]] static std::size_t stride_of(const CsrMatrix<double>& z) {
        return block_count(z.columns, std::size_t{8}) * 8;
    }
    [[nodiscard]] static std::size_t mixed_rows(const CsrMatrix<double>& z) {
        return std::min<std::size_t>(z.rows, rows_of_batch);
    }

    [[nodiscard]] double* row_of(std::size_t column) { return sums_.data() + column * stride_; }
    [[nodiscard]] double sum(std::size_t i, std::size_t j) const { return sums_[i * stride_ + j]; }

    template <class Take>
    void for_each_batch(const Take& take) {
        for (std::size_t b = 0; b < block_count(z_.rows, rows_of_batch); ++b) {
            throw_if_cancelled(context_);
            take(block_range(b, z_.rows, rows_of_batch));
        }
    }

    /// Calls take(column, the rows of the batch with an entry there, their weights).
    template <class Take>
    void for_each_column(Range batch, const Take& take) {
        parallel_blocks(context_, z_.columns, columns_of_task, [&](Range columns) {
            for (auto column = static_cast<Index>(columns.begin); column < columns.end; ++column) {
                const Offset begin = taken_[column];
                Offset end = begin;
                while (end < turned_.offsets[column + std::size_t{1}] && turned_.indices[end] < batch.end) {
                    ++end;
                }
                taken_[column] = end;
                take(column, {turned_.indices.data() + begin, end - begin},
                     std::span<const double>(turned_.values.data() + begin, end - begin));
            }
        });
    }

    void add_upper(Index column, Index row, double weight) {
        const auto columns = z_.row_indices(row);
        const auto values = z_.row_values(row);
        double* sums = row_of(column);
        auto k = static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
        for (; k < columns.size(); ++k) {
            sums[columns[k]] += weight * values[k];
        }
    }

    /// Drops the zeros of pairs of columns without a common row.
    template <class Value>
    [[nodiscard]] CsrMatrix<double> matrix(const Value& value_of) const {
        CsrMatrix<double> result{.rows = z_.columns, .columns = z_.columns};
        result.offsets.reserve(z_.columns + std::size_t{1});
        for (Index i = 0; i < z_.columns; ++i) {
            Offset entries = result.offsets.back();
            for (Index j = 0; j < z_.columns; ++j) {
                entries += value_of(i, j) != 0.0 ? 1 : 0;
            }
            result.offsets.push_back(entries);
        }
        result.indices.reserve(result.offsets.back());
        result.values.reserve(result.offsets.back());
        for (Index i = 0; i < z_.columns; ++i) {
            for (Index j = 0; j < z_.columns; ++j) {
                const double value = value_of(i, j);
                if (value != 0.0) {
                    result.indices.push_back(j);
                    result.values.push_back(value);
                }
            }
        }
        return result;
    }

    const CsrMatrix<double>& z_;
    const RunContext& context_;
    CsrMatrix<double> turned_;   ///< Z^T
    std::vector<Offset> taken_;  ///< for each column of Z, its entries in earlier batches
    std::size_t stride_;         ///< columns, filled up to whole vectors
    std::vector<double> sums_{};
};

/// Whether sums for all pairs of columns are faster than sums for pairs with a common row only. A sum that is located
/// by its column takes about eight times as long as one in a dense row.
bool all_pairs_pay(double met_in_a_row, const CsrMatrix<double>& z) {
    const std::size_t bytes = std::size_t{z.columns} * z.columns * sizeof(double);
    return z.rows > 0 && z.columns > 0 && bytes <= most_dense_bytes &&
           8.0 * met_in_a_row >= static_cast<double>(z.columns);
}

CsrMatrix<double> scaled_rows(CsrMatrix<double> z, const std::vector<double>& factors) {
    for (Index i = 0; i < z.rows; ++i) {
        for (Offset k = z.offsets[i]; k < z.offsets[i + std::size_t{1}]; ++k) {
            z.values[k] *= factors[i];
        }
    }
    return z;
}

/// Z^T (A Z).
CsrMatrix<double> by_sparse_products(const CsrMatrix<double>& az, const CsrMatrix<double>& z,
                                     const RunContext& context) {
    require_memory(context, {{"weights of points by landmark", z.bytes()}}, less_memory);
    CsrMatrix<double> result = product(transpose(z, context), az, beside(context, z.bytes()));
    symmetrise(result);
    return result;
}

void require_rows(std::size_t rows, std::size_t columns, const CsrMatrix<double>& z) {
    if (rows != columns || rows != z.rows) {
        throw InvalidArgument("matrix", std::to_string(rows) + " x " + std::to_string(columns),
                              "must be square with " + std::to_string(z.rows) + " rows, those of the weights");
    }
}

}  // namespace

bool congruence_is_dense(const CsrMatrix<double>& a, const CsrMatrix<double>& z) {
    const double rows = z.rows;
    return all_pairs_pay(static_cast<double>(a.entries()) * static_cast<double>(z.entries()) / (rows * rows), z);
}

CsrMatrix<double> congruence(const CsrMatrix<double>& a, const CsrMatrix<double>& z, const RunContext& context) {
    require_rows(a.rows, a.columns, z);
    if (congruence_is_dense(a, z)) {
        return DenseSums::of(a, z, context);
    }
    const CsrMatrix<double> az = product(a, z, context);
    return by_sparse_products(az, z, beside(context, az.bytes()));
}

CsrMatrix<double> congruence(const std::vector<double>& diagonal, const CsrMatrix<double>& z,
                             const RunContext& context) {
    const std::size_t size = diagonal.empty() ? z.rows : diagonal.size();
    require_rows(size, size, z);
    // Only pairs with a common row are computed, and the result is scanned once: such pairs must be a fourth of all.
    const double entries = static_cast<double>(z.entries());
    const double met = entries * entries / (2.0 * z.rows * z.columns);
    if (all_pairs_pay(met, z)) {
        return DenseSums(z, context).of(diagonal);
    }
    if (diagonal.empty()) {
        return by_sparse_products(z, z, context);
    }
    require_memory(context, {{"weights of landmarks by the diagonal", z.bytes()}}, less_memory);
    return by_sparse_products(scaled_rows(z, diagonal), z, beside(context, z.bytes()));
}

}  // namespace isogon
