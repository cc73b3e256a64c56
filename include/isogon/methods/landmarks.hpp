#pragma once
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/methods/landmark_selection.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// How the points that are no landmarks get their coordinates. Placement and Weights: each by itself, out of core, as
/// Transformer::transform does by default and after use_weights(). LocallyLinear: all together, by Transformer::extend,
/// with all points in memory.
enum class LandmarkExtension { Placement, Weights, LocallyLinear };

struct LandmarkOptions {
    int landmarks = 0;  ///< how many points are fitted; 0: all of them
    LandmarkSelection selection = LandmarkSelection::Random;
    LandmarkExtension extension = LandmarkExtension::Placement;  ///< the most faithful by measure, and out of core
};

[[nodiscard]] const OptionTable<LandmarkOptions>& landmark_option_table();

/// What a fit on landmarks leaves: everything that placing the other points, or extending to them in another way,
/// needs.
struct LandmarkFit {
    std::vector<Index> rows;  ///< of the landmarks, ascending; empty when the run was ended before they were chosen
    Points inputs;            ///< of the landmarks
    Embedding fitted;         ///< of the landmarks; its summary also has the seconds of choosing them
};

/// Throws InvalidArgument unless there are at least 2 landmarks and fewer than `points` of them, and the method with
/// these options places points that it was not fitted to one by one against those that it was (tsm, faithful).
void require_landmarks(const Method& method, const OptionValues& values, const LandmarkOptions& options, Index points);

/// Chooses landmarks (by the method's seed) and fits them by the method, as if there were no other points. The memory
/// of all steps is stated first: inputs of the landmarks, and what extend_landmarks() by placement will take; the
/// method then states its own. Throws as require_landmarks, choose_landmarks and the method do. The source must be
/// finite.
[[nodiscard]] LandmarkFit fit_landmarks(const Method& method, const RowSource& source, const OptionValues& values,
                                        const LandmarkOptions& options, const RunContext& context,
                                        const FitExtras& extras = {});

/// Coordinates for all rows of the source into the sink: the landmarks' as fitted, bit for bit; every other row's as
/// `extension` says. Placement and Weights take the memory of a block beside the model; LocallyLinear that of all
/// points, their neighbours and coordinates, stated when it begins. The summary is that of the fit with seconds
/// ("prepare extension" and those of the extension) and counts added: landmarks, placed (all other rows), and what the
/// extension counts, its names after "placed_" (placed_isolated, placed_unsettled, ...; placed_as_landmark: rows equal
/// to one). Its termination is that of the fit, or why the extension ended early; the sink then lacks rows, unless a
/// joint extension had coordinates to give.
[[nodiscard]] Summary extend_landmarks(const Method& method, const LandmarkFit& fit, LandmarkExtension extension,
                                       const RowSource& source, RowSink& sink, const RunContext& context);

}  // namespace isogon
