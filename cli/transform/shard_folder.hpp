#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/run_context.hpp"

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

/// A file on its way: what is read, and where its coordinates go.
struct ShardFile {
    std::string input;
    std::string name;  ///< of the input, without its folder: the same on machines that have it at different places
    std::filesystem::path output;
};

/// How far one output has come.
enum class ShardState {
    Finished,      ///< by its record, made by this run of this input, and whole
    Missing,       ///< not there
    HalfWritten,   ///< ours, but shorter than it was made: a copy that was cut off, say
    InputChanged,  ///< ours and whole, but the input is another now
    Altered,       ///< ours, but changed since
    Foreign,       ///< not ours: there is no record of it
    OtherRun       ///< made with another model, other options or another version
};

/// "finished", "missing", "half-written", "input-changed", "altered", "foreign", "other-run"
[[nodiscard]] std::string_view name(ShardState state);
/// Whether it is made anew only with --overwrite.
[[nodiscard]] bool is_refused(ShardState state);
/// What there is to say of an output in this state; empty of those that are finished or missing.
[[nodiscard]] std::string describe(ShardState state, const ShardFile& file);

/// The folder that workers write into, with their records in a folder of its own, isogon-shards: a plan of what they
/// have in common, and a record for each finished output. Workers share nothing else: a file is there whole or not at
/// all, and a record is written just before its output gets its name.
class ShardFolder {
public:
    ShardFolder(std::filesystem::path folder, ShardPlan plan);

    /// What the run that began the folder has not in common with this one. `overwrite`: model, options and version may
    /// differ; `allow_gaps`: files may be missing. Throws InputError for a plan that cannot be read.
    [[nodiscard]] std::vector<std::string> mistakes(bool overwrite, bool allow_gaps) const;
    /// How many files there are more than when the folder was begun.
    [[nodiscard]] std::size_t new_files() const;

    /// One pass over the input and one over the output, where both may be finished; nothing otherwise. Throws
    /// InputError, Interruption.
    [[nodiscard]] ShardState state(const ShardFile& file, const RunContext& context) const;

    /// Makes the folders and the plan. Throws OutputError, and InputError if another run has begun meanwhile.
    void begin(bool overwrite);
    /// Removes what killed workers have left; says how many files.
    std::size_t clear() const;
    /// To be called when an output is whole and has not its name yet: the record comes, and with `replace` an old
    /// output goes. `made` lacks the run. Throws OutputError.
    void keep(const ShardFile& file, const ShardRecord& made, bool replace) const;

private:
    [[nodiscard]] std::filesystem::path record_of(const ShardFile& file) const;
    [[nodiscard]] std::filesystem::path plan_file() const;
    [[nodiscard]] std::optional<ShardRecord> find_record(const ShardFile& file) const;

    std::filesystem::path folder_;
    std::filesystem::path records_;
    ShardPlan plan_;
    std::string run_;
};

/// Bytes and SHA-256. Throws InputError, Interruption.
[[nodiscard]] FileMark mark_of(const std::filesystem::path& path, const RunContext& context);

}  // namespace isogon::cli
