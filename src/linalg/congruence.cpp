#include "isogon/linalg/congruence.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/sparse_algebra.hpp"
#include "isogon/linalg/sparse_product.hpp"

namespace isogon {

namespace {

constexpr std::size_t most_parts = 16;
constexpr std::size_t rows_between_checks = 1024;

/// Sums over some rows of A: the upper half of their share of Z^T A Z.
class UpperHalf {
public:
    explicit UpperHalf(Index columns) : columns_(columns), row_(columns), sums_(std::size_t{columns} * columns, 0.0) {}

    void add(const WideSparseMatrix& a, const WideSparseMatrix& z, Index i) {
        std::fill(row_.begin(), row_.end(), 0.0);
        for (Offset k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
            const double weight = a.values[k];
            for (Offset l = z.offsets[a.indices[k]]; l < z.offsets[a.indices[k] + std::size_t{1}]; ++l) {
                row_[z.indices[l]] += weight * z.values[l];
            }
        }
        for (Offset l = z.offsets[i]; l < z.offsets[i + std::size_t{1}]; ++l) {
            const std::size_t first = z.indices[l];
            double* sums = sums_.data() + first * columns_;
            for (std::size_t column = first; column < columns_; ++column) {
                sums[column] += z.values[l] * row_[column];
            }
        }
    }

    void add(const UpperHalf& other) {
        std::transform(sums_.begin(), sums_.end(), other.sums_.begin(), sums_.begin(), std::plus<>());
    }

    /// Both halves, without the zeros of columns that never meet.
    [[nodiscard]] WideSparseMatrix matrix() const {
        const auto size = static_cast<Index>(columns_);
        WideSparseMatrix result{.rows = size, .columns = size};
        for (Index i = 0; i < size; ++i) {
            for (Index j = 0; j < size; ++j) {
                const double value = sums_[std::size_t{std::min(i, j)} * columns_ + std::max(i, j)];
                if (value != 0.0) {
                    result.indices.push_back(j);
                    result.values.push_back(value);
                }
            }
            result.offsets.push_back(result.indices.size());
        }
        return result;
    }

private:
    std::size_t columns_;
    std::vector<double> row_;
    std::vector<double> sums_;
};

std::size_t dense_bytes(Index columns) {
    return std::size_t{columns} * columns * sizeof(double);
}

/// Parts are cut by the problem, so that sums are added in one order.
std::size_t part_count(const WideSparseMatrix& z) {
    const std::size_t held = most_dense_bytes / std::max<std::size_t>(dense_bytes(z.columns), 1);
    return std::clamp<std::size_t>(std::min<std::size_t>(held, z.rows / rows_between_checks), 1, most_parts);
}

WideSparseMatrix dense_congruence(const WideSparseMatrix& a, const WideSparseMatrix& z, const RunContext& context) {
    const std::size_t block = block_count(z.rows, part_count(z));
    std::vector<UpperHalf> parts(block_count(z.rows, block), UpperHalf(0));
    parallel_tasks(context, parts.size(), [&](std::size_t part) {
        parts[part] = UpperHalf(z.columns);
        const Range rows = block_range(part, z.rows, block);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            if (i % rows_between_checks == 0) {
                stop_if_asked(context);
            }
            parts[part].add(a, z, static_cast<Index>(i));
        }
    });
    for (std::size_t part = 1; part < parts.size(); ++part) {
        parts.front().add(parts[part]);
    }
    return parts.front().matrix();
}

}  // namespace

bool congruence_is_dense(const WideSparseMatrix& a, const WideSparseMatrix& z) {
    if (z.rows == 0 || z.columns == 0 || dense_bytes(z.columns) > most_dense_bytes) {
        return false;
    }
    // A sum that is placed by its column takes some eight times as long as one in a row of all columns.
    const double met = static_cast<double>(a.entries()) * static_cast<double>(z.entries()) /
                       (static_cast<double>(z.rows) * static_cast<double>(z.rows));
    return 8.0 * met >= static_cast<double>(z.columns);
}

WideSparseMatrix congruence(const WideSparseMatrix& a, const WideSparseMatrix& z, const RunContext& context) {
    if (a.rows != a.columns || a.rows != z.rows) {
        throw InvalidArgument("matrix", std::to_string(a.rows) + " x " + std::to_string(a.columns),
                              "must be square with " + std::to_string(z.rows) + " rows, those of the weights");
    }
    if (congruence_is_dense(a, z)) {
        return dense_congruence(a, z, context);
    }
    WideSparseMatrix result = product(transpose(z), product(a, z, context), context);
    symmetrise(result);
    return result;
}

}  // namespace isogon
