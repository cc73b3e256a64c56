#pragma once
// Many files transformed into a folder, by several processes or machines at a time: the folder and its records, the
// request, and the state of every file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/model.hpp"
#include "program/command_line.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// Identifies the content of a file.
struct FileIdentity {
    std::uint64_t bytes = 0;
    std::string sha256;

    [[nodiscard]] bool operator==(const FileIdentity&) const = default;
};

/// Record of a finished output.
struct ShardRecord {
    std::string run;  ///< ShardPlan::run_digest() of the run that made it
    FileIdentity input;
    FileIdentity output;
    std::uint64_t points = 0;
};

/// What all workers that write into one folder must have in common.
struct ShardPlan {
    std::string version;                         ///< of isogon
    std::string model;                           ///< SHA-256 of its file
    std::map<std::string, std::string> options;  ///< how rows are read and placed, and what is written
    std::vector<std::string> inputs;             ///< names of the files, all shards together, in order

    /// Digest of everything that outputs depend on besides their inputs: all members but the list.
    [[nodiscard]] std::string run_digest() const;
};

/// Return nothing if the file does not exist. Throw InputError for a file that is damaged, not written by isogon, or of
/// a newer version of isogon.
[[nodiscard]] std::optional<ShardRecord> read_shard_record(const std::filesystem::path& path);
[[nodiscard]] std::optional<ShardPlan> read_shard_plan(const std::filesystem::path& path);

/// Write the file completely or not at all; equal content gives equal bytes. Throw OutputError.
void write_shard_record(const std::filesystem::path& path, const ShardRecord& record, bool overwrite);
void write_shard_plan(const std::filesystem::path& path, const ShardPlan& plan, bool overwrite);

/// An input file and its output.
struct ShardFile {
    std::string input;
    std::string name;  ///< of the input, without its folder: the same on machines that have it at different places
    std::filesystem::path output;
};

/// State of an output.
enum class ShardState {
    Finished,      ///< complete, and made from this input by a run of the same plan
    Missing,       ///< does not exist
    HalfWritten,   ///< shorter than its record says: an interrupted copy, for example
    InputChanged,  ///< complete, but the input has changed
    Altered,       ///< changed since it was made
    Foreign,       ///< has no record
    OtherRun       ///< made with another model, other options or another version
};

/// "finished", "missing", "half-written", "input-changed", "altered", "foreign", "other-run"
[[nodiscard]] std::string_view name(ShardState state);
/// Whether an output in this state is replaced only with --overwrite.
[[nodiscard]] bool is_refused(ShardState state);
/// Message about an output in this state; empty for finished and missing ones.
[[nodiscard]] std::string describe(ShardState state, const ShardFile& file);

/// The output folder of all workers. A subfolder isogon-shards holds their common plan, and a record for each finished
/// output. Workers share nothing else: files appear complete or not at all, and a record is written just before its
/// output is renamed into place.
class ShardFolder {
public:
    ShardFolder(std::filesystem::path folder, ShardPlan plan);

    /// How this run differs from the one that started the folder. `overwrite`: model, options and version may differ;
    /// `allow_gaps`: files may be missing. Throws InputError for a plan that cannot be read.
    [[nodiscard]] std::vector<std::string> mistakes(bool overwrite, bool allow_gaps) const;
    /// Number of files added since the folder was started.
    [[nodiscard]] std::size_t new_files() const;

    /// Takes one pass over input and output if both may be finished. Throws InputError, Interruption.
    [[nodiscard]] ShardState state(const ShardFile& file, const RunContext& context) const;

    /// Creates the folders and the plan. Throws OutputError, and InputError if another run has started there in the
    /// meantime.
    void begin(bool overwrite);
    /// Removes temporary files of killed workers; returns their number.
    std::size_t remove_temporaries() const;
    /// Call it when an output is complete but not yet renamed: writes the record and, with `replace`, removes the old
    /// output. `made` has no run. Throws OutputError.
    void store_record(const ShardFile& file, const ShardRecord& made, bool replace) const;

private:
    [[nodiscard]] std::filesystem::path record_of(const ShardFile& file) const;
    [[nodiscard]] std::filesystem::path plan_file() const;
    [[nodiscard]] std::optional<ShardRecord> find_record(const ShardFile& file) const;

    std::filesystem::path folder_;
    std::filesystem::path records_;
    ShardPlan plan_;
    std::string run_;
};

/// Size and SHA-256 of a file. Throws InputError, Interruption.
[[nodiscard]] FileIdentity identity_of(const std::filesystem::path& path, const RunContext& context);

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

/// A worker's part of a list of files: "3/16" is the third file and every sixteenth after it.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    [[nodiscard]] bool takes(std::size_t place) const { return place % count == number - 1; }
};

/// A file of a shard and the state of its output.
struct ShardTask {
    ShardFile file;
    ShardState state = ShardState::Missing;
    std::uint64_t points = 0;  ///< in the input
    bool made = false;         ///< by this run
    std::string error{};       ///< why it could not be made

    [[nodiscard]] bool finished() const { return state == ShardState::Finished; }
};

/// The result of all checks of a shard before work starts: its tasks and all errors.
struct Survey {
    Shard shard;
    std::vector<ShardFile> all;
    std::vector<ShardTask> tasks;
    std::vector<std::string> input_mistakes;
    std::vector<std::string> output_mistakes;

    [[nodiscard]] bool valid() const { return input_mistakes.empty() && output_mistakes.empty(); }
};

/// Lists the inputs, selects those of the shard, and checks their headers. Only text is read completely. Throws
/// InvalidArgument for a flag, InputError for a pattern without files.
[[nodiscard]] Survey survey_inputs(const ShardJob& job, const Transformer& transformer);

/// Everything that the outputs of this job depend on, and the list of inputs. Takes one pass over the model.
[[nodiscard]] ShardPlan plan_of(const ShardJob& job, const Survey& survey, const RunContext& context);

/// Checks whether the folder can be written and was started by a run of the same plan, and finds the state of each
/// output, with one pass over files that may be finished. Throws Interruption.
void survey_outputs(const ShardJob& job, const ShardFolder& folder, Survey& survey, Session& session);

/// Outcome that lists all errors at once.
[[nodiscard]] Outcome refuse(const Survey& survey);

}  // namespace isogon::cli
