#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "input_files.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/methods/model.hpp"
#include "session.hpp"
#include "shard_folder.hpp"

namespace isogon::cli {

/// One file of a shard and how far it has come.
struct ShardTask {
    ShardFile file;
    ShardState state = ShardState::Missing;
    std::uint64_t points = 0;  ///< in the input
    bool made = false;         ///< by this run
    std::string trouble{};     ///< why it could not be made

    [[nodiscard]] bool finished() const { return state == ShardState::Finished; }
};

/// How a pass over the files of a shard ended.
struct ShardEnd {
    ExitCode code = ExitCode::Ok;
    std::string why;  ///< with a code other than Ok
    Summary summary;  ///< seconds and counts of all files together
};

/// Makes the outputs of all tasks that are not finished, one after the other, and notes in each how it went. Rows are
/// read once for their digest and once to be transformed, block by block, in the memory of transform_rows(). A file
/// with a bad row is passed over and told at the end; a disk that is full, a signal and the time limit end the pass.
/// What is finished then is kept, and nothing is half there.
[[nodiscard]] ShardEnd transform_shard(std::vector<ShardTask>& tasks, const Transformer& transformer,
                                       const ShardFolder& folder, const InputFlags& reading, Session& session);

}  // namespace isogon::cli
