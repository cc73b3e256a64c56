#pragma once
#include <algorithm>

#include "isogon/core/team.hpp"
#include "isogon/pairs/own_points.hpp"
#include "support/thread_team.hpp"

namespace isogon::support {

/// What one rank holds of points that a team divides: a copy of its own rows, and nothing of the others.
class DividedCopy {
public:
    DividedCopy(const PointsView& all, const RunContext& context)
        : rows_(static_cast<Index>(own_points(all.count, context).size()), all.dimension) {
        const Range own = own_points(all.count, context);
        for (Index i = 0; i < rows_.count(); ++i) {
            std::copy_n(all[static_cast<Index>(own.begin + i)].begin(), all.dimension, rows_[i].begin());
        }
        points_ = divided(rows_.view(), all.count, context);
    }
    DividedCopy(const DividedCopy&) = delete;
    DividedCopy& operator=(const DividedCopy&) = delete;

    [[nodiscard]] const DividedPoints& points() const { return points_; }

private:
    Points rows_;
    DividedPoints points_;
};

/// Runs body(context, own points) on every rank of a team.
template <class Body>
void on_ranks(std::size_t ranks, const PointsView& all, const Body& body, int threads = 1) {
    ThreadTeam::run(ranks, [&](const Team& team) {
        RunContext context{.threads = threads};
        context.team = &team;
        const DividedCopy copy(all, context);
        body(context, copy.points());
    });
}

}  // namespace isogon::support
