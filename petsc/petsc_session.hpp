#pragma once
#include <string>
#include <vector>

namespace isogon {

/// Initialises PETSc and SLEPc, and finalises them in the end. Make one in main(), after the MpiSession, which must
/// outlive it. PETSc reads PETSC_OPTIONS from the environment as usual (-log_view shows where time is spent); it reads
/// no file, catches no signal and prints nothing: errors become exceptions.
class PetscSession {
public:
    PetscSession();
    ~PetscSession();
    PetscSession(const PetscSession&) = delete;
    PetscSession& operator=(const PetscSession&) = delete;

private:
    std::vector<std::string> words_;  ///< a command line, to which PETSc keeps pointers
    std::vector<char*> pointers_{};
    char** arguments_ = nullptr;
    int count_ = 0;
};

}  // namespace isogon
