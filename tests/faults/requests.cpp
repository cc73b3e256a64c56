#include "requests.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>

#include "plan.hpp"
#include "real.hpp"
#include "survey.hpp"

namespace faults {

std::atomic<bool> memory_gone{false};

namespace {

enum class Action { Pass, Fail, Short };

std::atomic<bool> armed{false};
std::atomic<std::uint64_t> counted{0};
std::atomic<const char*> call_hit{""};

void moment() {
    const timespec time{0, 2000000};
    nanosleep(&time, nullptr);
}

void send_signal() {
    kill(getpid(), plan.number);
    moment();
    if (plan.twice) {
        kill(getpid(), plan.number);
        moment();
    }
}

/// Counts this request and decides its action.
Action next(Kind kind, const char* call) {
    const bool wanted = kind == Kind::Alloc ? plan.alloc : kind == Kind::Io ? plan.io : plan.thread;
    if (!wanted || inside || !(is_armed() || (plan.early && kind == Kind::Thread))) {
        return Action::Pass;
    }
    const Inside guard;
    const int error = errno;
    const std::uint64_t number = counted.fetch_add(1) + 1;
    if (plan.survey >= 0) {
        survey(kind, call);
    }
    errno = error;
    const bool again = plan.for_good && number > plan.at && std::string_view(call_hit) == call;
    if (plan.at == 0 || (number != plan.at && !again)) {
        return Action::Pass;
    }
    call_hit = call;
    if (plan.trace && number == plan.at) {
        print_stack();
    }
    if (kind == Kind::Alloc && plan.for_good) {
        memory_gone = true;
        return Action::Pass;  // charge() decides
    }
    if (plan.signal) {
        send_signal();
        errno = error;
        return Action::Pass;
    }
    return plan.short_transfer ? Action::Short : Action::Fail;
}

}  // namespace

void arm() {
    armed = true;
}

bool is_armed() {
    return armed.load(std::memory_order_relaxed);
}

bool fails(Kind kind, const char* call) {
    if (next(kind, call) == Action::Pass) {
        return false;
    }
    errno = plan.number;
    return true;
}

bool limit(const char* call, std::size_t& bytes) {
    switch (next(Kind::Io, call)) {
        case Action::Pass: return true;
        case Action::Short: bytes = plan.for_good ? (bytes + 1) / 2 : std::min<std::size_t>(bytes, 1); return true;
        default: errno = plan.number; return false;
    }
}

}  // namespace faults
