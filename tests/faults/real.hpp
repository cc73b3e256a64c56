#pragma once
// The functions that this library stands in for, and that what it asks for itself is not the program's.
#include <dlfcn.h>

namespace faults {

// Within what this library itself asks for nothing is counted. Not the usual model of thread-local memory: that one
// allocates on first use.
__attribute__((tls_model("initial-exec"))) inline constinit thread_local bool inside = false;

struct Inside {
    bool before = inside;
    Inside() { inside = true; }
    ~Inside() { inside = before; }
};

template <class Function>
Function real(const char* name) {
    const Inside guard;
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace faults
