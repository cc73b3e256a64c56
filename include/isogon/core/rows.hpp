#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

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
