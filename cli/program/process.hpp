#pragma once
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace isogon::cli {

/// Makes file numbers 0 to 2 exist and turns SIGPIPE and SIGXFSZ off. With stdout closed, the next file to be opened
/// would become stdout, and text would be printed into it. Call it first.
void prepare_standard_streams();

/// Prints on stdout and flushes. A reader that has gone away (isogon methods | head -1) is no failure; throws
/// OutputError for any other reason.
void print_result(const std::string& text);

/// Prints at once on stdout or on stderr, and allocates nothing. Where it cannot, nobody is left to be told.
void print_on_stdout(std::string_view text) noexcept;
void print_on_stderr(std::string_view text) noexcept;

/// Memory that is kept until no more can be had, so that the end of a run does not need any: destructors may allocate
/// (those of nlohmann's JSON do, and cannot fail), and so does what is said at last. From now on a first operator new
/// that fails gets a little of it and goes on; the next one opens all and fails. Call it once, first.
void keep_memory_reserve();

/// Turns Ctrl-C (SIGINT), SIGTERM and SIGHUP into a request to stop; a second one ends the program at once, with exit
/// code 130 and no half-written file.
///
/// The signals are blocked, and one thread waits for them with sigwait, so that nothing it does has to be
/// async-signal-safe. Make one before any other thread: threads inherit the block. In those that libraries began before
/// main(), a handler runs that hands the signal on to the one that waits. One at a time.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

    /// Not a word from now on: another process speaks for this one, too.
    void silence() { silent_ = true; }

    /// Held while a file is written: the second signal waits until the file is whole or gone.
    [[nodiscard]] std::unique_lock<std::mutex> while_writing() { return std::unique_lock(writing_); }

private:
    void watch();
    void say(std::string_view sentence) const;

    sigset_t signals_{};
    std::stop_source stop_;
    std::mutex writing_;
    std::atomic<bool> finished_{false};
    std::atomic<bool> silent_{false};
    std::thread watcher_;
};

}  // namespace isogon::cli
