#include "isogon/pairs/listed_pass.hpp"

#include <algorithm>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "pairs/local_tiles.hpp"

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
};

ListedPass::ListedPass(const LocalTargets& targets, DeviationScale scale, double off_support_weight)
    : targets_(targets),
      near_(both_halves(targets.near)),
      dense_(targets, scale, off_support_weight),
      active_(targets, scale),
      weights_(scale, targets.radii),
      off_support_weight_(off_support_weight) {}

bool ListedPass::are_few(const LocalSums& sums) const {
    return sums.violations <= most_violating * targets_.near.rows;
}

LocalSums ListedPass::all_pairs(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context) {
    ++counts_.dense;
    return dense_.apply(y, sums, context);
}

LocalSums ListedPass::apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context) {
    if (many_expected_ && !frozen_) {
        const LocalSums found = all_pairs(y, sums, context);
        many_expected_ = !are_few(found);
        if (many_expected_) {
            return found;
        }
    }
    if (active_.update(y, context)) {
        ++counts_.listed;
        const LocalSums found = add_lists(y, sums, context);
        if (frozen_ || are_few(found)) {
            return found;
        }
    }
    many_expected_ = true;
    return all_pairs(y, sums, context);
}

LocalSums ListedPass::add_lists(const MultiVector<float>& y, MultiVector<float>& sums,
                                const RunContext& context) const {
    sums.fill_zero();
    const RankGroup& ranks = targets_.ranks;
    const RowBlocks blocks = pair_blocks(y.rows());
    const Range own = ranks.own_blocks(blocks);
    std::vector<LocalSums> parts(blocks.blocks);
    parallel_tasks(context, own.size(), [&](std::size_t task) {
        Scratch scratch;
        const Range rows = block_range(own.begin + task, blocks.count, blocks.rows);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            parts[own.begin + task] += add_row(y, static_cast<Index>(i), sums, scratch);
        }
    });
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(sums.row(0), y.rows() * y.stride())));
    ranks.all_gather_blocks(blocks, std::as_writable_bytes(std::span(parts)));
    LocalSums total;
    for (const LocalSums& part : parts) {
        total += part;
    }
    return total;
}

/// Of a pair only its first point counts the squares.
LocalSums ListedPass::add_row(const MultiVector<float>& y, Index i, MultiVector<float>& sums, Scratch& scratch) const {
    LocalSums found;
    LocalSums of_others;
    const auto look_at = [&](std::span<const Index> others) {
        scratch.squares.resize(others.size());
        scratch.factors.resize(others.size());
        square_listed_differences(y.row(i), y, others, scratch.squares.data());
    };
    const auto radius = [&](Index j) { return double{std::max(targets_.radii[i], targets_.radii[j])}; };
    const auto near = near_.row_indices(i);
    const auto targets = near_.row_values(i);
    look_at(near);
    for (std::size_t k = 0; k < near.size(); ++k) {
        scratch.factors[k] =
            static_cast<float>(keep_distance(weights_, double{targets[k]}, radius(near[k]), double{scratch.squares[k]},
                                             i < near[k] ? found : of_others));
    }
    accumulate_listed_differences(y.row(i), y, near, scratch.factors.data(), sums.row(i));
    const auto non_neighbors = active_.of(i);
    look_at(non_neighbors);
    for (std::size_t k = 0; k < non_neighbors.size(); ++k) {
        const float bound = std::max(targets_.radii[i], targets_.radii[non_neighbors[k]]);
        scratch.factors[k] = 0.0F;
        if (scratch.squares[k] < bound) {
            LocalSums& counted = i < non_neighbors[k] ? found : of_others;
            scratch.factors[k] = static_cast<float>(
                keep_apart(weights_, double{bound}, double{scratch.squares[k]}, off_support_weight_, counted));
            counted.violations += 1.0;
        }
    }
    accumulate_listed_differences(y.row(i), y, non_neighbors, scratch.factors.data(), sums.row(i));
    return found;
}

PassCounts ListedPass::counts() const {
    PassCounts counts = counts_;
    counts.scans = active_.whole_scans();
    return counts;
}

std::uint64_t ListedPass::bytes(Index count, Index dimension, Offset near) {
    return LocalPass::bytes(count, near, 0) + ActivePairs::bytes(count, dimension) +
           2 * near * (sizeof(Index) + sizeof(float)) + sizeof(Offset) * std::uint64_t{count};
}

}  // namespace isogon
