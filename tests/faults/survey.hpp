#pragma once
// Where requests come from: their call stacks, in the survey or on stderr.
#include "requests.hpp"

namespace faults {

/// Looks up what call stacks are made of, so that nothing is loaded later.
void prepare_stacks();

/// Writes a request to the survey's file.
void survey(Kind kind, const char* call);

void print_stack();

}  // namespace faults
