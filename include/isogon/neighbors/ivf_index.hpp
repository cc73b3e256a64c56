#pragma once
#include <memory>
#include <span>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

struct NeighborIndexOptions {
    Metric metric = Metric::Cosine;
    Index neighbors = 15;  ///< how many the effort is chosen for; asking for more later costs more for each
    double recall = 0.95;  ///< share of the true neighbours to be found, in (0, 1)
    std::uint64_t seed = 0;
};

/// How an index searches, chosen from the data and the recall wished for.
struct NeighborIndexFacts {
    Index numbers = 0;        ///< that a point is reduced to, for keys
    Index clusters = 0;       ///< that the points lie in
    Index probes = 0;         ///< clusters looked into for a query
    Index candidates = 0;     ///< points whose whole distance is computed
    double recall = 0.0;      ///< on the sample that the effort was chosen with
    double cost_share = 0.0;  ///< estimated cost of a query, as a share of looking at all points
};

/// Approximate search, immutable once built, to be shared between threads. Points are reduced to their coordinates
/// along the top singular directions and cut into clusters by k-means; a query looks into its nearest clusters, takes
/// the best keys there, and computes those points' whole distances. How many clusters and how many points is chosen at
/// building such that a sample of the points finds the recall wished for at least cost. Clusters rather than a graph
/// (HNSW), because whole batches of queries then are dense products, the index is built by them too, and nothing
/// depends on threads or on the order of insertion: bench/neighbors.
class IvfIndex {
public:
    /// The points must outlive the index; they are not copied. About n L r + 20,000 D^2 multiplications, L = 2 sqrt(n)
    /// clusters of r numbers, and the exact neighbours of 256 rows; memory index_bytes(). Throws InvalidArgument unless
    /// 1 <= options.neighbors < n and 0 < recall < 1, InputError (NaN), LimitExceeded.
    IvfIndex(const PointsView& points, const NeighborIndexOptions& options, const RunContext& context = {});
    /// As archive() made it; the points are the archive's. Throws InputError for arrays that do not hang together
    /// (docs/model_file.md) before memory is taken; LimitExceeded.
    explicit IvfIndex(const Archive& archive, const RunContext& context = {});
    ~IvfIndex();
    IvfIndex(IvfIndex&&) noexcept;
    IvfIndex& operator=(IvfIndex&&) noexcept;
    IvfIndex(const IvfIndex&) = delete;
    IvfIndex& operator=(const IvfIndex&) = delete;

    /// All that a search needs, the points included: n D floats.
    [[nodiscard]] Archive archive() const;

    [[nodiscard]] Index count() const;
    [[nodiscard]] Index dimension() const;
    [[nodiscard]] const NeighborIndexOptions& options() const;
    [[nodiscard]] const NeighborIndexFacts& facts() const;

    /// The k nearest others of every point. Throws InvalidArgument unless 1 <= k < n.
    [[nodiscard]] NeighborLists neighbors(Index k, const RunContext& context = {}) const;
    /// Of some points alone, in their order: the lists that neighbors() has for them. None may be listed twice.
    [[nodiscard]] NeighborLists neighbors_of(std::span<const Index> rows, Index k,
                                             const RunContext& context = {}) const;
    /// The k nearest points of each query; a query gets the same list alone and among any others. Throws
    /// InvalidArgument unless 1 <= k <= n and the dimensions agree, InputError (NaN, or distances beyond float32).
    [[nodiscard]] NeighborLists search(const PointsView& queries, Index k, const RunContext& context = {}) const;

    /// Bytes that an index takes beside its points, at most.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
};

}  // namespace isogon
