#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/rounded_rows.hpp"
#include "verlet/inner_lists.hpp"
#include "verlet/local_pass.hpp"
#include "verlet/verlet_lists.hpp"

namespace isogon {

/// Finds the listed pairs that violate their bound, |y_i - y_j|^2 < max(r_i, r_j)^2, where these are few: each pair is
/// compared once, by rounded rows, and those that these do not tell apart by their rows. A pass by rows compares every
/// pair from both sides, at twice as many lines of cache each time. Long lists are pruned (InnerLists).
class ViolatingPairs {
public:
    struct Other {
        Index j;
        float squared;  ///< |y_i - y_j|^2
        [[nodiscard]] bool operator<(const Other& other) const { return j < other.j; }
    };

    /// Searches the lists of this rank's points. False where more than `most_found` pairs a point are found. O(n d +
    /// listed d) time; the bits depend on the positions alone.
    [[nodiscard]] bool find(const ListedPoints& points, const RunContext& context);

    /// The points too near to i, which this rank owns, in ascending order.
    [[nodiscard]] std::span<const Other> of(Index i) const {
        return std::span(others_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
    }

    static constexpr std::size_t most_found = 8;
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    struct Pair;
    struct Scratch;

    void add_too_near(const ListedPoints& points, Index i, std::span<const Index> others, Scratch& scratch) const;
    void add_too_near_of(const ListedPoints& points, Index i, Range own, Scratch& scratch) const;
    void add_too_near_of_inner_lists(const ListedPoints& points, Index i, Range own, Scratch& scratch) const;
    void list(const std::vector<std::vector<Pair>>& found, Range own, Index count, const RunContext& context);

    RoundedRows rounded_;
    InnerLists inner_lists_;
    std::vector<Offset> begins_;
    std::vector<Other> others_;
};

}  // namespace isogon
