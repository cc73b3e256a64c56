#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/barycentric_mixture.hpp"

namespace isogon {

/// What every method returns: one row of coordinates for each input row, in the same order, and how the run went.
/// The coordinates never hold NaN. They are empty when the run ended before there were any.
struct Embedding {
    Points coordinates;
    Summary summary;
    OptionValues options;  ///< every option as it was used, "auto" ones as chosen from the data
    /// Of linear methods, the map from inputs to coordinates: "directions" (D, d), "center" (D), "centered" (), "unit"
    /// ().
    std::map<std::string, Array, std::less<>> linear_map{};
    std::optional<BarycentricMap> barycentric_map{};  ///< of spectral methods
    /// Of nmf, the parts of which points are mixed: "parts" (d, D).
    std::map<std::string, Array, std::less<>> nonnegative_map{};
};

class EigenSolver;
class SharedSteps;
class SpectralRanks;

/// Optional inputs and outputs of a fit besides its options: start, checkpoints, neighbours, edge weights.
struct FitExtras {
    PointsView start{};               ///< n x d coordinates to start from; empty: as the options say
    const Archive* resume = nullptr;  ///< a checkpoint of the same method, options and input: goes on to the same bits
    std::function<void(const Archive&)>
        checkpoint{};                  ///< receives a checkpoint at intervals, and when the context ends a run
    double checkpoint_seconds = 60.0;  ///< least time between two; 0: as often as the method can
    /// The user's own, for methods that start from neighbours; else found. With distances they are all that methods
    /// with `accepts_precomputed` need: points are then a view of n rows of no numbers.
    const NeighborLists* neighbors = nullptr;
    /// The user's own edge weights (graph/given_affinities.hpp), for methods with `uses_affinities`; then no neighbours
    /// are searched, and options about the weighting are refused.
    const CsrMatrix<double>* affinities = nullptr;
    /// Of the same methods: receive the neighbours, and the weights made of them. Given to another fit they replace its
    /// search, to the same bits.
    std::function<void(const NeighborLists&)> keep_neighbors{};
    std::function<void(const CsrMatrix<double>&)> keep_affinities{};
    SharedSteps* shared =
        nullptr;  ///< of spectral methods: steps that fits of the same points have in common; sweep()'s
    /// Of laplacian and lle: the solver of large eigenproblems; null: the library's own.
    const EigenSolver* eigen_solver = nullptr;
    /// Of methods that divide (registry.hpp): the ranks that share one fit, graph and matrices divided by rows; null:
    /// one process. All of them make the same call, with a context without a communicator; `neighbors` are then those
    /// of the own points.
    const SpectralRanks* ranks = nullptr;
};

}  // namespace isogon
