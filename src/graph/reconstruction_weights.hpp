#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "linalg/dense_cholesky.hpp"
#include "linalg/packed_points.hpp"

// Weights by which neighbours reconstruct points, without the constraint that they sum to one: of all rows, or row by
// row.
namespace isogon {

/// The most neighbours of a row: each row costs a dense system of as many unknowns.
inline constexpr Index most_reconstruction_neighbors = 8192;

/// Weights by which the neighbours reconstruct every row: the W that minimise, row by row and without the constraint
/// that they sum to one (Saul 2022, eq. 14),
///     |x_i - sum_j W_ij x_j|^2 + ridge sum_j |x_j|^2 W_ij^2.
/// Written with directions u = x / |x| this is |u_i - sum_j V_ij u_j|^2 + ridge sum_j V_ij^2, where W_ij = V_ij |x_i| /
/// |x_j|. What is returned is V, a rows x points matrix: it has the same size whatever the lengths, below 1 / (2
/// sqrt(ridge)), where W exceeds the range of float32 if lengths differ enough.
///
/// `lists` holds the neighbours of every row, the same number k for each, and every one has its entry, by ascending
/// column. A zero neighbour has weight 0, and so have all neighbours of a zero row.
///
/// Cosines are float32 products; for a ridge below 1e-5, where their rounding would matter, float64 is used at about
/// ten times the cost. Time n (k^2 D + k^3 / 3) operations; memory reconstruction_weights_bytes(). The same bits for a
/// row alone or among others, and on any number of threads. Throws InvalidArgument (ridge not above 0, k above the
/// most, another dimension), InputError (NaN or infinity, lists that do not belong to these points), LimitExceeded;
/// Interruption when the context ends the run.
[[nodiscard]] CsrMatrix<float> reconstruction_weights(const PointsView& rows, const PointsView& points,
                                                      const NeighborLists& lists, double ridge,
                                                      const RunContext& context = {});

/// The same among one set of points, none of which may be in its own list.
[[nodiscard]] CsrMatrix<float> reconstruction_weights(const PointsView& points, const NeighborLists& lists,
                                                      double ridge, const RunContext& context = {});

/// Memory in addition to the inputs, with the matrix that is returned.
[[nodiscard]] std::uint64_t reconstruction_weights_bytes(Index rows, Index points, Index dimension, Index neighbors,
                                                         const RunContext& context);

/// The weights of one row after the other, in a reused workspace: (C + ridge I) v = c, where C contains the cosines
/// between k neighbours and c those with the row.
class ReconstructionRow {
public:
    ReconstructionRow(Index neighbors, Index dimension, double ridge);

    /// `points` are those that `neighbors` lists, `lengths` theirs. The result is valid until the next call.
    [[nodiscard]] std::span<const double> solve(std::span<const float> row, double row_length, const PointsView& points,
                                                std::span<const double> lengths, std::span<const Index> neighbors);

    [[nodiscard]] static std::uint64_t bytes(Index neighbors, Index dimension);

private:
    void fill_cosines();
    void subtract_mixture();
    void multiply_directions(std::span<const double> along, std::vector<double>& products) const;
    [[nodiscard]] bool solve_in_float32();
    void solve_in_float64();

    Index size_;
    double ridge_;
    PackedPoints directions_;  ///< the neighbours', then the row's own
    PanelMatrix cosines_;      ///< C + ridge I
    PanelMatrix factor_;
    std::vector<double> weights_;  ///< v, padded as all that follow but the remainder
    std::vector<double> remainder_;
    std::vector<double> residual_;
    std::vector<float> correction_;
};

}  // namespace isogon
