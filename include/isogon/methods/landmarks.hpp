#pragma once
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// How the other points get their coordinates. Placement (the default, for it keeps angles best, bench/llx-quality):
/// each against all landmarks, by the method's own equation. Weights: each as a mixture of its nearest landmarks. Both
/// work row by row and out of core. Llx: all together, each rebuilt from its nearest among all points (Saul 2022,
/// section 3). Spectral methods have ways of their own: lll (the default), the problem of all points with every point a
/// mixture of landmarks (Vladymyrov and Carreira-Perpinan 2013); weights, the problem of the landmarks alone and
/// mixtures of them; nystrom, the same and the Nystrom formula. Auto: the default of the method.
enum class LandmarkExtension { Auto, Placement, Weights, Llx, Lll, Nystrom };

struct LandmarkOptions {
    int landmarks = 0;                                        ///< how many points are fitted; 0: all of them
    LandmarkSelection selection = LandmarkSelection::Random;  ///< reads nothing, and keeps the data's densities
    LandmarkExtension extension = LandmarkExtension::Auto;
    /// In points. Of weights and llx: k of eq. 14; 0: four times the dimension, the paper's choice. Of spectral
    /// methods: landmarks of which a point is a mixture; 0: one more than the dimension, the fewest that span it.
    int neighbors = 0;
};

[[nodiscard]] const OptionTable<LandmarkOptions>& landmark_option_table();

/// A run on landmarks: the method, the rows of all points, and how landmarks stand for them. Refers to all of these.
struct LandmarkRun {
    const Method& method;
    const RowSource& source;  ///< finite numbers
    const LandmarkOptions& options;
    const RunContext& context;
};

/// The result of a fit on landmarks, with all data that placement or extension of the other points needs.
struct LandmarkFit {
    std::vector<Index> rows;  ///< numbers of the landmarks, ascending; empty when the run ended before they were chosen
    Points inputs;            ///< inputs of the landmarks
    Embedding fitted;         ///< fit of the landmarks; its summary also has the seconds of choosing them
};

/// Throws InvalidArgument unless there are at least 2 landmarks and fewer than `points` of them, and the method with
/// these options places points that it was not fitted to one by one against those that it was (tsm, faithful).
void require_landmarks(const Method& method, const OptionValues& values, const LandmarkOptions& options, Index points);

/// Chooses landmarks (by the method's seed) and fits them by the method, as if there were no other points. The
/// memory of all steps is stated first: inputs of the landmarks, and what extend_by_placement() will take; the
/// method then states its own. `values` and `extras` are the method's. Throws as require_landmarks, choose_landmarks
/// and the method do.
[[nodiscard]] LandmarkFit fit_landmarks(const LandmarkRun& run, const OptionValues& values,
                                        const FitExtras& extras = {});

/// Coordinates for all rows of the source into the sink: the landmarks' as fitted, bit for bit; every other row as
/// the options say. Placement and weights take the memory of a block; llx holds all points, the neighbours of
/// each (`lists`, if given, else searched) and the weights, which is stated first.
/// The summary is that of the fit with seconds ("prepare extension", "read", "transform", "write"; or "neighbors",
/// "weights", "solve") and counts added: landmarks, placed; row by row also placed_isolated, placed_unsettled,
/// placed_zero_vectors, placed_as_landmark (rows equal to one); of llx unreached, iterations and the residual. Its
/// termination is that of the fit, or why the extension ended early; the sink then lacks rows.
[[nodiscard]] Summary extend_to_all(const LandmarkRun& run, const LandmarkFit& fit, RowSink& sink,
                                    const NeighborLists* lists = nullptr);

}  // namespace isogon
