#include "run.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "convert.hpp"

namespace isogon::python {

namespace {

constexpr auto signal_check_interval = std::chrono::milliseconds(50);

/// Passes progress and the outcome from the worker thread to the thread that Python called.
class WorkerChannel {
public:
    /// Called by the worker: passes a progress on and waits until the callback has returned.
    void show(const Progress& progress) {
        std::unique_lock lock(guard_);
        shown_ = &progress;
        changed_.notify_all();
        while (shown_ != nullptr) {
            // Not wait(), which libstdc++ has in a version that only systems with gcc 12 or newer have.
            changed_.wait_for(lock, std::chrono::hours(1));
        }
    }

    void finish(std::exception_ptr failure) {
        const std::lock_guard lock(guard_);
        failure_ = std::move(failure);
        finished_ = true;
        changed_.notify_all();
    }

    /// Called by the other thread: waits for a progress, for the end of the work, or until signals are to be checked.
    /// False: the work has ended.
    [[nodiscard]] bool wait(const Progress*& shown) {
        std::unique_lock lock(guard_);
        changed_.wait_for(lock, signal_check_interval, [this] { return finished_ || shown_ != nullptr; });
        shown = shown_;
        return !finished_;
    }

    void seen() {
        const std::lock_guard lock(guard_);
        shown_ = nullptr;
        changed_.notify_all();
    }

    [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

private:
    std::mutex guard_;
    std::condition_variable changed_;
    const Progress* shown_ = nullptr;
    bool finished_ = false;
    std::exception_ptr failure_;
};

RunContext context_of(const RunSettings& settings, const std::stop_source& stop, WorkerChannel& channel) {
    RunContext context;
    context.threads = settings.threads;
    context.stop = stop.get_token();
    context.memory_limit = settings.memory_limit;
    if (settings.time_limit) {
        context.limit_seconds(*settings.time_limit);
    }
    // Without a callback the work need not wait for Python at every step.
    if (!settings.callback.is_none()) {
        context.on_iteration = [&channel](const Progress& progress) { channel.show(progress); };
    }
    return context;
}

/// Calls the callback, checks for signals, and keeps the first exception that either raises.
class CallbackRunner {
public:
    CallbackRunner(const RunSettings& settings, std::stop_source& stop) : settings_(settings), stop_(stop) {}

    void check_signals() {
        guarded([] {
            if (PyErr_CheckSignals() != 0) {
                nb::raise_python_error();
            }
        });
    }

    void show(const Progress& progress) {
        if (raised_) {
            return;
        }
        // Python may keep what it is passed, and the progress is the worker's, which goes on afterwards.
        const auto current = std::make_shared<const Progress*>(&progress);
        guarded([&] {
            const auto coordinates = nb::cpp_function([current]() -> nb::object {
                if (*current == nullptr) {
                    throw nb::value_error("coordinates: are there while the callback runs, which has returned");
                }
                return (*current)->coordinates ? to_numpy((*current)->coordinates()) : nb::none();
            });
            const nb::object answer =
                settings_.callback(progress.phase, progress.done, progress.total, progress.objective, coordinates);
            const int stop_requested = PyObject_IsTrue(answer.ptr());
            if (stop_requested < 0) {
                nb::raise_python_error();
            }
            if (stop_requested == 1) {
                stop_.request_stop();
            }
        });
        *current = nullptr;
    }

    [[nodiscard]] RaisedMeanwhile& raised() { return raised_; }
    [[nodiscard]] const std::exception_ptr& broken() const { return broken_; }

private:
    void guarded(const std::function<void()>& call) {
        try {
            call();
        } catch (nb::python_error& error) {
            if (!raised_) {
                raised_.emplace(error);
            }
            stop_.request_stop();
        } catch (...) {  // the worker is still running: it must be joined first
            broken_ = std::current_exception();
            stop_.request_stop();
        }
    }

    const RunSettings& settings_;
    std::stop_source& stop_;
    RaisedMeanwhile raised_;
    std::exception_ptr broken_;
};

}  // namespace

RaisedMeanwhile run_apart(const RunSettings& settings, const std::function<void(const RunContext&)>& work) {
    WorkerChannel channel;
    std::stop_source stop;
    const RunContext context = context_of(settings, stop, channel);
    CallbackRunner callback(settings, stop);
    std::thread worker([&] {
        std::exception_ptr failure;
        try {
            work(context);
        } catch (...) {
            failure = std::current_exception();
        }
        channel.finish(std::move(failure));
    });
    for (bool going = true; going;) {
        const Progress* shown = nullptr;
        {
            const nb::gil_scoped_release others_may_run;
            going = channel.wait(shown);
        }
        callback.check_signals();
        if (shown != nullptr) {
            callback.show(*shown);
            channel.seen();
        }
    }
    {
        const nb::gil_scoped_release others_may_run;
        worker.join();
    }
    if (callback.broken()) {
        std::rethrow_exception(callback.broken());
    }
    if (channel.failure() && !callback.raised()) {
        std::rethrow_exception(channel.failure());
    }
    return std::move(callback.raised());
}

void run_or_raise(const RunSettings& settings, const std::function<void(const RunContext&)>& work) {
    RaisedMeanwhile raised = run_apart(settings, work);
    if (raised) {
        throw nb::python_error(*raised);
    }
}

}  // namespace isogon::python
