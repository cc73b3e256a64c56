#include "distributed/rank_group.hpp"

#include <algorithm>
#include <numeric>

#include "distributed/communicator.hpp"

namespace isogon {

Range rank_range(std::size_t count, std::size_t rank, std::size_t ranks) {
    const std::size_t each = count / ranks;
    const std::size_t more = count % ranks;  // the first so many have one more
    const std::size_t begin = rank * each + std::min(rank, more);
    return {begin, begin + each + (rank < more ? 1 : 0)};
}

std::size_t RankGroup::rank() const {
    return communicator_ == nullptr ? 0 : communicator_->rank();
}

std::size_t RankGroup::size() const {
    return communicator_ == nullptr ? 1 : communicator_->size();
}

/// The first row of each rank, followed by the number of all rows.
std::vector<Index> RankGroup::first_rows(const RowBlocks& blocks) const {
    std::vector<Index> firsts;
    for (std::size_t rank = 0; rank < size(); ++rank) {
        const std::size_t first = rank_range(blocks.blocks, rank, size()).begin;
        firsts.push_back(static_cast<Index>(std::min(blocks.count, first * blocks.rows)));
    }
    firsts.push_back(static_cast<Index>(blocks.count));
    return firsts;
}

Range RankGroup::own_rows(const RowBlocks& blocks) const {
    const std::vector<Index> firsts = first_rows(blocks);
    return {firsts[rank()], firsts[rank() + 1]};
}

DistributedPoints RankGroup::of_all(const PointsView& all) const {
    return communicator_ == nullptr ? DistributedPoints(all) : DistributedPoints(all, *communicator_);
}

DistributedPoints RankGroup::distributed(const PointsView& own, const RowBlocks& blocks) const {
    return communicator_ == nullptr ? DistributedPoints(own)
                                    : DistributedPoints(own, first_rows(blocks), *communicator_);
}

CommunicatorTraffic RankGroup::traffic() const {
    return communicator_ == nullptr ? CommunicatorTraffic{} : communicator_->traffic();
}

RunContext RankGroup::agreeing(const RunContext& context) const {
    RunContext shared = context;
    if (communicator_ != nullptr) {
        shared.agree_on_stop = [communicator = communicator_](std::optional<Termination> own) {
            return communicator->agree_on_stop(own);
        };
    }
    return shared;
}

void RankGroup::all_gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const {
    if (communicator_ != nullptr) {
        communicator_->all_gather(bytes, begins);
    }
}

std::vector<std::uint64_t> RankGroup::begins_of_sizes(std::uint64_t own) const {
    std::vector<std::uint64_t> sizes(size());
    sizes[rank()] = own;
    all_gather_parts(size(), sizeof(std::uint64_t), std::as_writable_bytes(std::span(sizes)));
    std::vector<std::uint64_t> begins(size() + 1);
    std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
    return begins;
}

void RankGroup::all_gather_parts(std::size_t count, std::size_t item_bytes, std::span<std::byte> bytes) const {
    std::vector<std::uint64_t> begins;
    for (std::size_t rank = 0; rank < size(); ++rank) {
        begins.push_back(std::min<std::uint64_t>(bytes.size(), rank_range(count, rank, size()).begin * item_bytes));
    }
    begins.push_back(bytes.size());
    all_gather(bytes, begins);
}

void RankGroup::all_gather_rows(const RowBlocks& blocks, std::span<std::byte> items) const {
    if (blocks.count > 0) {
        all_gather_parts(blocks.blocks, blocks.rows * (items.size() / blocks.count), items);
    }
}

void RankGroup::all_gather_blocks(const RowBlocks& blocks, std::span<std::byte> items) const {
    if (blocks.blocks > 0) {
        all_gather_parts(blocks.blocks, items.size() / blocks.blocks, items);
    }
}

void RankGroup::broadcast(std::size_t from, std::span<std::byte> bytes) const {
    std::vector<std::uint64_t> begins(size() + 1, 0);
    std::fill(begins.begin() + static_cast<std::ptrdiff_t>(from) + 1, begins.end(), bytes.size());
    all_gather(bytes, begins);
}

void RankGroup::all_reduce_sum(std::span<std::uint64_t> numbers) const {
    constexpr std::size_t at_once = std::size_t{1} << 15U;  // 256 KiB of each rank
    for (std::size_t begin = 0; begin < numbers.size(); begin += at_once) {
        const auto some = numbers.subspan(begin, std::min(at_once, numbers.size() - begin));
        std::vector<std::uint64_t> all(some.size() * size());
        std::copy(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(rank() * some.size()));
        all_gather_parts(size(), some.size_bytes(), std::as_writable_bytes(std::span(all)));
        for (std::size_t k = 0; k < some.size(); ++k) {
            some[k] = 0;
            for (std::size_t r = 0; r < size(); ++r) {
                some[k] += all[r * some.size() + k];
            }
        }
    }
}

std::vector<std::string> RankGroup::all_gather_texts(const std::string& own) const {
    const std::vector<std::uint64_t> begins = begins_of_sizes(own.size());
    std::string all(begins.back(), '\0');
    std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(begins[rank()]));
    all_gather(std::as_writable_bytes(std::span(all)), begins);
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < size(); ++r) {
        texts.push_back(all.substr(begins[r], begins[r + 1] - begins[r]));
    }
    return texts;
}

void RankGroup::ring_shift(std::span<const std::byte> own, std::span<std::byte> received) const {
    if (communicator_ == nullptr) {
        std::copy(own.begin(), own.end(), received.begin());
    } else {
        communicator_->ring_shift(own, received);
    }
}

}  // namespace isogon
