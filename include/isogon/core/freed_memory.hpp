#pragma once

namespace isogon {

/// Gives what was freed back to the system, where the allocator can (glibc): it keeps blocks of less than some tens of
/// megabytes in case they are asked for again, and holes stay for good once something lies above them. For the end of a
/// step that has taken much and leaves little. Some milliseconds; nothing that the program can see changes.
void trim_heap() noexcept;

}  // namespace isogon
