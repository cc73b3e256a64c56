#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "isogon/methods/model.hpp"
#include "program/session.hpp"
#include "transform/shard_folder.hpp"
#include "transform/transform_shards.hpp"
#include "verbs.hpp"

namespace isogon::cli {

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
