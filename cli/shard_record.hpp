#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isogon::cli {

/// What a file is known by, wherever it lies.
struct FileMark {
    std::uint64_t bytes = 0;
    std::string sha256;

    [[nodiscard]] bool operator==(const FileMark&) const = default;
};

/// What was made of one input, beside the output: by this a finished output is known.
struct ShardRecord {
    std::string run;  ///< ShardPlan::run_digest() of the run that made it
    FileMark input;
    FileMark output;
    std::uint64_t points = 0;
};

/// What all workers that write into one folder must have in common.
struct ShardPlan {
    std::string version;                         ///< of isogon
    std::string model;                           ///< SHA-256 of its file
    std::map<std::string, std::string> options;  ///< how rows are read and placed, and what is written
    std::vector<std::string> inputs;             ///< names of the files, all shards together, in order

    /// Of all that outputs depend on besides their inputs: everything but the list.
    [[nodiscard]] std::string run_digest() const;
};

/// Reads one; nothing if there is no such file. Throws InputError for a file that is damaged, none of ours, or of a
/// newer isogon than this.
[[nodiscard]] std::optional<ShardRecord> read_shard_record(const std::filesystem::path& path);
[[nodiscard]] std::optional<ShardPlan> read_shard_plan(const std::filesystem::path& path);

/// Writes one, all or nothing; the same content gives the same bytes. Throws OutputError.
void write_shard_record(const std::filesystem::path& path, const ShardRecord& record, bool overwrite);
void write_shard_plan(const std::filesystem::path& path, const ShardPlan& plan, bool overwrite);

}  // namespace isogon::cli
