#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/run_context.hpp"

// Points: in memory, with their lengths and distances, or as rows that are read and written block by block.
namespace isogon {

/// A range [begin, end) of a longer one.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Number of a point, a row or a column. 32 bits: 2^32 points exceed the memory of one machine.
using Index = std::uint32_t;

/// Position in a list of pairs or bytes, which outgrows 32 bits at some 100,000 points.
using Offset = std::uint64_t;

/// A read-only view of `count` points of `dimension` floats each. Point i is contiguous and begins at data + i * stride
/// (numpy's C order), so arrays from Python and memory-mapped .npy files pass without a copy. The view does not own the
/// memory, which must outlive it.
struct PointsView {
    const float* data = nullptr;
    Index count = 0;
    Index dimension = 0;
    std::size_t stride = 0;  ///< floats from the start of one point to the start of the next

    PointsView() = default;
    PointsView(const float* first, Index n, Index d) : PointsView(first, n, d, d) {}
    PointsView(const float* first, Index n, Index d, std::size_t step)
        : data(first), count(n), dimension(d), stride(step) {}

    [[nodiscard]] std::span<const float> operator[](Index i) const { return {data + i * stride, dimension}; }
    [[nodiscard]] bool empty() const { return count == 0 || dimension == 0; }
};

/// Points that own their memory: `count` rows of `dimension` floats, dense, zero at the start.
class Points {
public:
    Points() = default;
    Points(Index count, Index dimension)
        : values_(std::size_t{count} * dimension), count_(count), dimension_(dimension) {}

    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index dimension() const { return dimension_; }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::span<float> operator[](Index i) { return {values_.data() + start(i), dimension_}; }
    [[nodiscard]] std::span<const float> operator[](Index i) const { return {values_.data() + start(i), dimension_}; }
    [[nodiscard]] std::span<float> values() & { return values_; }
    [[nodiscard]] std::span<const float> values() const& { return values_; }
    /// Moves the memory out of a temporary, so that `for (float v : fit().coordinates.values())`, whose temporary ends
    /// before the loop begins, reads memory that still lives.
    [[nodiscard]] std::vector<float> values() && { return std::move(values_); }
    [[nodiscard]] PointsView view() const { return {values_.data(), count_, dimension_}; }

private:
    [[nodiscard]] std::size_t start(Index i) const { return std::size_t{i} * dimension_; }

    std::vector<float> values_;
    Index count_ = 0;
    Index dimension_ = 0;
};

/// Throws InputError that names the first row and column (both counted from 0) that hold NaN or infinity.
/// `source` is what the message calls the data, a file's name for instance, and `first` the number of its first row
/// there. O(n D) time, no memory.
void require_finite(const PointsView& points, const char* source, Index first = 0);

/// The first row that holds NaN or infinity; the number of rows if none does. O(n D) time.
[[nodiscard]] Index first_row_not_finite(const PointsView& points);

/// Euclidean length of every point, summed in float64. Zero exactly for zero vectors. O(n D) time on the
/// context's threads, one where there is none; O(n) memory.
[[nodiscard]] std::vector<double> norms(const PointsView& points, const RunContext& context = {.threads = 1});

/// 0, 1, ..., count - 1.
[[nodiscard]] std::vector<Index> numbers_below(std::size_t count);

/// |u - v|^2 of two rows of `count` numbers each, float32 or float64: differences and their sum in float64, from the
/// first number to the last, so that two rows have the same distance wherever it is evaluated. Defined in the header,
/// because the compiler unrolls the loop where it knows the count (2 or 3, the dimension of maps).
template <typename First, typename Second>
[[nodiscard]] inline double squared_distance(const First* u, const Second* v, std::size_t count) {
    double sum = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
        const double difference = double{u[c]} - double{v[c]};
        sum += difference * difference;
    }
    return sum;
}

/// Points that need not be in memory: any range of rows can be read, any number of times.
class RowSource {
public:
    RowSource() = default;
    virtual ~RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;

    [[nodiscard]] virtual Index count() const = 0;
    [[nodiscard]] virtual Index dimension() const = 0;
    /// Fills `values` with rows first, first + 1, ...: values.size() / dimension() of them, all below count().
    /// Throws InputError if they cannot be read any more.
    virtual void read(Index first, std::span<float> values) const = 0;
    /// True if no number can be NaN or infinite, so that checks may be omitted.
    [[nodiscard]] virtual bool always_finite() const { return false; }
    /// "vectors.npy, row 17": the origin of a row, for messages.
    [[nodiscard]] virtual std::string place(Index row) const { return "row " + std::to_string(row); }
};

/// A consumer of rows, which arrive in order, block by block.
class RowSink {
public:
    RowSink() = default;
    virtual ~RowSink() = default;
    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;

    /// Consumes the next rows. Throws OutputError.
    virtual void write(const PointsView& rows) = 0;
};

/// Points in memory as a source; the memory must outlive it.
class ViewRows final : public RowSource {
public:
    explicit ViewRows(const PointsView& points) : points_(points) {}
    [[nodiscard]] Index count() const override { return points_.count; }
    [[nodiscard]] Index dimension() const override { return points_.dimension; }
    void read(Index first, std::span<float> values) const override;

private:
    PointsView points_;
};

/// A sink that stores the rows in `points`, from row 0 on.
class PointsSink final : public RowSink {
public:
    explicit PointsSink(Points& points) : points_(points) {}
    void write(const PointsView& rows) override;

private:
    Points& points_;
    Index next_ = 0;
};

/// The number of rows of a block in a pass over rows of `numbers` floats: some 32 MB, at least one and at most `count`,
/// a multiple of `multiple` if that many rows are allowed. Depends on these arguments only.
[[nodiscard]] Index rows_per_block(Index count, std::uint64_t numbers, Index multiple = 1);

/// The rows that `chosen` lists, in its order. O(chosen).
[[nodiscard]] Points read_rows(const RowSource& source, std::span<const Index> chosen);

/// Throws InputError if a row holds NaN or infinity, naming the column; `place` names the row, if it is needed.
void require_finite_row(std::span<const float> row, const std::function<std::string()>& place);

/// Rows that are checked while they are read: the check of require_finite() without a separate pass. read() throws
/// InputError, which names the first row and column that hold NaN or infinity. The source must outlive this.
class FiniteRows final : public RowSource {
public:
    explicit FiniteRows(const RowSource& source) : source_(source) {}
    [[nodiscard]] Index count() const override { return source_.count(); }
    [[nodiscard]] Index dimension() const override { return source_.dimension(); }
    [[nodiscard]] bool always_finite() const override { return true; }
    [[nodiscard]] std::string place(Index row) const override { return source_.place(row); }
    void read(Index first, std::span<float> values) const override;

private:
    const RowSource& source_;
};

/// Throws InputError naming the first row and column that hold NaN or infinity. One pass, block by block, unless the
/// source is always finite. Throws Interruption when the context ends the run.
void require_finite(const RowSource& source, const RunContext& context);

}  // namespace isogon
