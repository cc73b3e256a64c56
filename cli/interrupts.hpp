#pragma once
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

namespace isogon::cli {

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
