#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "input_files.hpp"
#include "isogon/core/types.hpp"
#include "shard_files.hpp"

namespace isogon::cli {

/// What the files of a shard are checked against.
struct ShardNeeds {
    std::string model;
    Index dimension = 0;  ///< of the points that the model takes
    bool words = false;   ///< the outputs need them
};

/// Opens every file of `mine` and looks at what its head says (text is read through): that it can be read, that its
/// points have the model's dimension, and that its numbers are of the type of the first file of `all`, so that the
/// shards of one set are alike whoever looks at them. What is not so is added to `mistakes`. Returns the points of each
/// file, 0 for those with a mistake.
[[nodiscard]] std::vector<std::uint64_t> check_heads(const std::vector<ShardFile>& mine,
                                                     const std::vector<ShardFile>& all, const ShardNeeds& needs,
                                                     const InputFlags& reading, std::vector<std::string>& mistakes);

}  // namespace isogon::cli
