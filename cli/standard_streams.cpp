#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

/// Not by stdio or fmt, which allocate buffers, and of which the latter throws. Returns the error, or 0.
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
            // The lowest free number is taken, and those below are open by now.
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

}  // namespace isogon::cli
