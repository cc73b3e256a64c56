#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The end of a rank's communication.
struct Ending {
    bool failed = false;
    std::uint8_t code = 0;     ///< exit status of its process
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

}  // namespace isogon
