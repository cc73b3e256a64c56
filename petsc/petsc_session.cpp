#include "petsc_session.hpp"

#include <slepcsys.h>

#include "petsc_objects.hpp"

namespace isogon {

PetscSession::PetscSession() : words_{"isogon", "-skip_petscrc", "-no_signal_handler"} {
    for (std::string& word : words_) {
        pointers_.push_back(word.data());
    }
    pointers_.push_back(nullptr);
    arguments_ = pointers_.data();
    count_ = static_cast<int>(words_.size());
    require_petsc(SlepcInitialize(&count_, &arguments_, nullptr, nullptr), "beginning");
    require_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr), "beginning");
}

PetscSession::~PetscSession() {
    PetscPopErrorHandler();
    SlepcFinalize();
}

}  // namespace isogon
