#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

class Communicator;

/// The points of a problem that one process solves, or several together, the ranks of a communicator: each of these
/// holds one contiguous range of points, in the order of ranks. All ranks must call a collective function at the same
/// time; in one process such a function only copies. This is a view: the memory of the points must outlive it.
class DistributedPoints {
public:
    DistributedPoints() = default;
    /// All points are local.
    DistributedPoints(const PointsView& all);  // NOLINT(*-explicit-*): local points are passed for distributed ones
    /// Every rank holds all points. They are not distributed yet: a method takes each rank's range of them.
    DistributedPoints(const PointsView& all, const Communicator& communicator);
    /// Rank r of the communicator holds points begins[r] ... begins[r + 1] - 1 of begins.back(), and `local` are
    /// those of this rank.
    DistributedPoints(const PointsView& local, std::vector<Index> begins, const Communicator& communicator);
    /// Other numbers of the same points, distributed in the same way.
    [[nodiscard]] DistributedPoints with(const PointsView& local) const;

    [[nodiscard]] Index count() const { return begins_.back(); }  ///< number of points of all ranks
    [[nodiscard]] Index dimension() const { return local_.dimension; }
    [[nodiscard]] bool empty() const { return count() == 0 || dimension() == 0; }
    /// Whether `local` is the range of a rank; otherwise it is all points.
    [[nodiscard]] bool is_distributed() const { return is_distributed_; }
    /// Null in one process.
    [[nodiscard]] const Communicator* communicator() const { return communicator_; }
    /// The points of this rank.
    [[nodiscard]] const PointsView& local() const { return local_; }
    /// The range of their numbers.
    [[nodiscard]] Range local_range() const;
    /// `rank`: below ranges().
    [[nodiscard]] Range of_rank(std::size_t rank) const { return {begins_[rank], begins_[rank + 1]}; }
    /// The number of these ranges: 1 where all points are local.
    [[nodiscard]] std::size_t ranges() const { return begins_.size() - 1; }

    /// `items` has the same number of bytes for every point of all ranks. Each rank has filled the bytes of its own
    /// points; afterwards every rank has the bytes of all points. Collective.
    void all_gather(std::span<std::byte> items) const;
    /// A contiguous range of points, on every rank. Collective.
    [[nodiscard]] Points gather_range(Range points) const;
    /// The points of this list, in its order, on every rank, which have the same list. Collective.
    [[nodiscard]] Points gather_rows(std::span<const Index> list) const;

private:
    PointsView local_;
    std::vector<Index> begins_{0, 0};
    const Communicator* communicator_ = nullptr;
    bool is_distributed_ = false;
};

/// Lengths of all points, on every rank, as by norms(). Collective.
[[nodiscard]] std::vector<double> norms_of_all(const DistributedPoints& points,
                                               const RunContext& context = {.threads = 1});

/// The same as require_finite(), with one result on all ranks. Collective.
void require_all_finite(const DistributedPoints& points, const char* source);

}  // namespace isogon
