#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/archive_schema.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The outputs y_j of fitted points, each with a radius R_j, and a graph of near ones, in which those that a point y
/// may come too near to are found at a cost that does not grow with their number: all with |y - y_j| below max(R, R_j)
/// + a margin. From some that are near, every edge of one inside is followed, and of the nearest others until `effort`
/// points have been left. A point has edges to near points that are not nearer to each other than to it (Arya and Mount
/// 1993, as in HNSW), so that some lead out of a group of copies, and to points that have edges to it. Approximate:
/// what no edge leads to is not found. Where edges lead to too little (more copies of a point than it has edges), the
/// effort is that of a look at all.
class ProximityGraph {
public:
    static constexpr Index degree = 32;          ///< most edges of a point
    static constexpr double margin = 0.1;        ///< of a search, as a share of R
    static constexpr double share_found = 0.97;  ///< in a sample, of what is inside

    /// Without edges: a search looks at all. `radii` in the unit of the outputs. Throws LimitExceeded. O(n d).
    ProximityGraph(const PointsView& outputs, std::span<const float> radii, const RunContext& context);
    /// With edges. `neighbors`: from so many nearest a search starts in the sample that decides the effort. The time of
    /// a search of the 64 nearest of all. Throws Interruption too.
    ProximityGraph(const PointsView& outputs, std::span<const float> radii, Index neighbors, const RunContext& context);
    /// As save() stored it, from an archive that has passed the schema of describe().
    ProximityGraph(const PointsView& outputs, std::span<const float> radii, const Archive& archive,
                   const RunContext& context);
    void save(Archive& archive) const;
    /// Adds the arrays of save() to a schema in which n is known: "output_edges" (n, degree), a row padded with its own
    /// number, and "output_effort" ().
    static void describe(ArchiveSchema& schema);

    /// By place, in an order in which near ones lie near each other, times scale().
    [[nodiscard]] const MultiVector<float>& points() const { return points_; }
    /// R_j by place, times scale().
    [[nodiscard]] std::span<const float> radii() const { return radii_; }
    /// The power of two that makes the largest coordinate one from 1 to 2.
    [[nodiscard]] double scale() const { return scale_; }
    [[nodiscard]] Index place_of(Index row) const { return place_of_[row]; }
    [[nodiscard]] Index row_at(Index place) const { return rows_[place]; }
    [[nodiscard]] std::span<const Index> edges_of(Index place) const {
        return {edges_.data() + std::size_t{place} * degree, degree};
    }
    /// n without edges.
    [[nodiscard]] Index effort() const { return effort_; }

    /// Scratch of a search, of one thread.
    struct Scratch {
        std::vector<std::uint8_t> visited{};             ///< 1 or 0 a place; zero between searches
        std::vector<Index> looked_at{};                  ///< that are 1
        std::vector<Index> next{};                       ///< about to be looked at
        std::vector<float> shares{};                     ///< of these, see find_shares()
        std::vector<Index> inside{};                     ///< and others that are left
        std::vector<std::pair<float, Index>> outside{};  ///< the others, a heap by distance, as a share of what counts
    };
    /// A search of places around y, a row like those of points(), within the larger of both radii and the margin of
    /// `radius`.
    struct Query {
        const float* y;
        float radius;
        Index effort;
    };
    /// `found`: those places that are found from `starts`, in an order that depends on nothing else.
    void find_around(const Query& query, std::span<const Index> starts, Scratch& scratch,
                     std::vector<Index>& found) const;

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);
    /// Without edges.
    [[nodiscard]] static std::uint64_t points_bytes(Index count, Index dimension);

private:
    void set_points(const PointsView& outputs, std::span<const float> radii, const RunContext& context);
    [[nodiscard]] std::vector<Index> spread_edges(const RunContext& context) const;
    void add_reverse(const std::vector<Index>& edges, const RunContext& context);
    /// To what is looked at next, those that have not been visited.
    static void add_new(std::span<const Index> places, Scratch& scratch);
    void look_at_next(const Query& query, Scratch& scratch, std::vector<Index>& found) const;
    void find_all_around(const Query& query, Scratch& scratch, std::vector<Index>& found) const;
    /// The squares of the distances of places, as shares of those up to which they are inside.
    void find_shares(const Query& query, std::span<const Index> places, float* shares) const;
    struct Trial;
    [[nodiscard]] Trial trial_of(Index place, Index neighbors) const;
    [[nodiscard]] Index tuned_effort(Index neighbors, const RunContext& context) const;

    MultiVector<float> points_;
    std::vector<float> radii_;
    double scale_ = 1.0;
    std::vector<Index> rows_;      ///< of a place
    std::vector<Index> place_of_;  ///< of a row
    AlignedArray<Index> edges_;    ///< of a place; in large pages, as every one read lies elsewhere
    Index effort_ = 0;
};

}  // namespace isogon
