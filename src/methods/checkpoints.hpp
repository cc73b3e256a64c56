#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "distributed/rank_group.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/method.hpp"

namespace isogon {

/// A hash of number, dimension and all bits of the points, the same on every rank. O(n D), one rank after the other.
/// Collective.
[[nodiscard]] std::uint64_t fingerprint(const DistributedPoints& x);

/// The same of neighbour lists; 0 without any.
[[nodiscard]] std::uint64_t fingerprint(const NeighborLists* lists);
/// The fingerprint of affinities.
[[nodiscard]] std::uint64_t fingerprint(const CsrMatrix<double>* affinities);

/// Checkpoints of one run: when to write one, and whether a given one belongs to this run.
class Checkpoints {
public:
    /// `options` are those that the user set. Throws InputError if extras.resume was made by another method, with other
    /// options, of other input or neighbours, or from another start. Collective among the ranks of distributed input,
    /// whichever of them writes checkpoints.
    Checkpoints(std::string method, OptionValues options, const DistributedPoints& x, FitExtras extras);

    [[nodiscard]] const Archive* resume() const { return extras_.resume; }
    /// A receiver is set.
    [[nodiscard]] bool are_wanted() const { return bool{extras_.checkpoint}; }
    /// Writes a checkpoint if a receiver is set and the interval has passed, or if `now`. With `help` it is collective
    /// among the ranks of the input: where one of them writes a checkpoint, the others help to collect what is in it.
    void take(const std::function<void(Archive&)>& save, bool now = false, const std::function<void()>& help = {});

private:
    void refuse_another_run() const;

    [[nodiscard]] bool is_due(bool now) const;

    std::string method_;
    OptionValues options_;
    FitExtras extras_;
    RankGroup ranks_;
    std::uint64_t input_ = 0;
    std::uint64_t start_ = 0;
    std::uint64_t neighbors_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
