#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

class Team;

/// Points of which each rank of a team holds a run of neighbouring ones, in the order of ranks; without a team all of
/// them are here. Where a function says that ranks meet, all of them call it at the same time; without a team it only
/// copies. Owns no numbers: whoever holds the memory must outlive it.
class DividedPoints {
public:
    DividedPoints() = default;
    /// All of them are here: any points will do where divided ones do.
    DividedPoints(const PointsView& all);  // NOLINT(google-explicit-constructor)
    /// Rank r of the team holds points begins[r] ... begins[r + 1] - 1 of begins.back(), and `here` are those of this
    /// rank.
    DividedPoints(const PointsView& here, std::vector<Index> begins, const Team& team);
    /// Other numbers of the same points, divided in the same way.
    [[nodiscard]] DividedPoints with(const PointsView& here) const;

    [[nodiscard]] Index count() const { return begins_.back(); }  ///< of all ranks
    [[nodiscard]] Index dimension() const { return here_.dimension; }
    [[nodiscard]] bool empty() const { return count() == 0 || dimension() == 0; }
    [[nodiscard]] bool divided() const { return team_ != nullptr; }
    [[nodiscard]] const Team* team() const { return team_; }
    /// The points of this rank.
    [[nodiscard]] const PointsView& here() const { return here_; }
    /// Which those are.
    [[nodiscard]] Range own() const;
    [[nodiscard]] Range of_rank(std::size_t rank) const { return {begins_[rank], begins_[rank + 1]}; }

    /// `items` holds equally many bytes for each of all points, and this rank has those of its own: afterwards all
    /// ranks have all. Ranks meet.
    void gather(std::span<std::byte> items) const;
    /// Neighbouring points, on every rank. Ranks meet.
    [[nodiscard]] Points some(Range points) const;
    /// The points of this list, in its order, on every rank, which have the same list. Ranks meet.
    [[nodiscard]] Points chosen(std::span<const Index> list) const;

private:
    PointsView here_;
    std::vector<Index> begins_{0, 0};
    const Team* team_ = nullptr;
};

/// Lengths of all points, on every rank. Ranks meet.
[[nodiscard]] std::vector<double> norms_of_all(const DividedPoints& points);

/// What require_finite() does, with the same answer on all ranks. Ranks meet.
void require_all_finite(const DividedPoints& points, const char* source);

}  // namespace isogon
