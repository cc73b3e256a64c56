#pragma once
#include <string>
#include <vector>

namespace isogon {

/// PETSc and SLEPc between their beginning and their end. Make one in main(), after the MpiSession, which must outlive
/// it. Of the environment PETSC_OPTIONS is read, as is their way (-log_view says where time goes); no file is, no
/// signal is caught, and nothing is printed: what goes wrong becomes an exception.
class PetscSession {
public:
    PetscSession();
    ~PetscSession();
    PetscSession(const PetscSession&) = delete;
    PetscSession& operator=(const PetscSession&) = delete;

private:
    std::vector<std::string> words_;  ///< of a command line, which the library keeps pointers to
    std::vector<char*> pointers_{};
    char** arguments_ = nullptr;
    int count_ = 0;
};

}  // namespace isogon
