#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "distributed/rank_group.hpp"
#include "methods/spectral_ranks.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

/// Whether this program was built with PETSc (ISOGON_PETSC).
[[nodiscard]] bool built_with_petsc();

/// The processes that mpirun started of this program, this one included. The first of them, rank 0, prints and writes
/// for all.
class Ranks {
public:
    /// Initializes MPI if mpirun started this program and it was built with MPI (ISOGON_MPI).
    Ranks(int& argc, char**& argv);
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// The processes as steps of a fit see them.
    [[nodiscard]] RankGroup group() const { return RankGroup(communicator()); }
    [[nodiscard]] bool is_root() const { return group().rank() == 0; }

    /// The ranks among which the sparse methods distribute their graphs, also if there is one rank only; null if mpirun
    /// has not started the program, or it was built without PETSc (ISOGON_PETSC). The first call is collective.
    [[nodiscard]] const SpectralRanks* sparse() const;

    /// The last call of a rank: waits for the others, and returns the exit code of this process.
    [[nodiscard]] ExitCode leave(ExitCode code) const;
    /// The same after a failure. True if this rank is to print it, as `message`, which names the rank where it is not
    /// rank 0.
    [[nodiscard]] bool leave_failing(const Failure& failure, std::string& message) const;

private:
    [[nodiscard]] const Communicator* communicator() const;  ///< null for a single process

    struct MpiState;
    std::unique_ptr<MpiState> mpi_;
};

/// Whether this program was built with MPI.
[[nodiscard]] bool built_with_mpi();

/// Number of processes that mpirun started, also for a program built without MPI; 1 without mpirun.
[[nodiscard]] std::size_t mpirun_process_count();

/// "node07": the machine that a rank runs on.
[[nodiscard]] std::string host_name();

// Checks before work starts that all ranks do the same. Each is collective, throws on all ranks, and names the first
// rank that differs from rank 0, and how.

/// The same program, on processors with the same instructions, started by the same command. Throws UsageError.
void require_same_start(const RankGroup& ranks, const std::string& command);

/// The same files, by their sizes and first bytes; empty names are skipped. Throws InputError.
void require_same_files(const RankGroup& ranks, const std::vector<std::string>& files);

/// The same files, by digests of all bytes, for files that every rank reads whole; empty names are skipped. Throws
/// InputError.
void require_same_bytes(const RankGroup& ranks, const std::vector<std::string>& files);

/// The same numbers in all of the input, by a digest; `input` is its first file. Throws InputError.
void require_same_numbers(const RankGroup& ranks, const std::string& input, const std::string& digest);

}  // namespace isogon::cli
