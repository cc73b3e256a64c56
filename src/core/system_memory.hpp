#pragma once
#include <cstddef>

namespace isogon {

/// Asks for pages of 2 MB for all of those that lie inside the memory, before it is written for the first time: a look
/// at rows all over it then seldom waits for the address of a page, and the system clears it in less time.
/// That they are refused changes no result.
void request_large_pages(void* memory, std::size_t bytes) noexcept;

/// Returns freed heap memory to the operating system, where the allocator can (glibc's malloc_trim). glibc keeps freed
/// blocks of less than some tens of megabytes for later allocations, and never returns a free block below a block in
/// use. To be called after a step that freed much memory. Needs some milliseconds; has no other effect.
void trim_heap() noexcept;

}  // namespace isogon
