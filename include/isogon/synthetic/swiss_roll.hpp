#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

struct SwissRollOptions {
    double noise = 0.0;    ///< standard deviation of Gaussian noise in each of the three coordinates
    double height = 21.0;  ///< of the sheet, along the axis of the roll; 21 as is common
    double turns = 1.5;    ///< of the sheet about the axis; 1.5 as is common
};

[[nodiscard]] const OptionTable<SwissRollOptions>& swiss_roll_option_table();

/// A flat sheet rolled up in three dimensions: Archimedes' spiral r = angle from 3/4 of a turn on, so that neighbouring
/// layers are 2 pi apart, times an interval along y. The truth is the sheet before rolling, (arc length, height):
/// without noise the roll is isometric to it, and points are uniform on it. Throws InvalidArgument and LimitExceeded as
/// every generator. O(count) time.
[[nodiscard]] Generated swiss_roll(Index count, std::uint64_t seed = 0, const SwissRollOptions& options = {},
                                   const RunContext& context = {});
/// The same set, endless.
[[nodiscard]] PointMaker swiss_roll_maker(std::uint64_t seed, const SwissRollOptions& options,
                                          const RunContext& context);

}  // namespace isogon
