#include "verlet/listed_pass.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "verlet/panel_boxes.hpp"

namespace isogon {

namespace {

/// Both halves of a symmetric matrix.
CsrMatrix<float> both_halves(const CsrMatrix<float>& upper) {
    const CsrMatrix<float> lower = transpose(upper);
    CsrMatrix<float> both{.rows = upper.rows, .columns = upper.columns};
    both.indices.reserve(2 * upper.entries());
    both.values.reserve(2 * upper.entries());
    for (Index i = 0; i < upper.rows; ++i) {
        for (const CsrMatrix<float>* half : {&lower, &upper}) {
            const auto columns = half->row_indices(i);
            const auto values = half->row_values(i);
            both.indices.insert(both.indices.end(), columns.begin(), columns.end());
            both.values.insert(both.values.end(), values.begin(), values.end());
        }
        both.offsets.push_back(both.indices.size());
    }
    return both;
}

}  // namespace

struct ListedPass::Scratch {
    std::vector<float> squares;
    std::vector<float> factors;
    std::vector<ViolatingPairs::Other> too_near;
    std::vector<Index> others;  ///< of these
};

ListedPass::ListedPass(const LocalTargets& targets, const LossShape& shape)
    : targets_(targets),
      near_(both_halves(targets.near)),
      verlet_lists_(targets, targets.divided ? PanelPairs::Near : PanelPairs::All),
      shape_(shape),
      loss_(targets.radii, shape) {
    if (targets.divided) {
        others_.emplace(targets, PanelPairs::Others);
    }
}

bool ListedPass::should_divide(Index dimension) {
    return dimension > PanelBoxes::most_coordinates;
}

bool ListedPass::are_few(const LocalSums& sums) const {
    return sums.violations <= most_violating * targets_.near.rows;
}

LocalSums ListedPass::all_pairs(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                                const Finish& finish) {
    ++counts_.dense;
    curvatures_.clear();
    if (!dense_) {
        dense_.emplace(targets_, shape_);
    }
    const LocalSums found = dense_->apply(y, sums, context);
    for_each_row_block(sums, 0, context, finish);
    return found;
}

LocalSums ListedPass::apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                            const Finish& finish) {
    if (many_expected_ && frozen_ == FrozenLists::None) {
        const LocalSums found = all_pairs(y, sums, context, finish);
        many_expected_ = !are_few(found);
        if (many_expected_) {
            return found;
        }
    }
    dense_.reset();
    if (update_lists(y, context)) {
        ++counts_.listed;
        const LocalSums found = add_lists(y, sums, context, finish);
        if (frozen_ != FrozenLists::None || are_few(found)) {
            return found;
        }
    }
    many_expected_ = true;
    return all_pairs(y, sums, context, finish);
}

void ListedPass::freeze(FrozenLists frozen) {
    panels_.reset();
    many_expected_ = false;
    frozen_ = frozen;
    verlet_lists_.freeze(frozen != FrozenLists::None, frozen == FrozenLists::HalfOfNear ? 2 : 1);
    if (others_) {
        others_->freeze(frozen != FrozenLists::None);
    }
}

bool ListedPass::renew_stale(const MultiVector<float>& y, const RunContext& context) {
    if (frozen_ == FrozenLists::None) {
        return false;
    }
    const bool are_stale = verlet_lists_.are_stale(y, context);
    if (frozen_ == FrozenLists::All && others_ && others_->are_stale(y, context)) {
        panels_.reset();
        return true;
    }
    if (are_stale) {
        verlet_lists_.renew();
    }
    if (are_stale && lists_near_panels_only()) {
        panels_.reset();
    }
    return are_stale;
}

bool ListedPass::update_lists(const MultiVector<float>& y, const RunContext& context) {
    constexpr double share_of_near_panels = 0.07;
    if (others_ && !panels_) {
        panels_.emplace(y, share_of_near_panels, context);
        verlet_lists_.divide_by(*panels_);
        others_->divide_by(*panels_);
    }
    return verlet_lists_.update(y, context) && (!scans_other_panels() || others_->update(y, context));
}

LocalSums ListedPass::add_lists(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                                const Finish& finish) {
    set_shape(sums, y.rows(), y.columns());
    curvatures_.resize(y.rows());
    const bool are_found = few_too_near_ && find_too_near(y, context);
    const RankGroup& ranks = targets_.ranks;
    const RowBlocks blocks = pair_blocks(y.rows());
    const Range own = ranks.own_blocks(blocks);
    std::vector<LocalSums> parts(blocks.blocks);
    parallel_tasks(context, own.size(), [&](std::size_t task) {
        Scratch scratch;
        const Range rows = block_range(own.begin + task, blocks.count, blocks.rows);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = static_cast<Index>(i);
            if (i + 1 < rows.end) {
                prefetch_listed(y, near_.row_indices(row + 1));
            }
            parts[own.begin + task] +=
                add_row(y, row, are_found ? violating_.of(row) : too_near_to(y, row, scratch), sums, scratch);
        }
        finish(rows_of(sums, rows));
    });
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(sums.row(0), y.rows() * y.stride())));
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(curvatures_)));
    const LocalSums total = sum_over_blocks(ranks, blocks, std::move(parts));
    few_too_near_ = total.violations < 0.5 * ViolatingPairs::most_found * y.rows();
    return total;
}

bool ListedPass::find_too_near(const MultiVector<float>& y, const RunContext& context) {
    const std::array<const VerletLists*, 2> lists{&verlet_lists_, others_ ? &*others_ : nullptr};
    return violating_.find({y, targets_, std::span(lists).first(scans_other_panels() ? 2 : 1)}, context);
}

/// Whichever list a pair is in, its terms are added in the order of points.
std::span<const ViolatingPairs::Other> ListedPass::too_near_to(const MultiVector<float>& y, Index i,
                                                               Scratch& scratch) const {
    scratch.too_near.clear();
    const auto collect = [&](const VerletLists& lists) {
        const auto listed = lists.of(i);
        scratch.squares.resize(listed.size());
        square_listed_differences(y.row(i), y, listed, scratch.squares.data());
        for (std::size_t k = 0; k < listed.size(); ++k) {
            if (scratch.squares[k] < std::max(targets_.radii[i], targets_.radii[listed[k]])) {
                scratch.too_near.push_back({listed[k], scratch.squares[k]});
            }
        }
    };
    collect(verlet_lists_);
    if (scans_other_panels()) {
        const auto of_near_panels = static_cast<std::ptrdiff_t>(scratch.too_near.size());
        collect(*others_);
        std::inplace_merge(scratch.too_near.begin(), scratch.too_near.begin() + of_near_panels, scratch.too_near.end());
    }
    return scratch.too_near;
}

/// Only the first point of a pair counts the squares.
LocalSums ListedPass::add_row(const MultiVector<float>& y, Index i, std::span<const ViolatingPairs::Other> too_near,
                              MultiVector<float>& sums, Scratch& scratch) {
    std::fill_n(sums.row(i), sums.stride(), 0.0F);
    LocalSums found;
    const auto radius = [&](Index j) { return double{std::max(targets_.radii[i], targets_.radii[j])}; };
    const auto near = near_.row_indices(i);
    const auto targets = near_.row_values(i);
    scratch.factors.resize(near.size());
    scratch.squares.resize(near.size());
    square_listed_differences(y.row(i), y, near, scratch.squares.data());
    for (std::size_t k = 0; k < near.size(); ++k) {
        scratch.factors[k] = static_cast<float>(loss_.keep_distance(
            double{targets[k]}, radius(near[k]), double{scratch.squares[k]}, i < near[k] ? &found : nullptr));
    }
    accumulate_listed_differences(y.row(i), y, near, scratch.factors.data(), sums.row(i));
    double curvature = 0.0;
    for (std::size_t k = 0; k < near.size(); ++k) {
        curvature += loss_.near_curvature(double{targets[k]}, radius(near[k]), double{scratch.squares[k]});
    }
    scratch.others.clear();
    scratch.factors.clear();
    for (const auto& [j, squared] : too_near) {
        scratch.others.push_back(j);
        scratch.factors.push_back(
            static_cast<float>(loss_.keep_apart(radius(j), double{squared}, i < j ? &found : nullptr)));
        found.violations += i < j ? 1.0 : 0.0;
        curvature += loss_.apart_curvature(radius(j), double{squared});
    }
    accumulate_listed_differences(y.row(i), y, scratch.others, scratch.factors.data(), sums.row(i));
    curvatures_[i] = curvature;
    return found;
}

PassCounts ListedPass::counts() const {
    PassCounts counts = counts_;
    counts.scans = verlet_lists_.whole_scans() + (others_ ? others_->whole_scans() : 0.0);
    return counts;
}

std::uint64_t ListedPass::bytes(Index count, Index dimension, Offset near, bool divided) {
    return LocalPass::bytes(count, near) + VerletLists::bytes(count, dimension) +
           (divided ? VerletLists::bytes(count, dimension, PanelPairs::Others) + NearPanels::bytes(count) : 0) +
           ViolatingPairs::bytes(count, dimension) + 2 * near * (sizeof(Index) + sizeof(float)) +
           sizeof(Offset) * std::uint64_t{count};
}

}  // namespace isogon
