#pragma once
// Preloaded into the program (LD_PRELOAD), this library counts its requests to the system, and makes the k-th fail.
// It can answer calls before its constructors have run: no variable is initialised at run time.
//
// The environment says what happens:
//   FAULT_COUNT    what is counted: alloc, io, thread, any (alloc and io), or all
//   FAULT_AT       the k-th of them is hit, counted from 1; 0: none
//   FAULT_ACTION   fail, short (a read or write of fewer bytes), or signal
//   FAULT_FOR      once, or good: all later ones of the same call too; of memory, all that would need more than was
//                  freed since: the program has what it had, and no more
//   FAULT_EARLY    threads are counted from the first instruction on, not from main() on
//   FAULT_NUMBER   the errno of a failure, or the signal's number
//   FAULT_TWICE    the signal is sent again a moment later
//   FAULT_TRACE    the call stack of what is hit, and that of a crash, are printed on stderr
//   FAULT_SURVEY   a file to which every counted request is written, as a Request
// The survey's file is a pipe or file of the driver's; see faults.py.
#include <cstdint>

namespace faults {

struct Plan {
    bool alloc = false;
    bool io = false;
    bool thread = false;
    bool early = false;
    bool short_transfer = false;
    bool signal = false;
    bool twice = false;
    bool for_good = false;
    bool trace = false;
    std::uint64_t at = 0;
    int number = 0;
    int survey = -1;
};

extern Plan plan;

void read_plan();

}  // namespace faults
