#include "embed/fit_input.hpp"

#include <algorithm>
#include <memory>

#include "core/sha256.hpp"
#include "distributed/rank_group.hpp"
#include "files/matrix_files.hpp"
#include "isogon/core/points.hpp"
#include "pairs/pair_tiles.hpp"
#include "program/failure.hpp"
#include "program/ranks.hpp"

namespace isogon::cli {

FitInput::FitInput(const std::vector<std::string>& paths, const InputFlags& flags, const Method& method,
                   Session& session) {
    if (is_sparse_input(paths, flags)) {
        if (session.ranks().is_shared()) {
            throw UsageError(paths.front() +
                             " is a sparse matrix, which ranks of mpirun cannot share; start it without");
        }
        sparse_ = read_sparse_input(paths, flags, session);
        input_.points = {nullptr, sparse_->rows, 0};
        input_.rows_in_files = sparse_->rows;
        points_ = input_.points;
    } else if (session.ranks().is_shared() && method.distributes_pairs) {
        read_own_rows(paths, flags, session);
    } else {
        input_ = read_input(paths, flags, Finite::Required, session);
        points_ = input_.points;
    }
}

void FitInput::read_own_rows(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    const bool known = reserve_for_streams(paths, flags, session);
    InputRows rows = open_parts(paths, flags);
    const Index count = rows.rows->count();
    const Index dimension = rows.rows->dimension();
    if (!known) {
        reserve_for_read(rows.rows_in_files, 0, dimension, session);
    }
    const RankGroup ranks = session.ranks();
    const RunContext context = ranks.agreeing(session.context());
    const RowBlocks blocks = pair_blocks(count);
    const Range own = ranks.own_rows(blocks);
    session.reserve("the input's own rows", own.size() * dimension * sizeof(float),
                    "raise --memory-limit, start more ranks, or take fewer rows (--every)");
    const auto kept = std::make_shared<Points>(static_cast<Index>(own.size()), dimension);
    Sha256 digest;
    const FiniteRows checked(*rows.rows);
    const RowSource& source = rows.rows->always_finite() ? *rows.rows : checked;
    Points block(rows_per_block(count, std::max<Index>(1, dimension)), dimension);
    for (std::size_t first = 0; first < count; first += block.count()) {
        throw_if_cancelled(context);
        const std::size_t end = std::min<std::size_t>(count, first + block.count());
        const auto values = block.values().first((end - first) * dimension);
        source.read(static_cast<Index>(first), values);
        digest.add(std::as_bytes(values));
        const std::size_t begin = std::max(first, own.begin);
        if (begin < std::min(end, own.end)) {
            std::copy(values.begin() + static_cast<std::ptrdiff_t>((begin - first) * dimension),
                      values.begin() + static_cast<std::ptrdiff_t>((std::min(end, own.end) - first) * dimension),
                      kept->values().begin() + static_cast<std::ptrdiff_t>((begin - own.begin) * dimension));
        }
    }
    require_same_numbers(ranks, paths.front(), digest.hex());
    warn_of(rows.notes, session);
    input_ = {std::move(rows), kept->view(), {kept}};
    points_ = ranks.distributed(kept->view(), blocks);
}

void FitInput::reserve_for_all(Session& session) const {
    if (points_.is_distributed() && session.is_root()) {
        session.reserve("all inputs, for model and report",
                        std::uint64_t{points_.count()} * points_.dimension() * sizeof(float),
                        "raise --memory-limit, or leave --model and --report out");
    }
}

PointsView FitInput::gather_all(const Session& session) {
    if (!points_.is_distributed()) {
        return points_.local();
    }
    const Index count = points_.count();
    const Index dimension = points_.dimension();
    if (session.is_root()) {
        all_ = Points(count, dimension);
    }
    const Index step = rows_per_block(count, dimension);
    for (std::size_t first = 0; first < count; first += step) {
        const Points some = points_.gather_range({first, std::min<std::size_t>(count, first + step)});
        if (session.is_root()) {
            std::copy(some.values().begin(), some.values().end(),
                      all_.values().begin() + static_cast<std::ptrdiff_t>(first * dimension));
        }
    }
    return all_.view();
}

}  // namespace isogon::cli
