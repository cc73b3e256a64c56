#include "interrupts.hpp"

#include <unistd.h>

#include "exit_code.hpp"

namespace isogon::cli {

namespace {

/// Shells start background jobs and nohup its programs with signals ignored: those stay ignored.
bool ignored(int signal) {
    struct sigaction current {};
    return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

std::atomic<pthread_t> waiting{};

/// Libraries may have begun threads before main() could block anything (MPI does), and a signal goes to any thread
/// that lets it in. There this runs, and hands it on to the one that waits for it.
void hand_on(int signal) {
    pthread_kill(waiting, signal);
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupts::Interrupts() {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (!ignored(signal)) {
            sigaddset(&signals_, signal);
        }
    }
    // SIGUSR1 is how the destructor wakes the watcher; nobody else has a use for it here.
    sigaddset(&signals_, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    watcher_ = std::thread([this] { watch(); });
    waiting = watcher_.native_handle();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (sigismember(&signals_, signal) == 1) {
            handle(signal, hand_on);
        }
    }
}

Interrupts::~Interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (sigismember(&signals_, signal) == 1) {
            handle(signal, SIG_DFL);
        }
    }
    finished_ = true;
    pthread_kill(watcher_.native_handle(), SIGUSR1);
    watcher_.join();
}

/// One system call: the main thread may be in the middle of its own printing.
void Interrupts::say(std::string_view sentence) const {
    if (!silent_) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
    }
}

void Interrupts::watch() {
    while (true) {
        int signal = 0;
        if (sigwait(&signals_, &signal) != 0) {
            continue;
        }
        if (finished_) {
            return;
        }
        if (signal == SIGUSR1) {
            continue;
        }
        if (stop_.request_stop()) {
            say("\nisogon: stopping with the best result so far; interrupt again to stop at once\n");
            continue;
        }
        const std::lock_guard whole_files(writing_);
        say("\nisogon: stopped\n");
        ::_exit(static_cast<int>(ExitCode::Interrupted));
    }
}

}  // namespace isogon::cli
