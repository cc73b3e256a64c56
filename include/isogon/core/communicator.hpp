#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

/// The end of a rank's communication.
struct Ending {
    bool failed = false;
    std::uint8_t code = 0;     ///< what its process returns
    std::uint32_t reason = 0;  ///< the same number on ranks that failed for the same reason
    friend bool operator==(const Ending&, const Ending&) = default;
};

/// Another rank has left the communicator while this rank still needed it: the work cannot continue.
class RankEnded : public Error {
public:
    RankEnded(std::size_t rank, const Ending& ending)
        : Error("rank " + std::to_string(rank) + (ending.failed ? " failed" : " has left") + ", and with it the run"),
          ending_(ending) {}
    [[nodiscard]] const Ending& ending() const { return ending_; }

private:
    Ending ending_;
};

/// Cost of the collective calls of a communicator, measured on one rank.
struct CommunicatorTraffic {
    std::uint64_t collective_calls = 0;
    std::uint64_t bytes = 0;       ///< received from the other ranks
    double seconds_waiting = 0.0;  ///< until the last rank had arrived
    double seconds_moving = 0.0;   ///< while data were transferred
};

/// Collective operations of several processes, the ranks of a communicator, that solve one problem together. The
/// interface is independent of the transport (MPI). Every rank calls the same functions in the same order with
/// arguments of the same size, from one thread. Each call begins with an exchange of one status word between all ranks.
/// A rank that has left, or that makes another call, is therefore detected: the others throw RankEnded or
/// std::logic_error instead of a deadlock.
class Communicator {
public:
    Communicator() = default;
    virtual ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    /// 0 ... size() - 1
    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// `bytes` is the same array on every rank, of which rank r has filled [begins[r], begins[r + 1]); afterwards every
    /// rank has all of it. `begins` has size() + 1 numbers, ascending from 0 to the size of `bytes`.
    void all_gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const;
    /// Ring shift: sends `own` to the next rank and fills `received` from the previous one; the first rank follows the
    /// last. All buffers have the same size on all ranks and must not overlap.
    void ring_shift(std::span<const std::byte> own, std::span<std::byte> received) const;
    /// Whether any rank has to end the run now; the same result on all ranks. Cancelled has precedence over TimeLimit.
    [[nodiscard]] std::optional<Termination> agree_on_stop(std::optional<Termination> own) const;
    /// The last call of a rank, whether it is done or has failed; none after RankEnded. Returns the ending of each
    /// rank: empty for a rank that made another call, which throws RankEnded there. Never throws.
    std::vector<std::optional<Ending>> leave(const Ending& own) const;

    [[nodiscard]] const CommunicatorTraffic& traffic() const { return traffic_; }

protected:
    /// The data transfer of all_gather().
    virtual void move(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const = 0;
    /// The data transfer of ring_shift().
    virtual void shift(std::span<const std::byte> own, std::span<std::byte> received) const = 0;

private:
    std::vector<std::uint64_t> exchange(std::uint64_t word) const;
    std::vector<std::uint64_t> begin_call(std::uint64_t word) const;

    mutable CommunicatorTraffic traffic_;  ///< the only member that a collective call changes
};

/// The part of `count` items that a rank owns: parts lie one after the other in the order of ranks, and differ by one
/// item at the most.
[[nodiscard]] Range rank_range(std::size_t count, std::size_t rank, std::size_t ranks);

/// Gathers an array of `count` items of `item_bytes` each, the last of which may be shorter, of which every rank has
/// filled those of its part.
void all_gather_parts(const Communicator& communicator, std::size_t count, std::size_t item_bytes,
                      std::span<std::byte> bytes);

/// Copies `bytes` of rank `from` to all ranks.
void broadcast(const Communicator& communicator, std::size_t from, std::span<std::byte> bytes);

/// Replaces each number by its sum over ranks. O(numbers) time, and memory for some blocks of them.
void all_reduce_sum(const Communicator& communicator, std::span<std::uint64_t> numbers);

/// The texts of all ranks, in the order of ranks, on every rank.
[[nodiscard]] std::vector<std::string> all_gather_texts(const Communicator& communicator, const std::string& own);

class Communicator;

/// Points of which each rank of a communicator holds one contiguous range, in the order of ranks; without a
/// communicator all points are local. All ranks must call a collective function at the same time; without a
/// communicator such a function only copies. This is a view: the memory of the points must outlive it.
class DistributedPoints {
public:
    DistributedPoints() = default;
    /// All points are local. The conversion is implicit, so that local points can be passed for distributed ones.
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
    /// The range of their numbers.
    [[nodiscard]] Range local_range() const;
    [[nodiscard]] Range of_rank(std::size_t rank) const { return {begins_[rank], begins_[rank + 1]}; }

    /// `items` has the same number of bytes for every point of all ranks. Each rank has filled the bytes of its own
    /// points; afterwards every rank has the bytes of all points. Collective.
    void all_gather(std::span<std::byte> items) const;
    /// A contiguous range of points, on every rank. Collective.
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

/// As require_finite(), with the same result on all ranks. Collective.
void require_all_finite(const DistributedPoints& points, const char* source);

}  // namespace isogon
