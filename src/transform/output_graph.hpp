#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// The directions u_j of fitted outputs and a graph of near ones, in which those above a cosine with some u are found
/// at a cost that does not grow with their number: from some that are near, every edge of one above the cosine is
/// followed, and of the nearest others until `effort` points have been left. A point has edges to near points that are
/// not nearer to each other than to it (Arya and Mount 1993, as in HNSW), so that some lead out of a group of copies,
/// and to points that have edges to it. Approximate: what no edge leads to is not found. Where edges lead to too little
/// (more copies of a point than it has edges), the effort is that of a look at all.
class OutputGraph {
public:
    static constexpr Index degree = 32;  ///< most edges of a point
    static constexpr Index least_effort = 16;
    static constexpr double share_found = 0.97;  ///< in a sample, of what is above the cosine of the near ones

    /// `neighbors`: from so many nearest a search starts in the sample that decides the effort. The time of a search of
    /// the 64 nearest of all, and O(n d). Throws InputError if all outputs are zero, LimitExceeded, Interruption.
    OutputGraph(const PointsView& outputs, Index neighbors, const RunContext& context);
    /// As save() stored it, from an archive that has passed the schema of describe().
    OutputGraph(const PointsView& outputs, const Archive& archive);
    void save(Archive& archive) const;
    /// Adds the arrays of save() to a schema in which n and d are known: "output_edges" (n, degree), a row padded with
    /// its own number, and "output_effort" ().
    static void describe(ArchiveSchema& schema);

    /// By place, in an order in which near ones lie near each other.
    [[nodiscard]] const MultiVector<float>& directions() const { return directions_; }
    /// The place of a fitted row; `nowhere` if its output is zero.
    [[nodiscard]] Index place_of(Index row) const { return place_of_[row]; }
    [[nodiscard]] Index row_at(Index place) const { return rows_[place]; }
    static constexpr Index nowhere = static_cast<Index>(-1);
    [[nodiscard]] std::span<const Index> edges_of(Index place) const {
        return {edges_.data() + std::size_t{place} * degree, degree};
    }
    [[nodiscard]] Index effort() const { return effort_; }

    /// Scratch of a search, of one thread.
    struct Scratch {
        std::vector<std::uint8_t> visited{};             ///< 1 or 0 a place; zero between searches
        std::vector<Index> looked_at{};                  ///< that are 1
        std::vector<Index> next{};                       ///< about to be looked at
        std::vector<float> products{};                   ///< with these
        std::vector<Index> inside{};                     ///< above the floor, and others that are left
        std::vector<std::pair<float, Index>> outside{};  ///< the others, a heap by product
    };
    /// What is searched: places whose cosine with u, a row like those of directions(), is above `floor`.
    struct Query {
        const float* u;
        float floor;
        Index effort;
    };
    /// `found`: those places that are found from `starts`, in an order that depends on nothing else.
    void find_above(const Query& query, std::span<const Index> starts, Scratch& scratch,
                    std::vector<Index>& found) const;

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    void set_directions(const PointsView& outputs, const RunContext& context);
    [[nodiscard]] std::vector<Index> spread_edges(const RunContext& context) const;
    void add_reverse(const std::vector<Index>& edges, const RunContext& context);
    /// To what is looked at next, those that have not been visited.
    static void add_new(std::span<const Index> places, Scratch& scratch);
    void look_at_next(const Query& query, Scratch& scratch, std::vector<Index>& found) const;
    void find_all_above(const Query& query, Scratch& scratch, std::vector<Index>& found) const;
    struct Trial;
    [[nodiscard]] Trial trial_of(Index place, Index neighbors) const;
    [[nodiscard]] Index tuned_effort(Index neighbors, const RunContext& context) const;

    MultiVector<float> directions_;
    std::vector<Index> rows_;      ///< of a place
    std::vector<Index> place_of_;  ///< of a row
    AlignedArray<Index> edges_;    ///< of a place; in large pages, as every one read lies elsewhere
    Index effort_ = 0;
};

/// The cosine with an anchor beyond which no direction can exceed `threshold` with any u within certain_reach of it.
[[nodiscard]] float floor_around(double threshold);

}  // namespace isogon
