#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

class Communicator;

/// Points of which each rank of a communicator holds a run of neighbouring ones, in the order of ranks; without a
/// communicator all of them are here. Where a function says that this is collective, all of them call it at the same
/// time; without a communicator it only copies. Owns no numbers: whoever holds the memory must outlive it.
class DistributedPoints {
public:
    DistributedPoints() = default;
    /// All of them are local: any points will do where distributed ones do.
    DistributedPoints(const PointsView& all);  // NOLINT(google-explicit-constructor)
    /// Rank r of the communicator holds points begins[r] ... begins[r + 1] - 1 of begins.back(), and `local` are those
    /// of this rank.
    DistributedPoints(const PointsView& local, std::vector<Index> begins, const Communicator& communicator);
    /// Other numbers of the same points, distributed in the same way.
    [[nodiscard]] DistributedPoints with(const PointsView& local) const;

    [[nodiscard]] Index count() const { return begins_.back(); }  ///< of all ranks
    [[nodiscard]] Index dimension() const { return local_.dimension; }
    [[nodiscard]] bool empty() const { return count() == 0 || dimension() == 0; }
    [[nodiscard]] bool is_distributed() const { return communicator_ != nullptr; }
    [[nodiscard]] const Communicator* communicator() const { return communicator_; }
    /// The points of this rank.
    [[nodiscard]] const PointsView& local() const { return local_; }
    /// Which those are.
    [[nodiscard]] Range local_range() const;
    [[nodiscard]] Range of_rank(std::size_t rank) const { return {begins_[rank], begins_[rank + 1]}; }

    /// `items` holds equally many bytes for each of all points, and this rank has those of its own: afterwards all
    /// ranks have all. Collective.
    void all_gather(std::span<std::byte> items) const;
    /// Neighbouring points, on every rank. Collective.
    [[nodiscard]] Points gather_range(Range points) const;
    /// The points of this list, in its order, on every rank, which have the same list. Collective.
    [[nodiscard]] Points gather_rows(std::span<const Index> list) const;

private:
    PointsView local_;
    std::vector<Index> begins_{0, 0};
    const Communicator* communicator_ = nullptr;
};

/// Lengths of all points, on every rank. Collective.
[[nodiscard]] std::vector<double> norms_of_all(const DistributedPoints& points);

/// What require_finite() does, with the same answer on all ranks. Collective.
void require_all_finite(const DistributedPoints& points, const char* source);

}  // namespace isogon
