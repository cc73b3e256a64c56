#include "linalg/packed_points.hpp"

#include <algorithm>
#include <new>

#include "core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t alignment = 64;

Index panels_of_points(Index count) {
    return static_cast<Index>(block_count(count, panel_width));
}

}  // namespace

std::uint64_t PackedPoints::bytes(Index count, Index depth) {
    return std::uint64_t{panels_of_points(count)} * panel_width * depth * sizeof(float);
}

PackedPoints::PackedPoints(Index count, Index depth) : count_(count), depth_(depth), panels_(panels_of_points(count)) {
    // A large block comes from the system already zeroed: no thread writes it all before the others start.
    std::size_t allocated = std::max<std::size_t>(bytes(count, depth), 1) + alignment;
    memory_.reset(std::calloc(allocated, 1));  // NOLINT(*-no-malloc): zeros without writing them
    void* begin = memory_.get();
    if (begin == nullptr) {
        throw std::bad_alloc();
    }
    values_ = static_cast<float*>(std::align(alignment, allocated - alignment, begin, allocated));
}

PackedPoints pack(const PointsView& points, std::span<const float> scale, std::span<const float> last,
                  const RunContext& context) {
    PackedPoints packed(points.count, points.dimension + (last.empty() ? 0 : 1));
    parallel_blocks(context, points.count, panel_width, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = static_cast<Index>(i);
            const auto values = points[row];
            const float factor = scale.empty() ? 1.0F : scale[i];
            for (Index k = 0; k < points.dimension; ++k) {
                packed.at(row, k) = values[k] * factor;
            }
            if (!last.empty()) {
                packed.at(row, points.dimension) = last[i];
            }
        }
    });
    return packed;
}

PackedPoints pack_directions(const PointsView& points, std::span<const double> lengths, std::span<const Index> chosen,
                             const RunContext& context) {
    PackedPoints packed(static_cast<Index>(chosen.size()), points.dimension);
    parallel_blocks(context, chosen.size(), panel_width, [&](Range places) {
        for (std::size_t place = places.begin; place < places.end; ++place) {
            const double length = lengths[chosen[place]];
            if (length == 0.0) {
                continue;
            }
            const auto values = points[chosen[place]];
            for (Index k = 0; k < points.dimension; ++k) {
                packed.at(static_cast<Index>(place), k) = static_cast<float>(double{values[k]} / length);
            }
        }
    });
    return packed;
}

PackedRows::PackedRows(std::span<const MultiVector<double>* const> blocks, std::span<const double> coefficients,
                       const RunContext& context)
    : rows_(blocks.empty() ? 0 : blocks.front()->rows()) {
    for (const MultiVector<double>* block : blocks) {
        depth_ += block->columns();
    }
    values_ = AlignedArray<double>(std::size_t{panels()} * panel_width * depth_);
    parallel_tasks(context, panels(), [&](std::size_t p) {
        double* out = values_.data() + p * depth_ * panel_width;
        const Range rows = block_range(p, rows_, panel_width);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const double* row = blocks[b]->row(i);
                for (Index k = 0; k < blocks[b]->columns(); ++k) {
                    out[k * panel_width + i - rows.begin] = coefficients[b] * row[k];
                }
            }
            out += std::size_t{blocks[b]->columns()} * panel_width;
        }
    });
}

PackedRows::PackedRows(const MultiVector<double>& block, const RunContext& context)
    : PackedRows(std::vector<const MultiVector<double>*>{&block}, std::vector<double>{1.0}, context) {}

}  // namespace isogon
