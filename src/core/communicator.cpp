#include "isogon/core/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"

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

Range rank_range(std::size_t count, std::size_t rank, std::size_t ranks) {
    const std::size_t each = count / ranks;
    const std::size_t more = count % ranks;  // the first so many have one more
    const std::size_t begin = rank * each + std::min(rank, more);
    return {begin, begin + each + (rank < more ? 1 : 0)};
}

void all_gather_parts(const Communicator& communicator, std::size_t count, std::size_t item_bytes,
                      std::span<std::byte> bytes) {
    std::vector<std::uint64_t> begins;
    for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
        begins.push_back(
            std::min<std::uint64_t>(bytes.size(), rank_range(count, rank, communicator.size()).begin * item_bytes));
    }
    begins.push_back(bytes.size());
    communicator.all_gather(bytes, begins);
}

void broadcast(const Communicator& communicator, std::size_t from, std::span<std::byte> bytes) {
    std::vector<std::uint64_t> begins(communicator.size() + 1, 0);
    std::fill(begins.begin() + static_cast<std::ptrdiff_t>(from) + 1, begins.end(), bytes.size());
    communicator.all_gather(bytes, begins);
}

void all_reduce_sum(const Communicator& communicator, std::span<std::uint64_t> numbers) {
    constexpr std::size_t at_once = std::size_t{1} << 15U;  // 256 KiB of each rank
    for (std::size_t begin = 0; begin < numbers.size(); begin += at_once) {
        const auto some = numbers.subspan(begin, std::min(at_once, numbers.size() - begin));
        std::vector<std::uint64_t> all(some.size() * communicator.size());
        std::copy(some.begin(), some.end(),
                  all.begin() + static_cast<std::ptrdiff_t>(communicator.rank() * some.size()));
        all_gather_parts(communicator, communicator.size(), some.size_bytes(), std::as_writable_bytes(std::span(all)));
        for (std::size_t k = 0; k < some.size(); ++k) {
            some[k] = 0;
            for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
                some[k] += all[rank * some.size() + k];
            }
        }
    }
}

std::vector<std::string> all_gather_texts(const Communicator& communicator, const std::string& own) {
    std::vector<std::uint64_t> sizes(communicator.size());
    sizes[communicator.rank()] = own.size();
    all_gather_parts(communicator, communicator.size(), sizeof(std::uint64_t),
                     std::as_writable_bytes(std::span(sizes)));
    std::vector<std::uint64_t> begins(communicator.size() + 1);
    std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
    std::string all(begins.back(), '\0');
    std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(begins[communicator.rank()]));
    communicator.all_gather(std::as_writable_bytes(std::span(all)), begins);
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < communicator.size(); ++r) {
        texts.push_back(all.substr(begins[r], sizes[r]));
    }
    return texts;
}

DistributedPoints::DistributedPoints(const PointsView& all) : local_(all), begins_{0, all.count} {}

DistributedPoints::DistributedPoints(const PointsView& local, std::vector<Index> begins,
                                     const Communicator& communicator)
    : local_(local), begins_(std::move(begins)), communicator_(&communicator) {}

DistributedPoints DistributedPoints::with(const PointsView& local) const {
    DistributedPoints other = *this;
    other.local_ = local;
    return other;
}

Range DistributedPoints::local_range() const {
    return of_rank(communicator_ == nullptr ? 0 : communicator_->rank());
}

void DistributedPoints::all_gather(std::span<std::byte> items) const {
    if (communicator_ == nullptr || count() == 0) {
        return;
    }
    const std::size_t item_bytes = items.size() / count();
    std::vector<std::uint64_t> begins;
    for (const Index begin : begins_) {
        begins.push_back(begin * item_bytes);
    }
    communicator_->all_gather(items, begins);
}

Points DistributedPoints::gather_range(Range points) const {
    std::vector<Index> list(points.size());
    std::iota(list.begin(), list.end(), static_cast<Index>(points.begin));
    return gather_rows(list);
}

Points DistributedPoints::gather_rows(std::span<const Index> list) const {
    const auto length = static_cast<Index>(list.size());
    // Sorted by number, so that the rows of a rank are contiguous.
    std::vector<Index> order(length);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return list[a] < list[b]; });
    const auto place_of = [&](std::size_t point) {
        return std::lower_bound(order.begin(), order.end(), point,
                                [&](Index place, std::size_t value) { return list[place] < value; }) -
               order.begin();
    };
    Points sorted(length, dimension());
    const Range mine = local_range();
    for (auto k = place_of(mine.begin); k < place_of(mine.end); ++k) {
        const auto row = local_[static_cast<Index>(list[order[k]] - mine.begin)];
        std::copy(row.begin(), row.end(), sorted[static_cast<Index>(k)].begin());
    }
    if (communicator_ != nullptr && !sorted.empty()) {
        std::vector<std::uint64_t> begins;
        for (const Index begin : begins_) {
            begins.push_back(static_cast<std::uint64_t>(place_of(begin)) * dimension() * sizeof(float));
        }
        communicator_->all_gather(std::as_writable_bytes(sorted.values()), begins);
    }
    if (std::is_sorted(list.begin(), list.end())) {
        return sorted;
    }
    Points points(length, dimension());
    for (Index k = 0; k < length; ++k) {
        std::copy_n(sorted[k].begin(), dimension(), points[order[k]].begin());
    }
    return points;
}

std::vector<double> norms_of_all(const DistributedPoints& points) {
    std::vector<double> lengths(points.count());
    const std::vector<double> own = norms(points.local());
    std::copy(own.begin(), own.end(), lengths.begin() + static_cast<std::ptrdiff_t>(points.local_range().begin));
    points.all_gather(std::as_writable_bytes(std::span(lengths)));
    return lengths;
}

void require_all_finite(const DistributedPoints& points, const char* source) {
    if (!points.is_distributed()) {
        require_finite(points.local(), source);
        return;
    }
    // The first row of each rank, counted among all points; `count` where there is none.
    std::vector<std::uint64_t> rows(points.communicator()->size());
    const Index found = first_row_not_finite(points.local());
    rows[points.communicator()->rank()] =
        found == points.local().count ? points.count() : points.local_range().begin + found;
    all_gather_parts(*points.communicator(), rows.size(), sizeof(rows[0]), std::as_writable_bytes(std::span(rows)));
    const auto first = static_cast<Index>(*std::min_element(rows.begin(), rows.end()));
    if (first < points.count()) {
        require_finite(points.gather_rows(std::vector{first}).view(), source, first);
    }
}

}  // namespace isogon
