#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "isogon/faithful/faithful_descent.hpp"
#include "isogon/faithful/local_objective.hpp"
#include "isogon/methods/faithful.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// What a stage of faithful minimises, from where the one before has ended.
struct FaithfulStage {
    std::string name;
    NearTargets targets = NearTargets::Distances;
    double robust_step = std::numeric_limits<double>::infinity();  ///< c of rho; infinite: squares
    int updates = 0;                                               ///< most
};

/// The numbers that decide how faithful runs.
struct FaithfulSettings {
    double off_support_weight = 10.0;  ///< b: few intruders stand against very many others (bench/by-distance)
    double solved = 2e-5;              ///< relative residual of squares below which nothing is left to solve
    double satisfied = 0.05;           ///< of squares: below it they are the last stage
    double crowded = 0.25;             ///< of squares: above it the robust stages begin at a layout of umap
    Index most_map_dimension = 3;      ///< up to which t-SNE's layout is the end where squares do not suffice
    std::vector<double> robust_steps{0.3, 0.03, 0.01};
    int robust_updates = 60;           ///< of each step
};

[[nodiscard]] const FaithfulSettings& faithful_settings();

struct StageEnd {
    Points coordinates;
    Termination termination = Termination::Converged;
    std::vector<IterationRecord> trace;
    double relative_residual = 0.0;
    double violating_pairs = 0.0;
    PassCounts passes;
};

struct StageRun {
    const NeighborLists& lists;
    const FaithfulStage& stage;
    int number = 0;
    double tolerance = 0.0;
    RankGroup ranks{};
    std::function<Points(Points)> finish;  ///< of positions, for a callback that looks
};

/// Points from which on a stage that begins far from its end has frozen lists for its first updates.
inline constexpr Index many_points = 30000;

[[nodiscard]] DescentOptions descent_by_lists(Index points);

[[nodiscard]] StageEnd run_stage(const StageRun& run, const Points& start, Checkpoints& checkpoints, const RunContext& context);

}  // namespace isogon
