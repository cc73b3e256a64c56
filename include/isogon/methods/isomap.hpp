#pragma once
#include <cstdint>
#include <optional>

#include "isogon/graph/components.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// Neighbors: every point is joined to its nearest. Tsm: to all points above the threshold, on inputs scaled to unit
/// length, as in Saul 2022, appendix B.
enum class IsomapGraph { Neighbors, Tsm };

struct IsomapOptions {
    int dimension = 16;  ///< d, numbers for each point; beyond the data's own they hold errors of the distances
    IsomapGraph graph = IsomapGraph::Neighbors;  ///< the paper's
    int neighbors = 12;                 ///< k of the graph, in points: too many make short cuts through empty space
    Metric metric = Metric::Euclidean;  ///< cosine: chords |x - y| of directions
    std::optional<double> threshold{};  ///< tau of the graph of tsm, a cosine in (0, 1); empty: as tsm chooses it
    /// Error: there are no paths between components.
    ComponentPolicy components = ComponentPolicy::Error;
    /// So many eigenvalues from the other end are found and recorded: how far distances are from Euclidean ones. 0:
    /// none, as they take a second solution.
    int negative_eigenvalues = 0;
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< of the eigensolver, at most
    std::uint64_t seed = 0;   ///< of the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<IsomapOptions>& isomap_option_table();

/// Isomap (Tenenbaum, de Silva, Langford, "A global geometric framework for nonlinear dimensionality reduction",
/// Science 2000): lengths of shortest paths through a graph of neighbours stand for distances along the data, and
/// classical scaling turns them into coordinates: max tr(X^T J K J X), K = -1/2 squared lengths. `landmarks`: extension
/// nystrom is landmark Isomap (de Silva and Tenenbaum 2003), which needs paths from landmarks only; lll needs them from
/// all.
///
/// Time of the neighbours, n shortest-path trees, and some ten products
/// with n^2 numbers; memory 2 n^2 bytes. Summary: eigenvalues, residual, components.
/// Throws InvalidArgument, InputError (NaN; a graph in several components, unless `components` says what to do),
/// LimitExceeded.
[[nodiscard]] Embedding isomap(const PointsView& x, const IsomapOptions& options = {}, const RunContext& context = {},
                               const FitExtras& extras = {}, const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method isomap_method();

}  // namespace isogon
