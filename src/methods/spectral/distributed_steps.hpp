#pragma once
#include <string>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "graph/components.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/landmarks.hpp"
#include "methods/spectral_ranks.hpp"

namespace isogon {

/// Throws InvalidArgument for an option value that is not supported over ranks, with the remedy.
[[noreturn]] void refuse_over_ranks(const char* option, const std::string& value, const std::string& instead);

/// Call it before work starts, where there are `ranks`: refuses components in any other way than error, and extensions
/// from landmarks other than lll; then throws InputError naming a rank that has other points or options than the first.
void require_divisible(const PointsView& x, const OptionValues& options, ComponentPolicy policy,
                       const LandmarkOptions* landmarks, const SpectralRanks* ranks);

/// The rows of this process; all rows without ranks.
[[nodiscard]] Range own_rows(Index count, const SpectralRanks* ranks);
[[nodiscard]] PointsView local_points(const PointsView& points, const SpectralRanks* ranks);

/// Runs a step without communication, so with a context without agree_on_stop; with ranks, an exception on one rank is
/// thrown on all.
void run_step(const SpectralRanks* ranks, const std::function<void()>& body);

/// All `count` rows on every rank, from the own rows of each.
[[nodiscard]] Points whole_points(const Points& own, Index count, const RankGroup& ranks);

}  // namespace isogon
