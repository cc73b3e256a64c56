#include "run.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace isogon::python {

namespace {

constexpr auto between_looks_at_signals = std::chrono::milliseconds(50);

/// Where the thread that works and the one that Python called in meet.
class Meeting {
public:
    /// Of the thread that works: hands a progress over and waits until Python has seen it.
    void show(const Progress& progress) {
        std::unique_lock lock(guard_);
        shown_ = &progress;
        changed_.notify_all();
        changed_.wait(lock, [this] { return shown_ == nullptr; });
    }

    void finish(std::exception_ptr failure) {
        const std::lock_guard lock(guard_);
        failure_ = std::move(failure);
        finished_ = true;
        changed_.notify_all();
    }

    /// Of the other one: waits for either, or until it is time to look at signals. False: the work is over.
    [[nodiscard]] bool wait(const Progress*& shown) {
        std::unique_lock lock(guard_);
        changed_.wait_for(lock, between_looks_at_signals, [this] { return finished_ || shown_ != nullptr; });
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

RunContext context_of(const RunSettings& settings, const std::stop_source& stop, Meeting& meeting) {
    RunContext context;
    context.threads = settings.threads;
    context.stop = stop.get_token();
    context.memory_limit = settings.memory_limit;
    if (settings.time_limit) {
        context.limit_seconds(*settings.time_limit);
    }
    // Without a callback the work need not wait for Python at every step.
    if (!settings.callback.is_none()) {
        context.on_iteration = [&meeting](const Progress& progress) { meeting.show(progress); };
    }
    return context;
}

/// Calls what Python brought, and keeps the first thing that it raises.
class Watch {
public:
    Watch(const RunSettings& settings, std::stop_source& stop) : settings_(settings), stop_(stop) {}

    void look_at_signals() {
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
        guarded([&] {
            const nb::object answer =
                settings_.callback(progress.phase, progress.done, progress.total, progress.objective);
            const int wish = PyObject_IsTrue(answer.ptr());
            if (wish < 0) {
                nb::raise_python_error();
            }
            if (wish == 1) {
                stop_.request_stop();
            }
        });
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
        } catch (...) {  // the work is still going on: it must be waited for
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
    Meeting meeting;
    std::stop_source stop;
    const RunContext context = context_of(settings, stop, meeting);
    Watch watch(settings, stop);
    std::thread worker([&] {
        std::exception_ptr failure;
        try {
            work(context);
        } catch (...) {
            failure = std::current_exception();
        }
        meeting.finish(std::move(failure));
    });
    for (bool going = true; going;) {
        const Progress* shown = nullptr;
        {
            const nb::gil_scoped_release others_may_run;
            going = meeting.wait(shown);
        }
        watch.look_at_signals();
        if (shown != nullptr) {
            watch.show(*shown);
            meeting.seen();
        }
    }
    {
        const nb::gil_scoped_release others_may_run;
        worker.join();
    }
    if (watch.broken()) {
        std::rethrow_exception(watch.broken());
    }
    if (meeting.failure() && !watch.raised()) {
        std::rethrow_exception(meeting.failure());
    }
    return std::move(watch.raised());
}

void run_or_raise(const RunSettings& settings, const std::function<void(const RunContext&)>& work) {
    RaisedMeanwhile raised = run_apart(settings, work);
    if (raised) {
        throw nb::python_error(*raised);
    }
}

}  // namespace isogon::python
