#include "isogon/neighbors/landmark_selection.hpp"
#include "neighbors/distance_selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr std::size_t sum_block = 4096;
constexpr float most_distance = 2.0F;  // 1 - cos of opposite directions: before the first is chosen all are alike

double dot(std::span<const float> a, std::span<const float> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                              [](double x, double y) { return x * y; });
}

/// Bounds distances[i] by 1 - cos of row i of `left` to all of `right`, panel by panel.
void lower_by_panel(const PackedPoints& left, Index panel, const PackedPoints& right, std::span<float> distances) {
    alignas(64) std::array<float, panel_width * panel_width> cosines;
    for (Index p = 0; p < right.panels(); ++p) {
        multiply_panels(left.panel(panel), right.panel(p), left.depth(), cosines.data(), panel_width);
        const std::size_t columns = std::min<std::size_t>(panel_width, right.count() - p * panel_width);
        for (std::size_t i = 0; i < distances.size(); ++i) {
            const float* row = cosines.data() + i * panel_width;
            const float nearest = *std::max_element(row, row + columns);
            distances[i] = std::min(distances[i], std::max(0.0F, 1.0F - nearest));
        }
    }
}

}  // namespace

DistanceSampling::DistanceSampling(const RowSource& source, std::uint64_t seed, Batch batch, const RunContext& context)
    : source_(source), context_(context), random_(seed, RandomStream::Landmarks, 1), batch_(batch) {
    distances_.assign(source.count(), most_distance);
    sum_distances();
}

std::uint64_t DistanceSampling::bytes(const RowSource& source, Batch batch) {
    const std::uint64_t row = std::uint64_t{source.dimension()} * sizeof(float);
    const std::uint64_t block = rows_per_block(source.count(), source.dimension());
    return std::uint64_t{source.count()} * sizeof(float) + 2 * block * row + 3 * std::uint64_t{batch.most} * row;
}

void DistanceSampling::sum_distances() {
    const std::size_t blocks = block_count(distances_.size(), sum_block);
    sums_.resize(blocks);
    parallel_tasks(context_, blocks, [&](std::size_t b) {
        const Range range = block_range(b, distances_.size(), sum_block);
        sums_[b] = std::accumulate(distances_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                   distances_.begin() + static_cast<std::ptrdiff_t>(range.end), 0.0);
    });
    total_ = std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

/// A row by its distance as of the last pass.
Index DistanceSampling::draw() {
    double left = random_.uniform() * total_;
    std::size_t block = 0;
    while (block + 1 < sums_.size() && left >= sums_[block]) {
        left -= sums_[block++];
    }
    const Range range = block_range(block, distances_.size(), sum_block);
    std::size_t last = range.begin;  // the last that can be drawn, for remainders by rounding beyond the end
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (distances_[i] > 0.0F) {
            last = i;
            left -= distances_[i];
            if (left < 0.0) {
                break;
            }
        }
    }
    return static_cast<Index>(last);
}

/// Empty for a row without a direction.
std::vector<float> DistanceSampling::direction(Index row) const {
    std::vector<float> values(source_.dimension());
    source_.read(row, values);
    const double length = std::sqrt(dot(values, values));
    if (!(length > 0.0)) {
        return {};
    }
    std::transform(values.begin(), values.end(), values.begin(),
                   [length](float value) { return static_cast<float>(value / length); });
    return values;
}

/// Accepts a drawn row with probability (distance now) / (distance as of the last pass): then it was as good as drawn
/// by the distances of now.
void DistanceSampling::consider(Index row) {
    const double before = distances_[row];
    const std::vector<float> candidate = direction(row);
    const auto since = std::span(chosen_).last(pending_.size());
    double now = candidate.empty() || std::find(since.begin(), since.end(), row) != since.end() ? 0.0 : before;
    for (auto other = pending_.begin(); other != pending_.end() && now > 0.0; ++other) {
        now = std::min(now, std::max(0.0, 1.0 - dot(candidate, *other)));
    }
    if (random_.uniform() * before < now) {
        chosen_.push_back(row);
        pending_.push_back(candidate);
    }
}

bool DistanceSampling::choose(Index requested) {
    const auto due = std::clamp<std::size_t>(chosen_.size() / 2, batch_.least, batch_.most);
    // Where fewer than one draw in three is kept, the distances are too far out of date.
    const std::size_t most_draws = 3 * due + 64;
    for (std::size_t draws = 0; draws < most_draws && total_ > 0.0; ++draws) {
        if (pending_.size() == due || chosen_.size() == requested) {
            break;
        }
        consider(draw());
    }
    if (chosen_.size() < requested) {
        update();
    }
    return total_ > 0.0;
}

void DistanceSampling::update() {
    const Index step = rows_per_block(source_.count(), source_.dimension(), panel_width);
    Points block(step, source_.dimension());
    for (Index first = 0; first < source_.count(); first += step) {
        throw_if_cancelled(context_);
        const Index rows = std::min(step, source_.count() - first);
        const auto values = block.values().first(std::size_t{rows} * source_.dimension());
        source_.read(first, values);
        update_block(first, {values.data(), rows, source_.dimension()});
    }
    for (const Index row : std::span(chosen_).last(pending_.size())) {
        distances_[row] = 0.0F;  // rounding may have left something
    }
    pending_.clear();
    sum_distances();
}

void DistanceSampling::update_block(Index first, const PointsView& rows) {
    Points directions(static_cast<Index>(pending_.size()), source_.dimension());
    for (Index i = 0; i < directions.count(); ++i) {
        std::copy(pending_[i].begin(), pending_[i].end(), directions[i].begin());
    }
    const PackedPoints right = pack(directions.view(), {}, {}, context_);
    const std::vector<double> lengths = norms(rows);
    const PackedPoints left = pack_directions(rows, lengths, numbers_below(rows.count), context_);
    const auto distances = std::span(distances_).subspan(first, rows.count);
    parallel_tasks(context_, left.panels(), [&](std::size_t p) {
        const Range range = block_range(p, rows.count, panel_width);
        const auto part = distances.subspan(range.begin, range.size());
        lower_by_panel(left, static_cast<Index>(p), right, part);
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] = lengths[range.begin + i] > 0.0 ? part[i] : 0.0F;
        }
    });
}

namespace {

/// Squared distances of all rows to the nearest of those chosen; below 0 for those themselves.
class Traversal {
public:
    Traversal(const RowSource& source, const RunContext& context)
        : source_(source),
          context_(context),
          step_(rows_per_block(source.count(), source.dimension())),
          block_(step_, source.dimension()),
          distances_(source.count(), std::numeric_limits<double>::infinity()) {}

    void choose(Index row) {
        std::vector<float> chosen(source_.dimension());
        source_.read(row, chosen);
        for (Index first = 0; first < source_.count(); first += step_) {
            throw_if_cancelled(context_);
            lower(first, chosen);
        }
        distances_[row] = -1.0;
    }

    [[nodiscard]] Index farthest() const {
        return static_cast<Index>(std::max_element(distances_.begin(), distances_.end()) - distances_.begin());
    }

private:
    void lower(Index first, std::span<const float> chosen) {
        constexpr std::size_t rows_in_block = 1024;
        const Index rows = std::min(step_, source_.count() - first);
        const auto values = block_.values().first(std::size_t{rows} * source_.dimension());
        source_.read(first, values);
        const PointsView view{values.data(), rows, source_.dimension()};
        parallel_blocks(context_, rows, rows_in_block, [&](Range range) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                double& distance = distances_[first + i];
                distance = std::min(distance,
                                    squared_distance(view[static_cast<Index>(i)].data(), chosen.data(), chosen.size()));
            }
        });
    }

    const RowSource& source_;
    const RunContext& context_;
    Index step_;
    Points block_;
    std::vector<double> distances_;
};

}  // namespace

std::vector<Index> farthest_points(const RowSource& source, Index count, std::uint64_t seed,
                                   const RunContext& context) {
    constexpr std::uint64_t stream = 2;  // other selections have theirs
    Traversal traversal(source, context);
    std::vector<Index> chosen{Random(seed, RandomStream::Landmarks, stream).below(source.count())};
    while (chosen.size() < count) {
        traversal.choose(chosen.back());
        chosen.push_back(traversal.farthest());
        context.report({"landmarks", chosen.size(), count, 0.0});
    }
    return chosen;
}

std::uint64_t farthest_points_bytes(const RowSource& source) {
    const std::uint64_t block = rows_per_block(source.count(), source.dimension());
    return std::uint64_t{source.count()} * sizeof(double) + block * source.dimension() * sizeof(float);
}

namespace {

constexpr Index most_pending = 1008;  // 21 panels: what a pass over the rows is worth reading them for

/// A uniform sample of the rows that are not chosen yet.
void add_any(std::vector<Index>& chosen, Index rows, Index count, std::uint64_t seed) {
    std::sort(chosen.begin(), chosen.end());
    std::vector<Index> others;
    for (Index row = 0; row < rows; ++row) {
        if (!std::binary_search(chosen.begin(), chosen.end(), row)) {
            others.push_back(row);
        }
    }
    const auto missing = static_cast<Index>(count - chosen.size());
    for (const Index i : sample_rows(static_cast<Index>(others.size()), missing, seed, RandomStream::Landmarks)) {
        chosen.push_back(others[i]);
    }
}

std::vector<Index> choose_by_distance(const RowSource& source, Index count, std::uint64_t seed,
                                      const RunContext& context) {
    const DistanceSampling::Batch batch{.least = 1, .most = std::min(count, most_pending)};
    require_memory(context, {{"distances and blocks of rows", DistanceSampling::bytes(source, batch)}},
                   "raise the limit, or choose landmarks at random");
    DistanceSampling sampling(source, seed, batch, context);
    bool more = true;
    while (more && sampling.chosen().size() < count) {
        more = sampling.choose(count);
        context.report({"landmarks", sampling.chosen().size(), count, 0.0});
    }
    std::vector<Index> chosen(sampling.chosen().begin(), sampling.chosen().end());
    if (chosen.size() < count) {
        add_any(chosen, source.count(), count, seed);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace

std::vector<Index> choose_landmarks(const RowSource& source, Index count, LandmarkSelection selection,
                                    std::uint64_t seed, const RunContext& context) {
    if (count < 1 || count > source.count()) {
        throw InvalidArgument(
            "landmarks", std::to_string(count),
            "must be at least 1 and at most " + std::to_string(source.count()) + ", the number of points");
    }
    if (selection == LandmarkSelection::Random) {
        return sample_rows(source.count(), count, seed, RandomStream::Landmarks);
    }
    if (selection == LandmarkSelection::Farthest) {
        require_memory(context, {{"distances and blocks of rows", farthest_points_bytes(source)}},
                       "raise the limit, or choose landmarks at random");
        std::vector<Index> chosen = farthest_points(source, count, seed, context);
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    }
    return choose_by_distance(source, count, seed, context);
}

}  // namespace isogon
