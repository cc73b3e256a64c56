#pragma once
// Counts the program's requests to the system and says of each what happens to it, by the plan.
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace faults {

enum class Kind : std::uint64_t { Alloc, Io, Thread };

/// Begins to count: with main().
void arm();
bool is_armed();

/// Counts a request, and sets errno if it is to fail.
bool fails(Kind kind, const char* call);

/// The bytes that a read or write may move: all, some, or (false) none, with errno set.
bool limit(const char* call, std::size_t& bytes);

/// Set when an allocation failed for good: later ones get only the memory that is freed from then on.
extern std::atomic<bool> memory_gone;

}  // namespace faults
