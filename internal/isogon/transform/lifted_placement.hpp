#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// Which side of a search by inner product a new row is for.
enum class SearchSide {
    Stored,  ///< [y, s], as a fit gives them
    Query    ///< [y, -s], whose inner products with stored rows are estimates of cos - tau
};

/// New points for fits whose outputs are [y_j, s_j], with L_ij = y_i.y_j - s_i s_j (faithful, `--output-for
/// inner-product`). With c_j = cos(x, x_j), a new x gets the [y, s] that minimises
///     f(y, s) = sum_{c_j > tau} (y.y_j - s s_j - (c_j - tau))^2 + sum_{else} max(0, y.y_j - s s_j)^2
///       + 0.1 k |[y, s] - [y, s]_0|^2,
/// the fit's own equation with everything else fixed. k is the number of the first terms, and [y, s]_0 the mean of the
/// ten nearest weighted by c_j. f is strictly convex: the minimum is the only one, whatever the start. If no c_j is
/// above tau, the ten nearest are the support. Without the last term (or with a tenth, or ten times its weight) fewer
/// neighbours are found. Lengths do not count, as they do not in the fit.
///
/// A fit that stayed on spheres has |y_j| = 1 and s_j = sqrt(tau): there y is placed as Placement does, on its sphere.
///
/// Rows are independent, and a fitted row gets its stored output (with the sign of its side); the output of a zero
/// vector is zero.
class LiftedPlacement final : public NewPointMap {
public:
    /// Prepares m fitted inputs (m x D) and outputs (m x (d + 1)) once; both must outlive this. `relaxed`: the fit did
    /// not stay on spheres. Memory m (4 D + 8 (d + 1) + 16) bytes, stated first. Throws InvalidArgument (tau outside
    /// (0, 1), fewer than two output numbers, other counts), InputError (NaN, infinity, no point with a direction),
    /// LimitExceeded.
    LiftedPlacement(const PointsView& inputs, const PointsView& outputs, double threshold, bool relaxed,
                    SearchSide side, const RunContext& context);

    [[nodiscard]] Index fitted_count() const override { return inputs_.count; }
    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return outputs_.dimension; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    struct Prepared;

    /// Relaxed: m D for the cosines of a row, and m (d + 1) + a (d + 1)^2 for each of some five Newton steps, with a
    /// active terms. Counts "fitted_rows", "zero_vectors", "isolated" (no fitted point above tau) and "unsettled".
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    PointsView inputs_;
    PointsView outputs_;
    double threshold_;
    SearchSide side_;
    std::shared_ptr<const Prepared> prepared_;
};

}  // namespace isogon
