#include "verlet/inner_lists.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/row_kernel.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr std::size_t least_listed = 16;  // for each point; shorter lists are looked at as fast
constexpr std::size_t most_kept = 32;     // for each point
constexpr double most_loose = 0.05;
constexpr float upwards_rounding = 1.0F + 1e-5F;  // of distances

Offset listed_in(std::span<const VerletLists* const> lists) {
    Offset listed = 0;  // from both points
    for (const VerletLists* pairs : lists) {
        listed += pairs->listed();
    }
    return listed / 2;
}

std::span<const Index> after(std::span<const Index> listed, Index i) {
    return listed.subspan(static_cast<std::size_t>(std::ranges::upper_bound(listed, i) - listed.begin()));
}

/// The displacement that is exceeded by a share of the points, by a sample of them.
float quantile(const std::vector<float>& displacements, double share) {
    constexpr std::size_t most_of_sample = 10000;
    std::vector<float> sample;
    const std::size_t every = block_count(displacements.size(), most_of_sample);
    for (std::size_t i = 0; i < displacements.size(); i += every) {
        sample.push_back(displacements[i]);
    }
    const auto place = sample.begin() + static_cast<std::ptrdiff_t>((1.0 - share) * static_cast<double>(sample.size()));
    std::nth_element(sample.begin(), place, sample.end());
    return *place;
}

/// The skins from which on the listed pairs of some points are kept, ascending.
std::vector<float> skins_of_sample(const ListedPoints& points) {
    const auto& [y, targets, lists] = points;
    constexpr std::size_t points_of_sample = 1024;
    std::vector<float> skins;
    std::vector<float> squares;
    const std::size_t every = block_count(y.rows(), points_of_sample);
    for (std::size_t place = 0; place < y.rows(); place += every) {
        const auto i = static_cast<Index>(place);
        for (const VerletLists* pairs : lists) {
            const auto listed = pairs->of(i);
            squares.resize(listed.size());
            square_listed_differences(y.row(i), y, listed, squares.data());
            for (std::size_t k = 0; k < listed.size(); ++k) {
                const float radius = std::sqrt(std::max(targets.radii[i], targets.radii[listed[k]]));
                const float skin = 0.5F * (std::sqrt(squares[k]) - radius);
                if (!std::isnan(skin)) {  // both infinite
                    skins.push_back(skin);
                }
            }
        }
    }
    std::ranges::sort(skins);
    return skins;
}

}  // namespace

bool InnerLists::update(const ListedPoints& points, RoundedRows& rounded, const RunContext& context) {
    constexpr std::size_t rows_at_once = 512;
    const MultiVector<float>& y = points.y;
    if (listed_in(points.lists) < least_listed * y.rows()) {
        blocks_.clear();
        return false;
    }
    ++updates_;
    displacements_.resize(y.rows());
    if (positions_.rows() != y.rows()) {
        start_at(y, context);
        return false;  // how fast points are is not known yet
    }
    parallel_blocks(context, y.rows(), rows_at_once, [&](Range rows) {
        const auto displacements = std::span(displacements_).subspan(rows.begin, rows.size());
        row_distances(y.row(rows.begin), positions_.row(rows.begin), y.stride(), displacements);
        std::ranges::transform(displacements, displacements.begin(),
                               [](float displacement) { return upwards_rounding * displacement; });
    });
    if (!std::ranges::all_of(displacements_, [](float displacement) { return std::isfinite(displacement); })) {
        blocks_.clear();
        positions_ = MultiVector<float>();
        return false;
    }
    const auto loose = std::ranges::count_if(displacements_, [&](float displacement) { return displacement > skin_; });
    if (are_of(points.lists) && static_cast<double>(loose) <= most_loose * y.rows()) {
        return true;
    }
    const bool pays = choose_skin(points);
    blocks_.clear();
    start_at(y, context);
    return pays && prune(points, rounded, context);
}

bool InnerLists::are_of(std::span<const VerletLists* const> lists) const {
    return !blocks_.empty() &&
           std::ranges::equal(lists, versions_, {}, [](const VerletLists* pairs) { return pairs->version(); });
}

void InnerLists::start_at(const MultiVector<float>& y, const RunContext& context) {
    assign(1.0, y, positions_, context);
    updates_ = 0;
}

/// The skin by which the least is looked at, of all that is listed: what is kept in each update, and all where points
/// have become loose. False where that is not much less than all.
bool InnerLists::choose_skin(const ListedPoints& points) {
    constexpr double most_share_looked_at = 0.7;
    constexpr int most_doublings = 6;
    const float displacement = quantile(displacements_, most_loose) / static_cast<float>(updates_);
    const std::vector<float> skins = skins_of_sample(points);
    const double most_share = 0.9 * most_kept * points.y.rows() / static_cast<double>(listed_in(points.lists));
    double best = most_share_looked_at;
    float skin = displacement > 0.0F ? displacement : skin_;  // points that have not moved are as fast as before
    for (int k = 0; k <= most_doublings; ++k, skin *= 2.0F) {
        const double share = static_cast<double>(std::ranges::lower_bound(skins, skin) - skins.begin()) /
                             static_cast<double>(skins.size());
        const double looked_at = share + double{displacement} / double{skin};
        if (looked_at < best && share < most_share) {
            best = looked_at;
            skin_ = skin;
        }
    }
    return best < most_share_looked_at;
}

bool InnerLists::prune(const ListedPoints& points, RoundedRows& rounded, const RunContext& context) {
    const MultiVector<float>& y = points.y;
    std::vector<float> within(y.rows());
    std::ranges::transform(points.targets.radii, within.begin(), [&](float square) {
        const float reach = upwards_rounding * (std::sqrt(square) + 2.0F * skin_);
        return reach * reach;
    });
    rounded.set(y.view(), within, context);
    const RowBlocks blocks = pair_blocks(y.rows());
    blocks_.resize(blocks.blocks);
    const std::size_t most_pairs = most_kept * y.rows();
    std::atomic<std::size_t> count{0};
    parallel_tasks(context, blocks.blocks, [&](std::size_t task) {
        const Range rows = block_range(task, blocks.count, blocks.rows);
        std::vector<std::uint32_t> begins{0};
        std::vector<Index> kept;
        for (auto i = static_cast<Index>(rows.begin);
             i < rows.end && count.load(std::memory_order_relaxed) <= most_pairs; ++i) {
            std::size_t end = begins.back();
            for (const VerletLists* pairs : points.lists) {
                const auto others = after(pairs->of(i), i);
                kept.resize(std::max(kept.size(), end + others.size()));
                end += rounded.keep_near(i, others, kept.data() + end);
            }
            count += end - begins.back();
            begins.push_back(static_cast<std::uint32_t>(end));
        }
        kept.resize(begins.back());
        blocks_[task] = {std::move(begins), std::vector<Index>(kept.begin(), kept.end())};  // no more than it needs
    });
    if (count > most_pairs) {
        blocks_.clear();
        return false;
    }
    std::ranges::fill(displacements_, 0.0F);
    versions_.clear();
    std::ranges::transform(points.lists, std::back_inserter(versions_), &VerletLists::version);
    return true;
}

std::span<const Index> InnerLists::of(Index i) const {
    const RowBlocks blocks = pair_blocks(static_cast<Index>(displacements_.size()));
    const Block& block = blocks_[i / blocks.rows];
    const std::size_t row = i % blocks.rows;
    return std::span(block.others).subspan(block.begins[row], block.begins[row + 1] - block.begins[row]);
}

std::uint64_t InnerLists::bytes(Index count, Index dimension) {
    return MultiVector<float>::bytes(count, dimension) +
           count * (most_kept * sizeof(Index) + sizeof(std::uint32_t) + 2 * sizeof(float));
}

}  // namespace isogon
