// Stands in for what gives and takes memory: malloc() and its like, and operator new.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "plan.hpp"
#include "real.hpp"
#include "requests.hpp"

/// LeakSanitizer's, null where it is not loaded.
extern "C" __attribute__((weak)) void __lsan_ignore_object(const void* block);  // NOLINT: the name is theirs

namespace {

using faults::fails;
using faults::inside;
using faults::is_armed;
using faults::Kind;
using faults::memory_gone;
using faults::plan;
using faults::real;

std::atomic<std::int64_t> memory_left{0};

// dlsym() itself may allocate, before the true calloc() is known: out of this, which is never given back.
std::array<char, 8192> first_memory;
std::atomic<std::size_t> first_used{0};

void* from_first_memory(std::size_t bytes) {
    constexpr std::size_t alignment = 16;
    const std::size_t begin = first_used.fetch_add((bytes + alignment - 1) / alignment * alignment);
    return begin + bytes <= first_memory.size() ? first_memory.data() + begin : nullptr;
}

bool is_first_memory(const void* pointer) {
    return pointer >= first_memory.data() && pointer < first_memory.data() + first_memory.size();
}

struct Allocator {
    void* (*malloc)(std::size_t) = nullptr;
    void* (*calloc)(std::size_t, std::size_t) = nullptr;
    void* (*realloc)(void*, std::size_t) = nullptr;
    void* (*aligned_alloc)(std::size_t, std::size_t) = nullptr;
    int (*posix_memalign)(void**, std::size_t, std::size_t) = nullptr;
    void (*free)(void*) = nullptr;
};

Allocator allocator;
std::atomic<bool> allocator_known{false};

/// Null while it is being looked up.
const Allocator* true_allocator() {
    if (allocator_known.load(std::memory_order_acquire)) {
        return &allocator;
    }
    if (inside) {
        return nullptr;
    }
    allocator.malloc = real<decltype(allocator.malloc)>("malloc");
    allocator.calloc = real<decltype(allocator.calloc)>("calloc");
    allocator.realloc = real<decltype(allocator.realloc)>("realloc");
    allocator.aligned_alloc = real<decltype(allocator.aligned_alloc)>("aligned_alloc");
    allocator.posix_memalign = real<decltype(allocator.posix_memalign)>("posix_memalign");
    allocator.free = real<decltype(allocator.free)>("free");
    allocator_known.store(true, std::memory_order_release);
    return &allocator;
}

/// Where memory is gone for good, a block can be had only out of what was freed. What was there before main() is no
/// leak: the loader keeps it where LeakSanitizer does not look, and it cannot see that the loader asked for it.
void* charge(const Allocator& of, void* block) {
    if (!is_armed() && __lsan_ignore_object != nullptr && block != nullptr) {
        __lsan_ignore_object(block);
    }
    if (memory_gone && !inside && block != nullptr) {
        const auto bytes = static_cast<std::int64_t>(malloc_usable_size(block));
        if (memory_left.fetch_sub(bytes) < bytes) {
            memory_left += bytes;
            of.free(block);
            errno = ENOMEM;
            return nullptr;
        }
    }
    return block;
}

void* allocate(std::size_t bytes, const char* call) {
    const Allocator* to = true_allocator();
    if (to == nullptr) {
        return from_first_memory(bytes);
    }
    return fails(Kind::Alloc, call) ? nullptr : charge(*to, to->malloc(bytes));
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes, const char* call) {
    const Allocator* to = true_allocator();
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    return to == nullptr || fails(Kind::Alloc, call) ? nullptr : charge(*to, to->aligned_alloc(alignment, whole));
}

/// Fails like operator new: the program's handler may free something and return. A request that fails once fails
/// whatever the handler frees, until it gives up.
template <class Get>
void* or_throw(const Get& get) {
    bool refused = false;
    while (true) {
        if (void* block = refused && !plan.for_good ? nullptr : get()) {
            return block;
        }
        refused = true;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) {
            throw std::bad_alloc();
        }
        handler();
    }
}

}  // namespace

// Everything below stands in for a function of the C library or the C++ runtime, and says so by its name.
// NOLINTBEGIN: names and signatures are theirs
#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t bytes) {
    return allocate(bytes, "malloc");
}

void* calloc(std::size_t count, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr) {
        return from_first_memory(count * bytes);  // static, hence zero
    }
    return fails(Kind::Alloc, "calloc") ? nullptr : charge(*to, to->calloc(count, bytes));
}

void* realloc(void* pointer, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr || is_first_memory(pointer)) {
        void* more = to == nullptr ? from_first_memory(bytes) : to->malloc(bytes);
        const auto* end = first_memory.data() + first_memory.size();
        return pointer == nullptr || more == nullptr
                   ? more
                   : std::memcpy(more, pointer, std::min<std::size_t>(bytes, end - static_cast<char*>(pointer)));
    }
    if (fails(Kind::Alloc, "realloc")) {
        return nullptr;
    }
    if (memory_gone && !inside) {
        void* block = charge(*to, to->malloc(bytes));
        if (block != nullptr && pointer != nullptr) {
            std::memcpy(block, pointer, std::min(bytes, malloc_usable_size(pointer)));
            free(pointer);
        }
        return block;
    }
    return to->realloc(pointer, bytes);
}

void free(void* pointer) {
    if (pointer != nullptr && !is_first_memory(pointer)) {
        if (const Allocator* to = true_allocator()) {
            if (memory_gone) {
                memory_left += static_cast<std::int64_t>(malloc_usable_size(pointer));
            }
            to->free(pointer);
        }
    }
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return allocate_aligned(alignment, bytes, "aligned_alloc");
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    return allocate_aligned(alignment, bytes, "memalign");
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr || fails(Kind::Alloc, "posix_memalign")) {
        return ENOMEM;
    }
    void* block = nullptr;
    const int error = to->posix_memalign(&block, alignment, bytes);
    block = error == 0 ? charge(*to, block) : nullptr;
    if (block != nullptr) {
        *pointer = block;
    }
    return block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"

void* operator new(std::size_t bytes) {
    return or_throw([&] { return allocate(bytes, "new"); });
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, "new");
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, "new");
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return or_throw([&] { return allocate_aligned(static_cast<std::size_t>(alignment), bytes, "new"); });
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return operator new(bytes, alignment);
}
void operator delete(void* pointer) noexcept {
    free(pointer);
}
void operator delete[](void* pointer) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept {
    free(pointer);
}
#pragma GCC visibility pop
// NOLINTEND
