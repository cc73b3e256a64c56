#pragma once
#include "input_rows.hpp"
#include "isogon/io/output.hpp"

namespace isogon::cli {

/// Rows on their way to a file, each block with the labels and words that belong to it.
class OutputRows final : public RowSink {
public:
    /// Opens the file for one row of `dimension` numbers for each of the input's. Throws as PointWriter does.
    OutputRows(const std::string& path, const InputRows& input, Index dimension, bool overwrite);

    void write(const PointsView& rows) override;
    /// Whether all rows have come.
    [[nodiscard]] bool complete() const { return writer_.written() == input_.rows->count(); }
    void commit(const BeforePlacing& before = {}) { writer_.commit(before); }

private:
    PointWriter writer_;
    const InputRows& input_;
};

}  // namespace isogon::cli
