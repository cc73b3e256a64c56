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
    Index neighbors = 15;  ///< for which the search is tuned; a query for more neighbours costs more for each
    double recall = 0.95;  ///< share of the true neighbours to be found, in (0, 1)
    std::uint64_t seed = 0;
};

/// The search parameters of an index, tuned to the data and the required recall.
struct NeighborIndexFacts {
    Index numbers = 0;        ///< numbers to which a point is reduced, for keys
    Index clusters = 0;       ///< clusters in which the points lie
    Index probes = 0;         ///< clusters searched for a query
    Index candidates = 0;     ///< points whose full distance is computed
    double recall = 0.0;      ///< on the sample with which the search was tuned
    double cost_share = 0.0;  ///< estimated cost of a query, relative to an exhaustive search
};

/// Approximate search, immutable once built, to be shared between threads. Points are reduced to their coordinates
/// along the top singular directions and divided into clusters by k-means (an inverted file, IVF). A query searches its
/// nearest clusters, selects the best keys there, and computes the full distances of those points. The numbers of
/// clusters and of candidates are tuned when the index is built: the cheapest ones that reach the required recall on a
/// sample of the points. Clusters rather than a graph (HNSW): batches of queries and the construction are then dense
/// products, and the result depends neither on threads nor on the order of insertion. Measured in bench/neighbors.
class IvfIndex {
public:
    /// The points must outlive the index; they are not copied. About n L r + 20,000 D^2 multiplications, L = 2 sqrt(n)
    /// clusters of r numbers, and the exact neighbours of 256 rows; memory index_bytes(). Throws InvalidArgument unless
    /// 1 <= options.neighbors < n and 0 < recall < 1, InputError (NaN), LimitExceeded.
    IvfIndex(const PointsView& points, const NeighborIndexOptions& options, const RunContext& context = {});
    /// Reads what archive() made; the points are the archive's. Throws InputError for arrays that do not hang together
    /// (docs/model_file.md) before memory is taken; LimitExceeded.
    explicit IvfIndex(const Archive& archive, const RunContext& context = {});
    /// Reads what archive_beside_points() made for these points, which must outlive the index. Throws as the one above.
    IvfIndex(const Archive& archive, const PointsView& points, const RunContext& context = {});
    ~IvfIndex();
    IvfIndex(IvfIndex&&) noexcept;
    IvfIndex& operator=(IvfIndex&&) noexcept;
    IvfIndex(const IvfIndex&) = delete;
    IvfIndex& operator=(const IvfIndex&) = delete;

    /// All that a search needs, the points included: n D floats.
    [[nodiscard]] Archive archive() const;
    /// The same without the points, for who keeps these anyway: about 4 n + 16 sqrt(n) r bytes.
    [[nodiscard]] Archive archive_beside_points() const;

    [[nodiscard]] Index count() const;
    [[nodiscard]] Index dimension() const;
    [[nodiscard]] const NeighborIndexOptions& options() const;
    [[nodiscard]] const NeighborIndexFacts& facts() const;

    /// The k nearest others of every point. Throws InvalidArgument unless 1 <= k < n.
    [[nodiscard]] NeighborLists neighbors(Index k, const RunContext& context = {}) const;
    /// The lists of some points alone, in their order, as neighbors() has them. None may be listed twice.
    [[nodiscard]] NeighborLists neighbors_of(std::span<const Index> rows, Index k,
                                             const RunContext& context = {}) const;
    /// The k nearest points of each query; a query gets the same list alone and among any others. Throws
    /// InvalidArgument unless 1 <= k <= n and the dimensions agree, InputError (NaN, or distances beyond float32).
    [[nodiscard]] NeighborLists search(const PointsView& queries, Index k, const RunContext& context = {}) const;

    /// Bytes that an index takes beside its points, at most.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    struct Parts;

    void load(std::unique_ptr<Parts> parts, const Archive& archive, const RunContext& context);

    std::unique_ptr<const Parts> parts_;
};

}  // namespace isogon
