#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/methods/spectral_ranks.hpp"
#include "program/exit_code.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

/// Whether this program was built with PETSc (ISOGON_PETSC).
[[nodiscard]] bool knows_petsc();

/// The processes that mpirun has started of this program, of which this is one; the first of them, rank 0, speaks and
/// writes for all.
class Ranks {
public:
    /// Joins the others, if mpirun started this program and it was built with MPI (ISOGON_MPI).
    Ranks(int& argc, char**& argv);
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// Null for a program on its own.
    [[nodiscard]] const Communicator* communicator() const;
    [[nodiscard]] bool is_root() const { return communicator() == nullptr || communicator()->rank() == 0; }

    /// What the sparse methods divide their graphs among, one rank alone included; null for a program that mpirun has
    /// not started, or that was built without PETSc (ISOGON_PETSC). All ranks must ask for it together, the first time.
    [[nodiscard]] const SpectralRanks* sparse() const;

    /// The last thing that a rank does: waits for the others, and returns the code with which its process should end.
    [[nodiscard]] ExitCode leave(ExitCode code) const;
    /// The same after a failure. True if it is this rank that should tell of it, which it should do as `tell`, with its
    /// own name where it is one of several.
    [[nodiscard]] bool leave_failing(const Failure& failure, std::string& tell) const;

private:
    struct Joined;
    std::unique_ptr<Joined> joined_;
};

/// Whether this program was built with MPI.
[[nodiscard]] bool knows_mpi();

/// How many copies of this program mpirun has started: 1 for a program on its own.
[[nodiscard]] std::size_t copies_by_mpirun();

/// "node07": the machine that a rank runs on.
[[nodiscard]] std::string host_name();

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
