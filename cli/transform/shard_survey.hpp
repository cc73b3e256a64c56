#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "isogon/methods/model.hpp"
#include "program/session.hpp"
#include "transform/shard_folder.hpp"
#include "transform/transform_shards.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// One worker's part of a list of files: "3/16" takes the third and every sixteenth from there.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    [[nodiscard]] bool takes(std::size_t place) const { return place % count == number - 1; }
};

/// One file of a shard and how far it has come.
struct ShardTask {
    ShardFile file;
    ShardState state = ShardState::Missing;
    std::uint64_t points = 0;  ///< in the input
    bool made = false;         ///< by this run
    std::string trouble{};     ///< why it could not be made

    [[nodiscard]] bool finished() const { return state == ShardState::Finished; }
};

/// A shard before work starts: what there is to do, and all that is wrong with it.
struct Survey {
    Shard shard;
    std::vector<ShardFile> all;
    std::vector<ShardTask> tasks;
    std::vector<std::string> input_mistakes;
    std::vector<std::string> output_mistakes;

    [[nodiscard]] bool good() const { return input_mistakes.empty() && output_mistakes.empty(); }
};

/// The list of inputs, those of the shard and their heads. No file is read through but text. Throws InvalidArgument for
/// a flag, InputError for a pattern without a file.
[[nodiscard]] Survey survey_inputs(const ShardJob& job, const Transformer& transformer);

/// What outputs of this job depend on, and the list. One pass over the model.
[[nodiscard]] ShardPlan plan_of(const ShardJob& job, const Survey& survey, const RunContext& context);

/// Whether the folder can be written, has been begun by the same run, and how far each output is: one pass over the
/// files that may be finished. Throws Interruption.
void survey_outputs(const ShardJob& job, const ShardFolder& folder, Survey& survey, Session& session);

/// All mistakes at once, so that they can be mended at once.
[[nodiscard]] Outcome refuse(const Survey& survey);

}  // namespace isogon::cli
