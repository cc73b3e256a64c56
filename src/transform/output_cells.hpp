#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// The directions u_j of fitted outputs, divided into cells by k-means so that those above a cosine with some u are
/// found without a look at all. They lie cell by cell; a place is a number in that order. Approximate: the cells
/// nearest to u are searched, as many as found `share_found` of what was wanted for a sample of the outputs themselves.
class OutputCells {
public:
    static constexpr double share_found = 0.99;

    /// About 2 sqrt(n) cells. Outputs of length zero lie in none. `neighbors`: the bound of a sample row is its cosine
    /// with its neighbour of that number, and a margin. O(n^1.5 d) time. Throws InputError if all are zero,
    /// Interruption.
    OutputCells(const PointsView& outputs, Index neighbors, const RunContext& context);
    /// As save() stored them, from an archive that has passed the schema of describe().
    OutputCells(const PointsView& outputs, const Archive& archive);
    void save(Archive& archive) const;
    /// Adds the arrays of save() to a schema in which n and d are known: "output_centroids" (M, d), "output_cell_of"
    /// (n) and "output_probes" ().
    static void describe(ArchiveSchema& schema);

    [[nodiscard]] const MultiVector<float>& directions() const { return directions_; }
    [[nodiscard]] Index cells() const { return centroids_.count(); }
    [[nodiscard]] Index probes() const { return probes_; }
    /// The place of a fitted row; `nowhere` if its output is zero.
    [[nodiscard]] Index place_of(Index row) const { return place_of_[row]; }
    [[nodiscard]] Index row_at(Index place) const { return rows_[place]; }
    static constexpr Index nowhere = static_cast<Index>(-1);

    /// Scratch of a search, of one thread.
    struct Scratch {
        std::vector<float> scores{};
        std::vector<Index> order{};
    };
    /// Appends the places whose cosine with u is above `floor`, in the `probes` nearest cells, by ascending place. `u`
    /// is a row like those of directions(). O((M + probes n / M) d).
    void find_above(const float* u, float floor, Index probes, Scratch& scratch, std::vector<Index>& found) const;

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    void arrange(const PointsView& outputs, const std::vector<Index>& cell_of);
    void order_cells(const float* u, Index probes, Scratch& scratch) const;
    [[nodiscard]] Index tuned_probes(Index neighbors, const RunContext& context) const;

    Points centroids_;
    MultiVector<float> packed_centroids_;
    std::vector<float> half_squares_;  ///< of the lengths of centroids
    MultiVector<float> directions_;
    PackedPoints packed_;          ///< the same, in the layout of the search
    std::vector<Index> first_;     ///< of a cell, its first place; one more at the end
    std::vector<Index> rows_;      ///< of a place
    std::vector<Index> places_;    ///< 0, 1, 2, ...: what the kernel takes as a list
    std::vector<Index> place_of_;  ///< of a row
    Index probes_ = 1;
};

/// The cosine with an anchor beyond which no direction can exceed `threshold` with any u within certain_reach of it.
[[nodiscard]] float floor_around(double threshold);

}  // namespace isogon
