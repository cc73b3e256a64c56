#include "neighbors/farthest_points.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"

namespace isogon {

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

}  // namespace isogon
