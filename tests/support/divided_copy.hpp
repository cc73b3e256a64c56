#pragma once
#include <algorithm>

#include "isogon/core/sparse_matrix.hpp"
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

/// What one rank holds of pairs that a team divides: the entries of which one point at least is its own.
inline SparseMatrix own_part(const SparseMatrix& whole, Range own) {
    SparseMatrix part{.rows = whole.rows, .columns = whole.columns};
    const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
    for (Index i = 0; i < whole.rows; ++i) {
        for (std::size_t k = 0; k < whole.row_indices(i).size(); ++k) {
            if (is_own(i) || is_own(whole.row_indices(i)[k])) {
                part.indices.push_back(whole.row_indices(i)[k]);
                part.values.push_back(whole.row_values(i)[k]);
            }
        }
        part.offsets.push_back(part.indices.size());
    }
    return part;
}

}  // namespace isogon::support
