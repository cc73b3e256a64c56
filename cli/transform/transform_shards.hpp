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

/// isogon transform with a folder for its output, as the command line spells it.
struct ShardFlags {
    std::string shard;                  ///< "3/16"; empty: all files
    std::string output_format = "npy";  ///< the ending of the outputs
    bool check = false;                 ///< look, and write nothing
    bool allow_gaps = false;            ///< files may be missing among the inputs
};

struct ShardJob {
    std::string model;
    std::vector<std::string> inputs;  ///< names and patterns
    std::string folder;
    ShardFlags flags;
    InputFlags reading;
    std::map<std::string, std::string> way;  ///< how rows are placed: every option of it
};

/// Adds --shard, --output-format, --check and --allow-gaps.
void add_shard_flags(CLI::App& app, ShardFlags& flags);

/// True if the flags or the output say that each input gets an output of its own, in a folder. Throws UsageError for
/// flags that need one and have none.
[[nodiscard]] bool wants_folder(const std::string& output, const ShardFlags& flags);

/// Transforms each file of a shard into one of its own, in their order, those that are not finished; or, to check, says
/// which are. Every mistake that the heads of the files, the folder and its records show is named before work starts.
/// Memory as transform_rows() takes, for one file at a time. Throws what describe_current_exception() sorts.
[[nodiscard]] Outcome transform_shards(const ShardJob& job, const Transformer& transformer, Session& session);

}  // namespace isogon::cli
