#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "decomposition/riemannian_lbfgs.hpp"
#include "faithful/local_objective.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// The numbers that decide how faithful runs, chosen by recall@10 of words, sentences and images. bench/by-distance
/// measures what they keep. Residuals are of the first stage, squares, relative to that of all outputs in one place.
/// A checkpoint holds none of them: other robust steps would go on from it as another run.
struct FaithfulSettings {
    /// b. Where all can be kept squares with 1 need half the updates of 10; where it cannot, the few that are too near
    /// are lost among very many other points unless they weigh more. Squares from a given start have the robust weight,
    /// so that they do not undo what robust stages have left there.
    double squares_weight = 1.0;
    double robust_weight = 10.0;
    double solved = 5e-5;         ///< residual with which nothing is left to solve: .9999 are kept
    double satisfied = 1e-3;      ///< residual below which no robust stage follows
    double near_solved = 0.04;    ///< residual above which ranks are kept, as distances cannot be
    double crowded = 0.4;         ///< residual after `updates_to_decide` above which robust stages begin at a layout
    double surely_crowded = 0.7;  ///< of many points the same after a third of these updates: the others leave .8 of it
    int updates_to_decide = 30;
    /// Squares go on for as many updates again where the last `updates_to_judge` left this share of the residual or
    /// less: robust stages would keep less than what squares are on the way to.
    double falling = 0.6;
    int updates_to_judge = 50;
    double squares_tolerance = 4.0;               ///< times the option's, as robust stages follow where squares stay
    int robust_updates = 100;                     ///< most of each robust stage, and no more than options.iterations
    std::vector<double> robust_steps{0.1, 0.01};  ///< c of rho (LossShape), one robust stage for each
    Index most_map_dimension = 3;  ///< up to which t-SNE keeps more than robust stages where points are crowded
};
[[nodiscard]] const FaithfulSettings& faithful_settings();

/// A stage minimises this, from where the one before has ended.
struct FaithfulStage {
    std::string name;
    NearTargets targets = NearTargets::Distances;
    double weight = 1.0;                                           ///< b, of pairs that must stay apart
    double robust_step = std::numeric_limits<double>::infinity();  ///< infinite: squares
    int updates = 0;                                               ///< most
    double tolerance = 0.0;
};

/// Where a stage begins, and what was before it: all that a checkpoint has beside the state of the descent.
struct StageStart {
    int number = 0;  ///< of the stage, from 0
    Points coordinates;
    double squares = 0.0;                  ///< relative residual of the first stage, once it has ended
    std::vector<IterationRecord> trace{};  ///< of the stages before
};
/// That of a checkpoint. Throws InputError for a damaged one.
[[nodiscard]] StageStart stage_start_in(const Archive& saved, Index points, Index dimension);

struct StageEnd {
    Points coordinates;
    Termination termination = Termination::Converged;
    std::vector<IterationRecord> trace;
    double relative_residual = 0.0;
    Offset near_pairs = 0;
    double violating_pairs = 0.0;
    int lost_updates = 0;  ///< made since the last checkpoint, where the run was interrupted
    bool crowded = false;  ///< the stage was given up (FaithfulSettings::crowded)
    PassCounts passes;
};

/// Turns coordinates on the way into those that a callback sees.
using FinishCoordinates = std::function<Points(const Points&)>;

/// All that the stages of a fit share.
struct FitInProgress {
    const NeighborLists& lists;
    RankGroup ranks;
    FinishCoordinates finish;
    Checkpoints& checkpoints;
    const RunContext& context;
};

/// Points from which on vectors are long: fewer pairs of L-BFGS, points in spatial order, and in the first
/// updates lists that miss some pairs.
inline constexpr Index many_points = 30000;
[[nodiscard]] DescentOptions descent_by_lists(Index points);
/// Whether the pairs of so many points are divided (ListedPass).
[[nodiscard]] bool divides_pairs(Index points, Index dimension);

/// Minimises the objective of the stage, from its start or from the checkpoint in `resume` that is of it (null: none).
/// Checkpoints are taken between updates; among the first updates of many points only after the 10th, 20th and 30th.
[[nodiscard]] StageEnd run_stage(const FitInProgress& fit, const FaithfulStage& stage, const StageStart& start,
                                 const Archive* resume);

}  // namespace isogon
