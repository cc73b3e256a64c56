#pragma once
#include <cstddef>
#include <functional>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Runs body(task) for every task in [0, tasks) on the context's threads; returns when all are done. Which thread runs
/// a task, and when, is not fixed: a task must write only what belongs to it. The first exception is rethrown here.
/// Tasks must depend on the problem, never on the number of threads: results then have the same bits for any number.
void parallel_tasks(const RunContext& context, std::size_t tasks, const std::function<void(std::size_t)>& body);

/// Number of blocks of `block` items that `count` items fill.
[[nodiscard]] constexpr std::size_t block_count(std::size_t count, std::size_t block) {
    return (count + block - 1) / block;
}

/// The i-th of those blocks; the last may be shorter.
[[nodiscard]] constexpr Range block_range(std::size_t i, std::size_t count, std::size_t block) {
    const std::size_t begin = i * block;
    return {begin, begin + block < count ? begin + block : count};
}

/// Runs body(range) over blocks of `block` items.
void parallel_blocks(const RunContext& context, std::size_t count, std::size_t block,
                     const std::function<void(Range)>& body);

/// How parallel_groups() divides a loop.
struct TaskGroups {
    std::size_t block = 1;        ///< items of a task
    std::size_t tasks = 1;        ///< of a group
    const char* phase = nullptr;  ///< of the reports; without one there are none
};

/// Runs body(range) over blocks, group by group: before each the calling thread ends the run if it has to (throws
/// Interruption), and after each it reports the items done.
void parallel_groups(const RunContext& context, std::size_t count, const TaskGroups& groups,
                     const std::function<void(Range)>& body);

/// Sum over blocks of what body(range) returns, added in the order of the blocks: the same bits for any thread count.
[[nodiscard]] double parallel_sum(const RunContext& context, std::size_t count, std::size_t block,
                                  const std::function<double(Range)>& body);

}  // namespace isogon
