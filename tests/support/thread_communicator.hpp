#pragma once
#include <algorithm>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "distributed/communicator.hpp"

namespace isogon::support {

/// A communicator whose ranks are threads of one process, each with arrays of its own: what processes do, without them.
class ThreadCommunicator final : public Communicator {
public:
    /// Runs body(communicator of the rank) on every rank at the same time.
    static void run(std::size_t ranks, const std::function<void(const Communicator&)>& body) {
        Shared shared{std::barrier<>(static_cast<std::ptrdiff_t>(ranks)), std::vector<std::span<std::byte>>(ranks),
                      std::vector<std::span<const std::byte>>(ranks)};
        std::vector<std::jthread> threads;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            threads.emplace_back([&, rank] {
                ThreadCommunicator communicator(rank, ranks, shared);
                body(communicator);
            });
        }
    }

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }

protected:
    void move(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const override {
        shared_.arrays[rank_] = bytes;
        shared_.barrier.arrive_and_wait();
        for (std::size_t other = 0; other < size_; ++other) {
            if (other != rank_) {
                std::copy(shared_.arrays[other].begin() + static_cast<std::ptrdiff_t>(begins[other]),
                          shared_.arrays[other].begin() + static_cast<std::ptrdiff_t>(begins[other + 1]),
                          bytes.begin() + static_cast<std::ptrdiff_t>(begins[other]));
            }
        }
        shared_.barrier.arrive_and_wait();  // no rank continues while others still read
    }

    void shift(std::span<const std::byte> own, std::span<std::byte> received) const override {
        shared_.passed[rank_] = own;
        shared_.barrier.arrive_and_wait();
        const auto& sent = shared_.passed[(rank_ + size_ - 1) % size_];
        std::copy(sent.begin(), sent.end(), received.begin());
        shared_.barrier.arrive_and_wait();
    }

private:
    struct Shared {
        std::barrier<> barrier;
        std::vector<std::span<std::byte>> arrays;
        std::vector<std::span<const std::byte>> passed;
    };

    ThreadCommunicator(std::size_t rank, std::size_t size, Shared& shared)
        : rank_(rank), size_(size), shared_(shared) {}

    std::size_t rank_;
    std::size_t size_;
    Shared& shared_;
};

}  // namespace isogon::support
