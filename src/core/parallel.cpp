#include "core/parallel.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

#if defined(__SANITIZE_THREAD__)
#include <atomic>
#include <exception>
#else
#include <cerrno>
#include <latch>
#include <map>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace isogon {

namespace {

#if defined(__SANITIZE_THREAD__)
// The thread sanitizer cannot see how the TBB library, which is not built with it, passes work to threads, and reports
// every task as a race; a suppression of TBB's frames would also hide our own, which are above them. With the
// sanitizer, tasks therefore run on std::thread. The counter is relaxed on purpose: it must not add an order that the
// tasks themselves do not have.
bool run_tasks(int threads, std::size_t tasks, const std::function<void(std::size_t)>& body) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto work = [&] {
        for (std::size_t task = 0; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
            try {
                body(task);
            } catch (...) {
                const std::lock_guard lock(guard);
                failure = failure ? failure : std::current_exception();
            }
        }
    };
    std::vector<std::jthread> pool;
    for (int i = 0; i < threads; ++i) {
        pool.emplace_back(work);
    }
    pool.clear();  // joins
    if (failure) {
        std::rethrow_exception(failure);
    }
    return true;
}
#else
/// Whether so many threads can be started besides this one. TBB must not be the first to fail: it throws in its own
/// threads as well, which terminates the program.
bool can_start(int threads) {
    std::latch all_tried{1};
    std::vector<std::jthread> tried;
    struct Release {
        std::latch& latch;
        ~Release() { latch.count_down(); }
    };
    const Release release{all_tried};  // before the threads are joined
    try {
        for (int i = 0; i < threads; ++i) {
            tried.emplace_back([&all_tried] { all_tried.wait(); });
        }
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

// One arena for each number of threads, for the lifetime of the program: the construction of an arena costs many times
// a small loop, most on a busy machine. Never destroyed, so that destructors of other static objects can use it. Null
// if no more threads can be started: the loop then runs on one thread, with the same bits.
oneapi::tbb::task_arena* arena_for(int threads) {
    static std::mutex guard;
    static auto& arenas = *new std::map<int, oneapi::tbb::task_arena>;
    // For an arena larger than the machine TBB only prints a warning on stderr.
    const int width = std::min(threads, oneapi::tbb::info::default_concurrency());
    const std::lock_guard lock(guard);
    const auto known = arenas.find(width);
    if (known != arenas.end()) {
        return &known->second;
    }
    return can_start(width - 1) ? &arenas.try_emplace(width, width).first->second : nullptr;
}

bool run_tasks(int threads, std::size_t tasks, const std::function<void(std::size_t)>& body) {
    oneapi::tbb::task_arena* const arena = arena_for(threads);
    if (arena == nullptr) {
        return false;
    }
    // By reference: TBB copies the body at every split, and a copy of a std::function may allocate.
    const auto run = [&body](std::size_t task) { body(task); };
    try {
        arena->execute(
            [&] { oneapi::tbb::parallel_for(std::size_t{0}, tasks, run, oneapi::tbb::simple_partitioner{}); });
    } catch (const std::runtime_error& error) {
        // Other processes have started threads since the test: TBB's error is replaced by that of std::thread.
        if (std::string_view(error.what()).starts_with("pthread_create has failed")) {
            throw std::system_error(EAGAIN, std::generic_category(), "no thread could be started");
        }
        throw;
    }
    return true;
}
#endif

}  // namespace

void parallel_tasks(const RunContext& context, std::size_t tasks, const std::function<void(std::size_t)>& body) {
    const int threads = context.thread_count();
    if (threads > 1 && tasks > 1 && run_tasks(threads, tasks, body)) {
        return;
    }
    for (std::size_t task = 0; task < tasks; ++task) {
        body(task);
    }
}

void parallel_blocks(const RunContext& context, std::size_t count, std::size_t block,
                     const std::function<void(Range)>& body) {
    parallel_tasks(context, block_count(count, block), [&](std::size_t i) { body(block_range(i, count, block)); });
}

void parallel_groups(const RunContext& context, std::size_t count, const TaskGroups& groups,
                     const std::function<void(Range)>& body) {
    const std::size_t in_group = groups.block * groups.tasks;
    for (std::size_t start = 0; start < count; start += in_group) {
        throw_if_cancelled(context);
        const std::size_t end = std::min(start + in_group, count);
        parallel_blocks(context, end - start, groups.block, [&](Range range) {
            body({start + range.begin, start + range.end});
        });
        if (groups.phase != nullptr) {
            context.report({groups.phase, end, count, 0.0});
        }
    }
}

double parallel_sum(const RunContext& context, std::size_t count, std::size_t block,
                    const std::function<double(Range)>& body) {
    std::vector<double> parts(block_count(count, block));
    parallel_tasks(context, parts.size(), [&](std::size_t i) { parts[i] = body(block_range(i, count, block)); });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace isogon
