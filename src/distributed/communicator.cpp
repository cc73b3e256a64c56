#include "distributed/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace isogon {

namespace {

using Clock = std::chrono::steady_clock;

// The status word that a rank sends at the start of a collective call: the kind of call and the size of its arguments.
constexpr unsigned subject_shift = 56;
constexpr std::uint64_t said_mask = (std::uint64_t{1} << subject_shift) - 1;
constexpr std::uint64_t to_gather = std::uint64_t{1} << subject_shift;
constexpr std::uint64_t to_agree = std::uint64_t{2} << subject_shift;
constexpr std::uint64_t to_leave = std::uint64_t{3} << subject_shift;
constexpr std::uint64_t to_pass_on = std::uint64_t{4} << subject_shift;

constexpr std::uint64_t subject_of(std::uint64_t word) {
    return word & ~said_mask;
}

constexpr unsigned code_shift = 32;
constexpr unsigned failed_shift = 40;

std::uint64_t word_of(const Ending& ending) {
    return to_leave | (std::uint64_t{ending.failed} << failed_shift) | (std::uint64_t{ending.code} << code_shift) |
           ending.reason;
}

Ending ending_in(std::uint64_t word) {
    return {(word >> failed_shift & 1U) != 0, static_cast<std::uint8_t>(word >> code_shift & 0xFFU),
            static_cast<std::uint32_t>(word)};
}

/// The higher value has precedence.
constexpr std::uint64_t vote_of(std::optional<Termination> reason) {
    return !reason ? 0 : *reason == Termination::Cancelled ? 2 : 1;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::vector<std::uint64_t> Communicator::exchange(std::uint64_t word) const {
    const auto start = Clock::now();
    std::vector<std::uint64_t> words(size());
    words[rank()] = word;
    std::vector<std::uint64_t> begins(size() + 1);
    for (std::size_t r = 0; r < begins.size(); ++r) {
        begins[r] = r * sizeof(std::uint64_t);
    }
    move(std::as_writable_bytes(std::span(words)), begins);
    ++traffic_.collective_calls;
    traffic_.bytes += (size() - 1) * sizeof(std::uint64_t);
    traffic_.seconds_waiting += seconds_since(start);
    return words;
}

/// All ranks receive the same status words, so either all of them throw or none.
std::vector<std::uint64_t> Communicator::begin_call(std::uint64_t word) const {
    std::vector<std::uint64_t> words = exchange(word);
    for (std::size_t r = 0; r < words.size(); ++r) {
        if (subject_of(words[r]) == to_leave) {
            throw RankEnded(r, ending_in(words[r]));
        }
    }
    for (std::size_t r = 1; r < words.size(); ++r) {
        const bool alike =
            subject_of(word) == to_agree ? subject_of(words[r]) == subject_of(words[0]) : words[r] == words[0];
        if (!alike) {
            throw std::logic_error("ranks 0 and " + std::to_string(r) + " are out of step");
        }
    }
    return words;
}

void Communicator::all_gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const {
    begin_call(to_gather | (bytes.size() & said_mask));
    const auto start = Clock::now();
    move(bytes, begins);
    traffic_.bytes += bytes.size() - (begins[rank() + 1] - begins[rank()]);
    traffic_.seconds_moving += seconds_since(start);
}

void Communicator::ring_shift(std::span<const std::byte> own, std::span<std::byte> received) const {
    begin_call(to_pass_on | (own.size() & said_mask));
    const auto start = Clock::now();
    shift(own, received);
    traffic_.bytes += size() > 1 ? received.size() : 0;
    traffic_.seconds_moving += seconds_since(start);
}

std::optional<Termination> Communicator::agree_on_stop(std::optional<Termination> own) const {
    const auto words = begin_call(to_agree | vote_of(own));
    switch (*std::max_element(words.begin(), words.end()) & said_mask) {
        case vote_of(Termination::Cancelled): return Termination::Cancelled;
        case vote_of(Termination::TimeLimit): return Termination::TimeLimit;
        default: return std::nullopt;
    }
}

std::vector<std::optional<Ending>> Communicator::leave(const Ending& own) const {
    std::vector<std::optional<Ending>> endings;
    for (const std::uint64_t word : exchange(word_of(own))) {
        endings.push_back(subject_of(word) == to_leave ? std::optional(ending_in(word)) : std::nullopt);
    }
    return endings;
}

}  // namespace isogon
