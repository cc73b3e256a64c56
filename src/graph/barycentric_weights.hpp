#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Weights that sum to one, by which points are mixtures of their neighbours, and the error of such mixtures.
namespace isogon {

/// The most neighbours of a row: each row costs a dense system of as many unknowns.
inline constexpr Index most_barycentric_neighbors = 8192;

/// The ridge of LLE and of mixtures of fitted points: scikit-learn's. With more neighbours than dimensions it decides
/// among many perfect weights, and 1e-2 is felt on a clean sheet already (bench/semidefinite-cases).
inline constexpr double usual_ridge = 1e-3;

/// Weights that sum to one by which neighbours reconstruct every row, those of LLE (Roweis & Saul, "Nonlinear
/// dimensionality reduction by locally linear embedding", Science 2000) and of locally linear landmarks (Vladymyrov &
/// Carreira-Perpinan, ECML 2013): row by row the w that minimise
///     |y - sum_j w_j x_j|^2 + ridge tr(C) |w|^2,    sum_j w_j = 1,    C_jl = (y - x_j).(y - x_l),
/// that is (C + ridge tr(C) I) w = 1, normalised: the scaling of the ridge is scikit-learn's. The same weights whatever
/// the unit of length and the origin.
///
/// A row that equals a point in its list has weight 1 there (the first such in the list) and 0 elsewhere: a landmark is
/// its own mixture. `lists` holds the neighbours of every row, k for each; every one has its entry, by ascending
/// column, zeros included.
///
/// Differences, products and solution are float64, so that weights are scikit-learn's to about 1e-14 / ridge. Towards
/// few points, such as landmarks, C is assembled from products about a centre, those among the points computed once:
/// n (k D + k^2 + k^3 / 3) operations; elsewhere, and for rows that are much nearer their neighbours than these are to
/// the centre, from differences: n (k^2 D + k^3 / 3). Memory barycentric_weights_bytes(), and up to 256 MB for the
/// products. The same bits for a row alone or among others, and on any number of threads.
/// Throws InvalidArgument (ridge outside 1e-10 .. 1e10: below, rounding would decide; k above the most; another
/// dimension), InputError (NaN or infinity, lists that do not belong to these points), LimitExceeded; Interruption when
/// the context ends the run.
[[nodiscard]] CsrMatrix<double> barycentric_weights(const PointsView& rows, const PointsView& points,
                                                    const NeighborLists& lists, double ridge,
                                                    const RunContext& context = {});

/// The same among one set of points, none of which may be in its own list. Here a point's duplicates are neighbours as
/// any other, which get all but about `ridge` of the weight. A weight of exactly 1 would disconnect a pair of equal
/// points from all other points, and LLE would place it arbitrarily. If all neighbours are duplicates, each has weight
/// 1 / k.
[[nodiscard]] CsrMatrix<double> barycentric_weights(const PointsView& points, const NeighborLists& lists, double ridge,
                                                    const RunContext& context = {});

/// The same for some rows of one set of points, where `points` contains the points in their lists: the same bits as for
/// all rows. The caller ensures that no row is in its own list.
[[nodiscard]] CsrMatrix<double> barycentric_weights_of_part(const PointsView& rows, const PointsView& points,
                                                            const NeighborLists& lists, double ridge,
                                                            const RunContext& context = {});

/// Memory in addition to the inputs, with the matrix that is returned.
[[nodiscard]] std::uint64_t barycentric_weights_bytes(Index rows, Index dimension, Index neighbors,
                                                      const RunContext& context);

/// How far mixtures of landmarks are from their points: the root mean square of |x_i - sum_l z_il x_l|, for weights Z
/// with a row for each of at least one point and a column for each landmark. In float64, O(n k D) time; the same bits
/// on any number of threads. Throws Interruption.
[[nodiscard]] double mixture_error(const PointsView& x, const PointsView& landmarks, const CsrMatrix<double>& z,
                                   const RunContext& context = {});

}  // namespace isogon
