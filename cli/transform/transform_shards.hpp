#pragma once
#include <map>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/methods/model.hpp"
#include "program/cli11_types.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// Flags of isogon transform with a folder as output.
struct ShardFlags {
    std::string shard;                  ///< "3/16"; empty: all files
    std::string output_format = "npy";  ///< extension of the outputs
    bool check = false;                 ///< report states, write nothing
    bool allow_gaps = false;            ///< files may be missing among the inputs
};

struct ShardJob {
    std::string model;
    std::vector<std::string> inputs;  ///< names and patterns
    std::string folder;
    ShardFlags flags;
    InputFlags reading;
    std::map<std::string, std::string> placement_options;  ///< placement of rows, with all of its options
};

/// Adds --shard, --output-format, --check and --allow-gaps.
void add_shard_flags(CLI::App& app, ShardFlags& flags);

/// True if each input gets its own output in a folder. Throws UsageError for flags that need a folder without one.
[[nodiscard]] bool wants_folder(const std::string& output, const ShardFlags& flags);

/// Transforms the unfinished files of a shard in order, each into its own output; with --check only reports their
/// states. All errors in headers, folder and records are reported before work starts. Memory as transform_rows() for
/// one file at a time. Throws what describe_current_exception() classifies.
[[nodiscard]] Outcome transform_shards(const ShardJob& job, const Transformer& transformer, Session& session);

}  // namespace isogon::cli
