#pragma once
#include <functional>

#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

class EigenSolver;
class SharedSteps;
class SpectralRanks;

/// What an iterative method may be given besides its options: where to begin, and where to leave what it needs to go on
/// after a crash.
struct FitExtras {
    PointsView start{};               ///< n x d coordinates to start from; empty: as the options say
    const Archive* resume = nullptr;  ///< a checkpoint of the same method, options and input: goes on to the same bits
    std::function<void(const Archive&)> checkpoint{};  ///< receives one every so often, and when the context ends a run
    double checkpoint_seconds = 60.0;                  ///< least time between two; 0: as often as the method can
    /// The user's own, for methods that start from neighbours; else found. With distances they are all that methods
    /// with `accepts_precomputed` need: points are then a view of n rows of no numbers.
    const NeighborLists* neighbors = nullptr;
    /// The user's own weights of edges (graph/affinities.hpp), for methods that let these pull; then no
    /// neighbours are looked for, and options that say how to weigh them are refused.
    const CsrMatrix<double>* affinities = nullptr;
    /// Of the same methods: receive the neighbours, and the weights that are made of them, once they are found. Given
    /// to another fit they take the place of that work, to the same bits.
    std::function<void(const NeighborLists&)> keep_neighbors{};
    std::function<void(const CsrMatrix<double>&)> keep_affinities{};
    SharedSteps* shared =
        nullptr;  ///< of spectral methods: steps that fits of the same points have in common; sweep()'s
    /// Of laplacian and lle: who solves large eigenproblems; null: the library.
    const EigenSolver* eigen_solver = nullptr;
    /// Of methods that divide (registry.hpp): the ranks that share one fit, graph and matrices divided by rows; null:
    /// one process. All of them make the same call, with a context without a communicator; `neighbors` are then those
    /// of the own points.
    const SpectralRanks* ranks = nullptr;
};

}  // namespace isogon
