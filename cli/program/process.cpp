#include "program/process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <system_error>

#include "isogon/core/error.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

/// Writes without stdio, which allocates buffers, and without fmt, which throws. Returns errno, or 0.
int write_all(int file, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return 0;
}

}  // namespace

void prepare_standard_streams() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) == -1 && errno == EBADF) {
            // open() takes the lowest free descriptor, and those below are open by now.
            [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
        }
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // over "ulimit -f", write() then says so instead of killing the program
}

void print_result(const std::string& text) {
    const int error = write_all(STDOUT_FILENO, text);
    if (error != 0 && error != EPIPE) {
        throw OutputError("standard output", std::generic_category().message(error));
    }
}

void print_on_stdout(std::string_view text) noexcept {
    write_all(STDOUT_FILENO, text);
}

void print_on_stderr(std::string_view text) noexcept {
    write_all(STDERR_FILENO, text);
}

namespace {

constexpr std::size_t first_bytes = std::size_t{64} * 1024;
constexpr std::size_t second_bytes = std::size_t{512} * 1024;

std::array<std::atomic<void*>, 2> reserve{};

/// True if there was a block to release.
bool release(std::atomic<void*>& block) {
    void* held = block.exchange(nullptr);
    std::free(held);
    return held != nullptr;
}

/// May return only if more memory is there than before (C++20, [new.handler]).
void release_reserve() {
    if (!release(reserve[0])) {
        release(reserve[1]);
        throw std::bad_alloc();
    }
}

}  // namespace

void keep_memory_reserve() {
    reserve[0] = std::malloc(first_bytes);
    reserve[1] = std::malloc(second_bytes);
    std::set_new_handler(release_reserve);
}

namespace {

constexpr std::size_t usual_stack_bytes = std::size_t{8} * 1024 * 1024;

bool has_usual_stack() {
    rlimit limit{};
    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= usual_stack_bytes;
}

struct ProgramCall {
    const std::function<int()>& program;
    int result;
};

void* make_call(void* argument) {
    auto& call = *static_cast<ProgramCall*>(argument);
    call.result = call.program();
    return nullptr;
}

}  // namespace

int with_usual_stack(const std::function<int()>& program) {
    pthread_attr_t attributes;
    if (has_usual_stack() || pthread_attr_init(&attributes) != 0) {
        return program();
    }
    pthread_attr_setstacksize(&attributes, usual_stack_bytes);
    pthread_setattr_default_np(&attributes);
    ProgramCall call{program, 0};
    pthread_t thread{};
    const bool started = pthread_create(&thread, &attributes, make_call, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) {
        return program();
    }
    pthread_join(thread, nullptr);
    return call.result;
}

namespace {

/// Shells start background jobs, and nohup its programs, with signals ignored: those stay ignored.
bool ignored(int signal) {
    struct sigaction current {};
    return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

std::atomic<pthread_t> watcher_thread{};

/// Libraries may have started threads before main() could block signals (MPI does), and a signal is delivered to any
/// thread that does not block it. There this handler forwards it to the waiting thread.
void forward_signal(int signal) {
    pthread_kill(watcher_thread, signal);
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
    // SIGUSR1, unused otherwise, wakes the watcher for the destructor.
    sigaddset(&signals_, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    watcher_ = std::thread([this] { watch(); });
    watcher_thread = watcher_.native_handle();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (sigismember(&signals_, signal) == 1) {
            handle(signal, forward_signal);
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

/// One system call, as the main thread may be printing at the same time.
void Interrupts::print_message(std::string_view sentence) const {
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
            print_message("\nisogon: stopping with the best result so far; interrupt again to stop at once\n");
            continue;
        }
        const std::lock_guard whole_files(writing_);
        print_message("\nisogon: stopped");
        if (!silent_ && last_words_) {
            last_words_();
        }
        print_message("\n");
        ::_exit(static_cast<int>(ExitCode::Interrupted));
    }
}

}  // namespace isogon::cli
