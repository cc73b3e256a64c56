#pragma once
#include <memory>

#include "isogon/core/communicator.hpp"
#include "isogon/methods/spectral_ranks.hpp"

namespace isogon::cli {

/// Whether this program was built with PETSc (ISOGON_PETSC).
[[nodiscard]] bool knows_petsc();

/// Begins PETSc on all ranks of a communicator, who must call it together, and ends it with what is returned: after the
/// communicator's last meeting, since a rank that fails elsewhere would be waited for. Null without PETSc.
[[nodiscard]] std::shared_ptr<const SpectralRanks> begin_sparse_ranks(const Communicator& communicator);

}  // namespace isogon::cli
