#pragma once
#include <string>
#include <vector>

#include "isogon/methods/model.hpp"
#include "outcome.hpp"
#include "session.hpp"
#include "shard_files.hpp"
#include "shard_folder.hpp"
#include "shard_pass.hpp"
#include "transform_shards.hpp"

namespace isogon::cli {

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
