#include "linalg/shared_rows.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/row_kernel.hpp"

namespace isogon {

SharedRows::SharedRows(Index count, const RankGroup& ranks)
    : ranks_(ranks),
      blocks_{count, block_count(count, dot_rows_in_block), dot_rows_in_block},
      own_(ranks.own_rows(blocks_)) {}

MultiVector<float> SharedRows::own_of(MultiVector<float>&& whole) const {
    return is_shared() ? own_of(std::as_const(whole)) : std::move(whole);
}

MultiVector<float> SharedRows::own_of(const MultiVector<float>& whole) const {
    if (!is_shared()) {
        return whole;
    }
    MultiVector<float> own(static_cast<Index>(own_.size()), whole.columns());
    for (Index i = 0; i < own.rows(); ++i) {
        std::copy_n(whole.row(first() + i), whole.columns(), own.row(i));
    }
    return own;
}

MultiVector<float> SharedRows::gathered(MultiVector<float> own) const {
    if (!is_shared()) {
        return own;
    }
    MultiVector<float> whole(static_cast<Index>(blocks_.count), own.columns());
    for (Index i = 0; i < own.rows(); ++i) {
        std::copy_n(own.row(i), own.columns(), whole.row(first() + i));
    }
    ranks_.all_gather_rows(blocks_, std::as_writable_bytes(std::span(whole.row(0), whole.rows() * whole.stride())));
    return whole;
}

double SharedRows::sum(std::size_t count, const std::function<double(Range)>& of_rows,
                       const RunContext& context) const {
    std::vector<double> parts(block_count(count, dot_rows_in_block));
    parallel_tasks(context, parts.size(),
                   [&](std::size_t part) { parts[part] = of_rows(block_range(part, count, dot_rows_in_block)); });
    return total_of(parts);
}

double SharedRows::dot(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) const {
    const auto of_rows = [&](Range rows) { return dot_of_rows(numbers_of(a, rows), b.row(rows.begin)); };
    return sum(a.rows(), of_rows, context);
}

double SharedRows::axpy_dot(double factor, const MultiVector<float>& a, MultiVector<float>& b,
                            const MultiVector<float>& c, const RunContext& context) const {
    const auto of_rows = [&](Range rows) {
        return axpy_dot_of_rows(static_cast<float>(factor), a.row(rows.begin), numbers_of(b, rows), c.row(rows.begin));
    };
    return sum(a.rows(), of_rows, context);
}

/// Adds the sums of the blocks of all ranks, in their order.
double SharedRows::total_of(const std::vector<double>& own) const {
    if (!is_shared()) {
        return std::accumulate(own.begin(), own.end(), 0.0);
    }
    std::vector<double> parts(blocks_.blocks);
    std::copy(own.begin(), own.end(), parts.begin() + static_cast<std::ptrdiff_t>(ranks_.own_blocks(blocks_).begin));
    ranks_.all_gather_blocks(blocks_, std::as_writable_bytes(std::span(parts)));
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace isogon
