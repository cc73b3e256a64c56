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
/// one too, or all are parquet or arrow files. Called before work starts.
void require_extendable(const TablesToExtend& tables, const std::string& output);

/// Writes the picked rows of tables with further columns, all or nothing: every field of the inputs stays as it is.
class ExtendedTable : public RowSink {
public:
    virtual void commit() = 0;
};

/// Of text, a field gets quotes where the output's delimiter asks for them, and there is the memory of one row; of
/// parquet and arrow that of all.
[[nodiscard]] std::unique_ptr<ExtendedTable> extended_table(const TablesToExtend& tables, const std::string& output,
                                                            const WriteOptions& how);

}  // namespace isogon::cli
