// Counting begins with main(): what the loader and the constructors of other libraries do before is not ours to handle.
#include <array>
#include <csignal>

#include "plan.hpp"
#include "real.hpp"
#include "requests.hpp"
#include "survey.hpp"

using faults::Inside;
using faults::plan;
using faults::real;

namespace {

void crash(int number) {
    faults::print_stack();
    signal(number, SIG_DFL);
    raise(number);
}

using Main = int (*)(int, char**, char**);
Main true_main = nullptr;

int counting_main(int argc, char** argv, char** environment) {
    {
        const Inside guard;
        faults::prepare_stacks();
    }
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) {
        if (plan.trace) {
            signal(number, crash);
        }
    }
    faults::arm();
    return true_main(argc, argv, environment);
}

__attribute__((constructor)) void begin() {
    const Inside guard;
    faults::read_plan();
}

}  // namespace

// NOLINTBEGIN: the name and the signature are the C library's
#pragma GCC visibility push(default)
extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
    true_main = main;
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    return real<Start>("__libc_start_main")(counting_main, argc, argv, init, fini, rtld_fini, stack_end);
}
#pragma GCC visibility pop
// NOLINTEND
