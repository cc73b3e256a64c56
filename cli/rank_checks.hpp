#pragma once
#include <string>
#include <vector>

#include "isogon/core/communicator.hpp"

namespace isogon::cli {

/// Before work starts, ranks find out whether they are about to do the same. Each of these throws on all of them, and
/// names the first rank that differs from rank 0, and how.

/// One program, on processors with the same instructions, started by one command. Throws UsageError.
void require_same_start(const Communicator& communicator, const std::string& command);

/// The same files, as far as their sizes and heads tell; empty names are passed over. Throws InputError.
void require_same_files(const Communicator& communicator, const std::vector<std::string>& files);

/// The same to the last byte, for files that every rank reads whole; empty names are passed over. Throws InputError.
void require_same_bytes(const Communicator& communicator, const std::vector<std::string>& files);

/// The same numbers in all of the input, whose first file this is, as far as a digest tells. Throws InputError.
void require_same_numbers(const Communicator& communicator, const std::string& input, const std::string& digest);

}  // namespace isogon::cli
