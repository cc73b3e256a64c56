#pragma once

namespace isogon {

/// Returns freed heap memory to the operating system, where the allocator can (glibc's malloc_trim). glibc keeps freed
/// blocks of less than some tens of megabytes for later allocations, and never returns a free block below a block in
/// use. To be called after a step that freed much memory. Needs some milliseconds; has no other effect.
void trim_heap() noexcept;

}  // namespace isogon
