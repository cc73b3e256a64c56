#include "isogon/core/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <numeric>

namespace isogon {

void parallel_tasks(const RunContext& context, std::size_t tasks, const std::function<void(std::size_t)>& body) {
    const int threads = context.thread_count();
    if (threads == 1 || tasks <= 1) {
        for (std::size_t task = 0; task < tasks; ++task) {
            body(task);
        }
        return;
    }
    oneapi::tbb::task_arena arena(threads);
    arena.execute([&] { oneapi::tbb::parallel_for(std::size_t{0}, tasks, body, oneapi::tbb::simple_partitioner{}); });
}

void parallel_blocks(const RunContext& context, std::size_t count, std::size_t block,
                     const std::function<void(Range)>& body) {
    parallel_tasks(context, block_count(count, block), [&](std::size_t i) { body(block_range(i, count, block)); });
}

double parallel_sum(const RunContext& context, std::size_t count, std::size_t block,
                    const std::function<double(Range)>& body) {
    std::vector<double> parts(block_count(count, block));
    parallel_tasks(context, parts.size(), [&](std::size_t i) { parts[i] = body(block_range(i, count, block)); });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace isogon
