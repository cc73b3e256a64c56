#pragma once
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace isogon::cli {

/// Opens file descriptors 0 to 2 if they are closed, and ignores SIGPIPE and SIGXFSZ. With stdout closed, the next file
/// to be opened would become stdout, and text would be printed into it. Call it first.
void prepare_standard_streams();

/// Prints on stdout, unbuffered. A closed pipe (isogon methods | head -1) is no error; throws OutputError for any other
/// reason.
void print_result(const std::string& text);

/// Print on stdout or stderr, unbuffered, without allocating memory. Errors are ignored.
void print_on_stdout(std::string_view text) noexcept;
void print_on_stderr(std::string_view text) noexcept;

/// Reserves memory for the end of a run after an allocation has failed: destructors may allocate (those of Json do,
/// which have some memory more of their own: program/json.hpp), and so does printing the error. The first operator new
/// that fails gets a part of the reserve and succeeds; the next one releases all of it and fails. Call it once, before
/// other allocations.
void keep_memory_reserve();

/// Runs all of the program, on a thread of its own where the stack of this one is limited to less than usual
/// (ulimit -s): option tables, JSON and factors take more than the least that can be set. Threads that are started
/// within have stacks of the usual size, too. Where no thread can be started it runs on this one.
[[nodiscard]] int with_usual_stack(const std::function<int()>& program);

/// Turns Ctrl-C (SIGINT), SIGTERM and SIGHUP into a request to stop; a second one ends the program at once, with exit
/// code 130 and no partly written file.
///
/// The signals are blocked, and one thread waits for them with sigwait, so that its code need not be async-signal-safe.
/// Create it before any other thread: threads inherit the mask. In threads that libraries started before main(), a
/// handler forwards the signal to the waiting thread. At most one object.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

    /// Prints nothing from now on: rank 0 prints for this process.
    void silence() { silent_ = true; }

    /// Sets the text that is printed when the second signal ends the program: which files it leaves.
    void set_last_words(std::function<void()> print) {
        const auto held = while_writing();
        last_words_ = std::move(print);
    }

    /// Held while a file is written: the second signal waits until the file is complete or removed.
    [[nodiscard]] std::unique_lock<std::mutex> while_writing() { return std::unique_lock(writing_); }

private:
    void watch();
    void print_message(std::string_view sentence) const;

    sigset_t signals_{};
    std::stop_source stop_;
    std::mutex writing_;
    std::function<void()> last_words_;
    std::atomic<bool> finished_{false};
    std::atomic<bool> silent_{false};
    std::thread watcher_;
};

}  // namespace isogon::cli
