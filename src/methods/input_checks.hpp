#pragma once
#include "isogon/core/communicator.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// What every method asks of its input: at least two points, not all equal, no NaN or infinity (InputError), and a
/// dimension of at most D and below n (InvalidArgument). Collective.
void require_points(const DistributedPoints& x, int dimension);

/// What ranks ask of each other: the same points, to the bit (of those that they divide as many of the same dimension,
/// for nobody could tell more), and the same options, where without it they would do
/// different things side by side. Throws InputError on all of them, naming the first that differs from rank 0. Does
/// nothing without a communicator.
void require_same_on_all_ranks(const DistributedPoints& x, const OptionValues& options, const RunContext& context);

}  // namespace isogon
