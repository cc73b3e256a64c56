#pragma once

namespace isogon::cli {

/// Memory that is kept until no more can be had, so that the end of a run does not need any: destructors may allocate
/// (those of nlohmann's JSON do, and cannot fail), and so does what is said at last. From now on a first operator new
/// that fails gets a little of it and goes on; the next one opens all and fails. Call it once, first.
void keep_memory_reserve();

}  // namespace isogon::cli
