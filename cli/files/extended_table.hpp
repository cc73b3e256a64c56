#pragma once
#include <memory>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/output.hpp"

namespace isogon::cli {

/// The flag of a verb whose output may be such a table.
void add_keep_columns(CLI::App& app, bool& flag);

/// The tables that are extended, and the names of their new columns: `prefix` with numbers from 0, and underscores
/// between where the tables have such names.
struct TablesToExtend {
    std::vector<std::string> inputs;
    InputFlags reading;
    std::string prefix;
};

/// Throws UsageError unless the inputs are csv or tsv files of the same columns in the same order, and the output is
/// one too. Called before work starts.
void require_extendable(const TablesToExtend& tables, const std::string& output);

/// Writes the picked rows of tables with further columns, all or nothing: every field of the inputs stays as it is. A
/// field gets quotes where the output's delimiter asks for them. The memory of one row.
class ExtendedTable final : public RowSink {
public:
    ExtendedTable(const TablesToExtend& tables, const std::string& output, const WriteOptions& how);
    ~ExtendedTable() override;

    void write(const PointsView& rows) override;
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace isogon::cli
