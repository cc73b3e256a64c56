#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "isogon/core/error.hpp"

namespace isogon::cli {

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
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if ((!written || std::fflush(stdout) != 0) && errno != EPIPE) {
        throw OutputError("standard output", std::generic_category().message(errno));
    }
}

}  // namespace isogon::cli
