#include "isogon/core/parallel.hpp"

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
// The thread sanitizer cannot see how the TBB library, which is not built with it, hands work over, and reports every
// task as a race; a suppression for TBB's frames would hide ours too, since they lie above them. So under it the
// tasks run on plain threads. The counter is relaxed on purpose: it must not order what the tasks themselves do not.
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
/// Whether the machine starts so many threads beside this one now. TBB must not be the one to find out: what it throws
/// comes out of threads of its own, too, which ends the program.
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

// One for each number of threads, kept for good: an arena made anew for every loop cost many times what a small loop
// takes, most of all on a machine that is busy otherwise. Never destroyed, so that loops in other static objects'
// destructors find it.
// Null if no more threads can be started: the loop then runs on one thread, with the same bits.
oneapi::tbb::task_arena* arena_for(int threads) {
    static std::mutex guard;
    static auto& arenas = *new std::map<int, oneapi::tbb::task_arena>;
    // An arena wider than the machine only makes TBB print a warning on stderr.
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
    // By reference: TBB copies what it is given at every split, and copying a std::function may allocate.
    const auto run = [&body](std::size_t task) { body(task); };
    try {
        arena->execute(
            [&] { oneapi::tbb::parallel_for(std::size_t{0}, tasks, run, oneapi::tbb::simple_partitioner{}); });
    } catch (const std::runtime_error& error) {
        // Other processes have taken the threads since the test: TBB's error becomes that of std::thread.
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

double parallel_sum(const RunContext& context, std::size_t count, std::size_t block,
                    const std::function<double(Range)>& body) {
    std::vector<double> parts(block_count(count, block));
    parallel_tasks(context, parts.size(), [&](std::size_t i) { parts[i] = body(block_range(i, count, block)); });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace isogon
