#include "isogon/core/points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Without a branch, so that the compiler vectorises it: NaN and infinity have all bits of the exponent set.
bool all_finite(std::span<const float> row) {
    constexpr std::int32_t magnitude = 0x7fffffff;
    constexpr std::int32_t largest = 0x7f7fffff;
    std::int32_t beyond = 0;
    for (const float value : row) {
        beyond |= (std::bit_cast<std::int32_t>(value) & magnitude) > largest ? 1 : 0;
    }
    return beyond == 0;
}

/// Why a number that is not finite is refused.
const char* trouble_of(float value) {
    return std::isnan(value) ? "the value is NaN; remove or fill such rows first"
                             : "the value is infinite; remove or clip such rows first";
}

}  // namespace

Index first_row_not_finite(const PointsView& points) {
    Index i = 0;
    while (i < points.count && all_finite(points[i])) {
        ++i;
    }
    return i;
}

void require_finite(const PointsView& points, const char* source, Index first) {
    const Index i = first_row_not_finite(points);
    if (i == points.count) {
        return;
    }
    const auto row = points[i];
    Index j = 0;
    while (std::isfinite(row[j])) {
        ++j;
    }
    throw InputError(source, "row " + std::to_string(first + i) + ", column " + std::to_string(j), trouble_of(row[j]));
}

namespace {

void write_norms(const PointsView& points, Range some, std::span<double> lengths) {
    // Several rows at once: each addition of a single sum depends on the previous one.
    constexpr std::size_t at_once = 8;
    for (std::size_t first = some.begin; first < some.end; first += at_once) {
        const std::size_t rows = std::min(at_once, some.end - first);
        std::array<double, at_once> sums{};
        for (Index k = 0; k < points.dimension; ++k) {
            for (std::size_t r = 0; r < rows; ++r) {
                const double value = double{points.data[(first + r) * points.stride + k]};
                sums[r] += value * value;
            }
        }
        std::transform(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(rows),
                       lengths.begin() + static_cast<std::ptrdiff_t>(first), [](double sum) { return std::sqrt(sum); });
    }
}

}  // namespace

std::vector<Index> numbers_below(std::size_t count) {
    std::vector<Index> numbers(count);
    std::iota(numbers.begin(), numbers.end(), Index{0});
    return numbers;
}

std::vector<double> norms(const PointsView& points, const RunContext& context) {
    constexpr std::size_t rows_at_once = 1024;
    std::vector<double> lengths(points.count);
    parallel_blocks(context, points.count, rows_at_once, [&](Range some) { write_norms(points, some, lengths); });
    return lengths;
}

namespace {

constexpr std::uint64_t block_bytes = 32'000'000;

}  // namespace

void ViewRows::read(Index first, std::span<float> values) const {
    for (auto to = values.begin(); to != values.end(); ++first) {
        to = std::copy_n(points_[first].begin(), points_.dimension, to);
    }
}

void PointsSink::write(const PointsView& rows) {
    for (Index i = 0; i < rows.count; ++i, ++next_) {
        std::copy_n(rows[i].begin(), rows.dimension, points_[next_].begin());
    }
}

Index rows_per_block(Index count, std::uint64_t numbers, Index multiple) {
    // Rows of dimension 0 need no memory.
    const std::uint64_t row_bytes = std::max<std::uint64_t>(1, numbers * sizeof(float));
    const std::uint64_t fitting = std::max<std::uint64_t>(1, block_bytes / row_bytes);
    const std::uint64_t rounded = fitting < multiple ? fitting : fitting / multiple * multiple;
    return static_cast<Index>(std::min<std::uint64_t>(rounded, count));
}

Points read_rows(const RowSource& source, std::span<const Index> chosen) {
    Points points(static_cast<Index>(chosen.size()), source.dimension());
    for (Index i = 0; i < points.count(); ++i) {
        source.read(chosen[i], points[i]);
    }
    return points;
}

void require_finite_row(std::span<const float> row, const std::function<std::string()>& place) {
    const auto bad = std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
    if (bad != row.end()) {
        throw InputError(place(), "column " + std::to_string(bad - row.begin()), trouble_of(*bad));
    }
}

void FiniteRows::read(Index first, std::span<float> values) const {
    source_.read(first, values);
    if (source_.always_finite()) {
        return;
    }
    const std::size_t width = dimension();
    for (std::size_t done = 0; done < values.size(); done += width, ++first) {
        require_finite_row(values.subspan(done, width), [&] { return source_.place(first); });
    }
}

void require_finite(const RowSource& source, const RunContext& context) {
    if (source.always_finite()) {
        return;
    }
    const FiniteRows checked(source);
    const Index step = rows_per_block(source.count(), source.dimension());
    Points block(step, source.dimension());
    for (Index first = 0; first < source.count();) {
        throw_if_cancelled(context);
        const Index rows = std::min(step, source.count() - first);
        checked.read(first, block.values().first(std::size_t{rows} * source.dimension()));
        first += rows;
        context.report({"checking", first, source.count(), 0.0});
    }
}

}  // namespace isogon
