#include "plan.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace faults {

Plan plan;

namespace {

const char* text(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

}  // namespace

void read_plan() {
    const std::string_view count = text("FAULT_COUNT", "");
    const std::string_view action = text("FAULT_ACTION", "fail");
    plan.alloc = count == "alloc" || count == "any" || count == "all";
    plan.io = count == "io" || count == "any" || count == "all";
    plan.thread = count == "thread" || count == "all";
    plan.early = *text("FAULT_EARLY", "") != '\0';
    plan.at = std::strtoull(text("FAULT_AT", "0"), nullptr, 10);
    plan.short_transfer = action == "short";
    plan.signal = action == "signal";
    plan.for_good = std::string_view(text("FAULT_FOR", "once")) == "good";
    plan.twice = *text("FAULT_TWICE", "") != '\0';
    plan.trace = *text("FAULT_TRACE", "") != '\0';
    plan.number = std::atoi(text("FAULT_NUMBER", "12"));
    if (const char* file = std::getenv("FAULT_SURVEY")) {
        const long opened = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        // Far up, so that the program's own descriptors have the numbers that they have without.
        plan.survey = opened < 0 ? -1 : fcntl(static_cast<int>(opened), F_DUPFD_CLOEXEC, 500);
        syscall(SYS_close, opened);
    }
}

}  // namespace faults
