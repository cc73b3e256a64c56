#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "graph/components.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "methods/fitted_rows.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "semidefinite/landmark_unfolding.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

/// The values of --components, for the option tables of sde and lsde.
[[nodiscard]] ComponentChoices joined_component_choices();
inline constexpr const char* joined_components_help =
    "of a graph in several parts, which nothing would hold together: error refuses; bridge joins parts by their "
    "shortest edges; auto: bridge, with a warning";

/// The input of sde and lsde: points scaled so that products fit float32, without duplicates.
class UnfoldingPoints {
public:
    /// Counts "duplicates". Throws InputError for duplicates together with the user's neighbour lists, which do not
    /// describe the distinct points; and as PowerOfTwoScaling does. `x` must outlive this.
    UnfoldingPoints(const PointsView& x, const FitExtras& extras, Summary& summary, const RunContext& context);

    [[nodiscard]] PointsView view() const { return once_.empty() ? unit_.points() : once_.view(); }
    [[nodiscard]] const PowerOfTwoScaling& unit() const { return unit_; }
    /// The rows of x that view() has.
    [[nodiscard]] const std::vector<Index>& rows() const { return distinct_.rows(); }
    /// Coordinates of every row of x from those of view().
    [[nodiscard]] Points of_all(const Points& fitted) const { return distinct_.to_all(fitted); }

private:
    PowerOfTwoScaling unit_;
    FittedRows distinct_;
    Points once_{};
};

/// The distances that a method keeps: of which pairs, and the policy (Error or Bridge) for a graph in several
/// components, for which the program is unbounded.
struct DistancesWanted {
    KeptPairs pairs = KeptPairs::Neighbors;
    ChosenPolicy components{};
};

/// The distance constraints; that the program is unbounded is detected here, before solving. A distance below a
/// thousandth of the usual one is raised to that; "raised" counts them. Counts "constraints".
[[nodiscard]] DistanceConstraints distances_to_keep(const PointsView& points, const NeighborLists& lists,
                                                    const DistancesWanted& wanted, Summary& summary,
                                                    const RunContext& context);

/// The fewest dimensions that hold 99% of the trace: what a sheet has with noise of a few percent of its size.
[[nodiscard]] Index suggested_dimension(const std::vector<double>& eigenvalues);

/// The termination reason that a solver's status means.
[[nodiscard]] Termination termination_of(SemidefiniteStatus status, const RunContext& context);

/// Into the summary: suggested_dimension, duality_gap (once there is a bound), largest_violation, trace, and shares of
/// it by dimension, spectrum_0, _1, ..., lengths in the unit of the input.
void record_spectrum(const Unfolding& unfolding, const PowerOfTwoScaling& unit, Summary& summary);

/// The first `dimension` outputs in the unit of the input. Dimensions of less than a millionth of the trace are below
/// the solver's accuracy; they are set to zero with a warning.
[[nodiscard]] Points leading_outputs(const Unfolding& unfolding, int dimension, const PowerOfTwoScaling& unit,
                                     Summary& summary);

/// The first `dimension` outputs in the unit of the input, and into the summary how the unfolding ended, its seconds,
/// rounds, gap and spectrum. Empty where there is no unfolding.
[[nodiscard]] Points recorded_outputs(const LandmarkUnfolding& unfolded, int dimension, const PowerOfTwoScaling& unit,
                                      const RunContext& context, Summary& summary);

}  // namespace isogon
