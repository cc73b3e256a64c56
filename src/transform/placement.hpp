#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

struct PlacementOptions {
    int neighbors = 10;       ///< the start is their mean; a row without support has them as its support
    int steps = 100;          ///< most Newton steps of a row; it usually takes 10 to 25
    double tolerance = 1e-4;  ///< radians: a row is settled when its Newton step is shorter
};

[[nodiscard]] const OptionTable<PlacementOptions>& placement_option_table();

/// Statistics of a batch of rows. Each row is counted in one of the first three, or in none.
struct PlacementCounts {
    Index fitted = 0;              ///< rows equal to a fitted one: its stored output
    Index zero_vectors = 0;        ///< not fitted and without a direction: zero
    Index isolated = 0;            ///< without a fitted point above tau: their nearest points were the support
    Index unsettled = 0;           ///< not converged within the limit of steps
    std::uint64_t steps = 0;       ///< Newton steps that were taken, all rows together
    std::uint64_t passes = 0;      ///< products of a row with all fitted outputs, all rows together
    double cosine_seconds = 0.0;   ///< in cosines with all fitted inputs, all threads together
    double product_seconds = 0.0;  ///< in products with all fitted outputs, likewise
    double step_seconds = 0.0;     ///< in Newton steps, likewise
};

struct Placed {
    Points outputs;  ///< one row for each row placed
    PlacementCounts counts;
};

/// Outputs for points that were not fitted. With c_j = cos(x, x_j) and u_j = y_j / |y_j| of the fitted points, a new x
/// gets |x| u for a local minimiser, over the unit sphere, of
///     g(u) = sum_{c_j > tau} (u.u_j - c_j)^2 + sum_{else} max(0, u.u_j - tau)^2.
/// The start is the mean of the u_j of its nearest x_j, weighted by c_j. g never increases from one pass over all
/// fitted points to the next. If no point is above tau, the nearest are the support, with their cosines as targets. If
/// the gradient at the start is zero by symmetry (with one fitted point, for example), the row stays there.
///
/// A row depends only on itself and the fitted points: it gets the same bits alone, in a batch, in any order and on
/// any number of threads. Twice the row gives twice the output, and the length of the output is that of the row. A row
/// whose numbers equal those of a fitted one (0 equals -0) gets the stored output bit for bit, of the first one if
/// several are equal. Fitted points that are zero, in the input or in the output, are ignored.
class Placement final : public NewPointMap {
public:
    /// Prepares m fitted inputs (m x D) and outputs (m x d) once; both must outlive this. tau in (0, 1).
    /// Time O(m (D + d)); memory m (4 D + 8 d + 20) bytes, stated first.
    /// Throws InvalidArgument (no coordinates, another number of outputs, tau or an option out of bounds), InputError
    /// (NaN or infinity by row and column, or no fitted point with a direction) and LimitExceeded.
    Placement(const PointsView& inputs, const PointsView& outputs, double threshold, const PlacementOptions& options,
              const RunContext& context);

    /// Places rows (n x D). Time n m D multiplications and additions for the cosines, and n m d for each of about 4
    /// passes over the outputs. Memory beside the outputs: for each thread 192 (D + d) bytes and the neighbours of 48
    /// rows, at most 1.6 kB for each fitted point and 0.8 kB for each of the nearest, as many as
    /// `neighbors`. Throws InvalidArgument for another dimension, InputError for NaN, infinity or a length beyond
    /// float32 by row, LimitExceeded, all before work starts; Interruption when the context ends the run.
    [[nodiscard]] Placed place(const PointsView& rows, const RunContext& context) const;

    [[nodiscard]] Index fitted_count() const override { return inputs_.count; }
    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return outputs_.dimension; }
    /// Bytes of what is prepared for `count` fitted points.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index input_dimension, Index output_dimension);

private:
    struct Prepared;

    /// place(), with its counts of rows.
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    PointsView inputs_;
    PointsView outputs_;
    double threshold_;
    PlacementOptions options_;
    std::shared_ptr<const Prepared> prepared_;  ///< shared: copies of a placement are cheap
};

}  // namespace isogon
