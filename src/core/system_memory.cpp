#include "core/system_memory.hpp"

#include <cstdlib>  // defines __GLIBC__
#include <memory>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace isogon {

void request_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
    constexpr std::size_t page = std::size_t{1} << 21U;
    if (std::align(page, page, memory, bytes) != nullptr) {
        (void)::madvise(memory, bytes / page * page, MADV_HUGEPAGE);
    }
#endif
}

void trim_heap() noexcept {
#ifdef __GLIBC__
    (void)::malloc_trim(0);
#endif
}

}  // namespace isogon
