#include "transform/placement_panel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// The bits of a number; -0 has those of 0.
std::uint64_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value == 0.0F ? 0.0F : value);
}

/// Multiply-rotate hash, two numbers at a time.
std::uint64_t hash_of(std::span<const float> row) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    constexpr int turn = 29;
    std::uint64_t hash = odd;
    for (std::size_t k = 0; k < row.size(); k += 2) {
        const std::uint64_t second = k + 1 < row.size() ? bits_of(row[k + 1]) : 0;
        hash = std::rotl((hash ^ (bits_of(row[k]) | second << 32)) * odd, turn);
    }
    return hash;
}

}  // namespace

EqualRowLookup::EqualRowLookup(const PointsView& rows, const RunContext& context) : rows_(rows), entries_(rows.count) {
    constexpr std::size_t block = 256;
    parallel_blocks(context, rows.count, block, [&](Range range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto row = static_cast<Index>(i);
            entries_[i] = {hash_of(rows[row]), row};
        }
    });
    std::sort(entries_.begin(), entries_.end());
}

std::optional<Index> EqualRowLookup::find(std::span<const float> row) const {
    const std::uint64_t hash = hash_of(row);
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), Entry{hash, 0});
    for (; entry != entries_.end() && entry->first == hash; ++entry) {
        if (std::equal(row.begin(), row.end(), rows_[entry->second].begin())) {
            return entry->second;
        }
    }
    return std::nullopt;
}

void Neighborhood::offer(CosineNeighbor neighbor) {
    if (neighbor.cosine > threshold_) {
        support_.push_back(neighbor);
    }
    const bool full = nearest_.size() == capacity_;
    if (full && neighbor.cosine <= nearest_.back().cosine) {
        return;
    }
    if (full) {
        nearest_.pop_back();
    }
    const auto place = std::upper_bound(nearest_.begin(), nearest_.end(), neighbor,
                                        [](const auto& a, const auto& b) { return a.cosine > b.cosine; });
    nearest_.insert(place, neighbor);
}

float Neighborhood::floor() const {
    constexpr float none = -std::numeric_limits<float>::infinity();
    if (nearest_.size() < capacity_) {
        return none;
    }
    return std::min(threshold_, nearest_.back().cosine);
}

void find_neighborhoods(PanelView<float> rows, const PackedPoints& fitted, std::span<Neighborhood> found) {
    alignas(64) std::array<float, tile_size> tile;  // NOLINT(*-member-init): filled by the product
    std::array<float, tile_width> floors;           // NOLINT(*-member-init): filled before each use
    TileEntries hits;
    for (Index q = 0; q < fitted.panels(); ++q) {
        multiply_panels(rows, fitted.panel(q), fitted.depth(), tile.data(), tile_width);
        floors.fill(std::numeric_limits<float>::infinity());
        std::transform(found.begin(), found.end(), floors.begin(), [](const auto& row) { return row.floor(); });
        collect_above(tile.data(), floors.data(), hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            const auto place = static_cast<Index>(q * panel_width + (hits.places[h] & tile_place_mask));
            if (place < fitted.count()) {
                found[hits.places[h] >> tile_place_shift].offer({place, hits.values[h]});
            }
        }
    }
}

namespace {

/// Distance from the anchor within which the sum over the members equals the sum over all fitted points. A larger
/// value gives more near misses to carry, a smaller one more passes.
constexpr double certain_reach = 0.05;

/// Distance allowed without that guarantee: the next pass tests whether g decreased. It nearly always did (no
/// exception among 5,000 digits), and the number of passes is a third.
constexpr double bold_reach = 0.4;

/// A relative increase of g below this is rounding: products are float32.
constexpr double rounding = 1e-6;

/// Adds the seconds of its lifetime.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_;
};

/// Points that are nonzero in both spaces.
std::vector<Index> with_directions(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<Index> chosen;
    for (std::size_t j = 0; j < first.size(); ++j) {
        if (first[j] > 0.0 && second[j] > 0.0) {
            chosen.push_back(static_cast<Index>(j));
        }
    }
    if (chosen.empty()) {
        throw InputError("fitted points", "",
                         "none of " + std::to_string(first.size()) +
                             " has a length above zero in both input and output: there is nothing to place by");
    }
    return chosen;
}

void unpack(const PackedPoints& packed, MultiVector<float>& rows) {
    for (Index i = 0; i < packed.count(); ++i) {
        for (Index k = 0; k < packed.depth(); ++k) {
            rows.row(i)[k] = packed.at(i, k);
        }
    }
}

Eigen::Map<const Eigen::VectorXf> direction(const MultiVector<float>& directions, Index place) {
    return {directions.row(place), static_cast<Eigen::Index>(directions.columns())};
}

/// The mean of the nearest points' u_j, weighted by cosine; of the nearest alone if they cancel. Of length 1.
Eigen::VectorXd start_among(std::span<const CosineNeighbor> nearest, const MultiVector<float>& directions) {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(directions.columns());
    for (const CosineNeighbor& neighbor : nearest) {
        const double weight = std::max(0.0, double{neighbor.cosine});
        u += weight * direction(directions, neighbor.place).cast<double>();
    }
    // If the nearest cancel, the direction of the mean would be rounding noise.
    constexpr double cancelled = 1e-5;
    if (u.norm() < cancelled) {
        u = direction(directions, nearest.front().place).cast<double>();
    }
    u.normalize();
    return u;
}

}  // namespace

FittedDirections::FittedDirections(const PointsView& x, const PointsView& y, const RunContext& context) {
    const std::vector<double> input_lengths = norms(x);
    const std::vector<double> output_lengths = norms(y);
    const std::vector<Index> chosen = with_directions(input_lengths, output_lengths);
    inputs = pack_directions(x, input_lengths, chosen, context);
    outputs = pack_directions(y, output_lengths, chosen, context);
    directions = MultiVector<float>(outputs.count(), outputs.depth());
    unpack(outputs, directions);
}

std::uint64_t FittedDirections::bytes(Index count, Index input_dimension, Index output_dimension) {
    return PackedPoints::bytes(count, input_dimension) + PackedPoints::bytes(count, output_dimension) +
           MultiVector<float>::bytes(count, output_dimension);
}

PlacementPanel::PlacementPanel(const FittedDirections& fitted, double threshold, const PlacementOptions& options)
    : fitted_(fitted),
      threshold_(threshold),
      options_(options),
      newton_(fitted.directions, threshold, options.steps, options.tolerance),
      current_(panel_width, fitted.directions.columns()) {}

std::uint64_t PlacementPanel::bytes(Index fitted, Index input_dimension, Index output_dimension,
                                    const PlacementOptions& options) {
    // A neighbour, its index and its target; lists grow by doubling.
    constexpr std::uint64_t listed = sizeof(CosineNeighbor) + sizeof(Index) + sizeof(float);
    const std::uint64_t nearest = std::min<std::uint64_t>(fitted, static_cast<std::uint64_t>(options.neighbors));
    return PackedPoints::bytes(panel_width, input_dimension) + PackedPoints::bytes(panel_width, output_dimension) +
           2 * panel_width * (listed * fitted + sizeof(CosineNeighbor) * nearest) +
           SphereNewton::bytes(fitted, output_dimension);
}

std::vector<SphereState> PlacementPanel::place(const PackedPoints& rows, PlacementCounts& counts) {
    rows_.assign(rows.count(), {});
    find_support(rows, counts);
    for (std::size_t moving = rows.count(); moving > 0;) {
        {
            const Stopwatch watch(counts.product_seconds);
            find_near_misses();
            counts.passes += moving;
        }
        const Stopwatch watch(counts.step_seconds);
        for (RowDescent& row : rows_) {
            if (row.is_moving(options_.steps)) {
                row.advance(newton_);
            }
        }
        moving = static_cast<std::size_t>(std::count_if(
            rows_.begin(), rows_.end(), [&](const RowDescent& row) { return row.is_moving(options_.steps); }));
    }
    std::vector<SphereState> states;
    for (RowDescent& row : rows_) {
        counts.unsettled += row.state.settled ? 0U : 1U;
        counts.steps += static_cast<std::uint64_t>(row.state.steps);
        states.push_back(std::move(row.state));
    }
    return states;
}

void PlacementPanel::find_support(const PackedPoints& rows, PlacementCounts& counts) {
    const Stopwatch watch(counts.cosine_seconds);
    std::vector<Neighborhood> found(rows.count(),
                                    Neighborhood(threshold_, static_cast<std::size_t>(options_.neighbors)));
    find_neighborhoods(rows.panel(0), fitted_.inputs, found);
    for (std::size_t r = 0; r < found.size(); ++r) {
        counts.isolated += found[r].support().empty() ? 1U : 0U;
        // The support, or the nearest points if it is empty: by place.
        std::vector<CosineNeighbor> support = found[r].support().empty() ? found[r].nearest() : found[r].support();
        std::sort(support.begin(), support.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
        rows_[r].add_support(support);
        rows_[r].state.u = start_among(found[r].nearest(), fitted_.directions);
    }
}

/// Sets the anchors of all active rows to their present u, and collects their near misses.
void PlacementPanel::find_near_misses() {
    std::array<float, panel_width> floors;  // NOLINT(*-member-init): filled on the next line
    floors.fill(std::numeric_limits<float>::infinity());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (Index a = 0; a < current_.depth(); ++a) {
            current_.at(static_cast<Index>(r), a) = static_cast<float>(rows_[r].state.u[a]);
        }
        if (rows_[r].is_moving(options_.steps)) {
            floors.at(r) = static_cast<float>(threshold_ - certain_reach);
            rows_[r].reset_anchor();
        }
    }
    alignas(64) std::array<float, tile_size> tile;  // NOLINT(*-member-init): filled by the product
    TileEntries hits;
    for (Index q = 0; q < fitted_.outputs.panels(); ++q) {
        multiply_panels(current_.panel(0), fitted_.outputs.panel(q), current_.depth(), tile.data(), tile_width);
        collect_above(tile.data(), floors.data(), hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            const auto place = static_cast<Index>(q * panel_width + (hits.places[h] & tile_place_mask));
            RowDescent& row = rows_[hits.places[h] >> tile_place_shift];
            if (place < fitted_.count() && !row.is_in_support(place)) {
                row.problem.members.push_back(place);
            }
        }
    }
}

void RowDescent::add_support(std::span<const CosineNeighbor> support) {
    problem.reach = bold_reach;
    for (const CosineNeighbor& neighbor : support) {
        problem.members.push_back(neighbor.place);
        problem.targets.push_back(std::clamp(neighbor.cosine, -1.0F, 1.0F));
    }
}

bool RowDescent::is_in_support(Index place) const {
    const auto begin = problem.members.begin();
    return std::binary_search(begin, begin + std::ssize(problem.targets), place);
}

void RowDescent::reset_anchor() {
    problem.anchor = state.u;
    problem.members.resize(problem.targets.size());
}

void RowDescent::advance(SphereNewton& newton) {
    const double value = newton.value(problem, state.u);
    if (value > lowest * (1.0 + rounding)) {
        state.u = lowest_u;
        state.settled = false;
        problem.reach = certain_reach;
        lowest = std::numeric_limits<double>::infinity();
        return;
    }
    lowest_u = state.u;
    lowest = value;
    newton.advance(problem, state);
    certain = (state.u - problem.anchor).norm() <= certain_reach;
    state.settled = state.settled && certain;
}

}  // namespace isogon
