#include "sparse_ranks.hpp"

#ifdef ISOGON_HAS_PETSC
#include "petsc_session.hpp"
#include "petsc_spectral_ranks.hpp"
#endif

namespace isogon::cli {

#ifdef ISOGON_HAS_PETSC
namespace {

struct Sparse {
    explicit Sparse(const Team& team) : ranks(team) {}
    PetscSession session;
    PetscSpectralRanks ranks;
};

}  // namespace

bool knows_petsc() {
    return true;
}

std::shared_ptr<const SpectralRanks> begin_sparse_ranks(const Team& team) {
    const auto sparse = std::make_shared<Sparse>(team);
    return {sparse, &sparse->ranks};
}
#else
bool knows_petsc() {
    return false;
}

std::shared_ptr<const SpectralRanks> begin_sparse_ranks(const Team& /*team*/) {
    return nullptr;
}
#endif

}  // namespace isogon::cli
