#pragma once
#include <functional>
#include <memory>

#include "isogon/faithful/faithful_descent.hpp"
#include "isogon/faithful/local_objective.hpp"
#include "isogon/methods/faithful.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// Points from which on all pairs above a threshold are too many to be visited in every update, some 20 s on two cores,
/// and a scan of all pairs for lists too.
inline constexpr Index many_points = 30000;

/// How the local form descends where every point's neighbours alone are kept. Between scans of many points the stored
/// pairs of L-BFGS are most of the time, and of memory: 68,000 digits take as many updates with 5 as with 10.
[[nodiscard]] DescentOptions descent_by_lists(Index points);

/// Relative residual after the first updates of many points above which another form keeps more of their neighbours. Of
/// the data tried, 40,000 digits at d = 12 leave 0.19, and the local form keeps a little more than the relaxed form in
/// the end; 35,000 words, drawn again and moved a little, leave 0.36 at d = 24, and it keeps .71, the relaxed form .79.
inline constexpr double most_after_approach = 0.2;

/// What a callback sees of a position.
using CoordinatesAt = std::function<Points(const MultiVector<float>& position)>;

/// Minimises the objective from a start, or from a checkpoint of `checkpoints`, which also gets those of this run: the
/// updates of the phase "matching". Of many points by lists the first updates are by lists that miss some pairs; after
/// the 10th, 20th and 30th of these a checkpoint is taken, as it cannot be in between. `trial_residual`: kept in
/// checkpoints; above FaithfulPath::solvable these first updates are a trial of the local form, too, and null is
/// returned where they leave more than `most_after_approach`. Termination and seconds go to `summary`.
[[nodiscard]] std::unique_ptr<FaithfulDescent> descend(LocalObjective& objective, MultiVector<float> start,
                                                       const FaithfulOptions& options, double trial_residual,
                                                       const CoordinatesAt& coordinates, Checkpoints& checkpoints,
                                                       const RunContext& context, Summary& summary);

/// A checkpoint of descend().
[[nodiscard]] bool is_of_local_form(const Archive* saved);
/// What it was given as `trial_residual`. Throws InputError where that is none, or more than `most`.
[[nodiscard]] double trial_residual_in(const Archive& saved, double most);

}  // namespace isogon
