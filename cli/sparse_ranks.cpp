#include "sparse_ranks.hpp"

#ifdef ISOGON_HAS_PETSC
#include "petsc_session.hpp"
#include "petsc_spectral_ranks.hpp"
#endif

namespace isogon::cli {

#ifdef ISOGON_HAS_PETSC
namespace {

struct Sparse {
    explicit Sparse(const Communicator& communicator) : ranks(communicator) {}
    PetscSession session;
    PetscSpectralRanks ranks;
};

}  // namespace

bool knows_petsc() {
    return true;
}

std::shared_ptr<const SpectralRanks> begin_sparse_ranks(const Communicator& communicator) {
    const auto sparse = std::make_shared<Sparse>(communicator);
    return {sparse, &sparse->ranks};
}
#else
bool knows_petsc() {
    return false;
}

std::shared_ptr<const SpectralRanks> begin_sparse_ranks(const Communicator& /*communicator*/) {
    return nullptr;
}
#endif

}  // namespace isogon::cli
