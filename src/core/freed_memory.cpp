#include "isogon/core/freed_memory.hpp"

#include <cstdlib>  // defines __GLIBC__
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace isogon {

void trim_heap() noexcept {
#ifdef __GLIBC__
    (void)::malloc_trim(0);
#endif
}

}  // namespace isogon
