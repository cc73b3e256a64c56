#include "synthetic/point_loop.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr Index chunk_points = 8192;  // between two chunks a run can be stopped: well under a second of any generator
constexpr std::size_t block_points = 64;

Points first_rows(const Points& points, Index rows) {
    Points kept(points.empty() ? 0 : rows, points.dimension());
    std::copy_n(points.values().begin(), kept.values().size(), kept.values().begin());
    return kept;
}

/// What was done of an interrupted run.
void keep_first(Generated& result, Index rows) {
    result.points = first_rows(result.points, rows);
    result.truth = first_rows(result.truth, rows);
    result.labels.resize(std::min<std::size_t>(rows, result.labels.size()));
}

}  // namespace

void require_shape(const GeneratedShape& shape, const RunContext& context, std::uint64_t extra_bytes) {
    if (shape.count == 0) {
        throw InvalidArgument("count", "0", "must be at least 1, ask for one point or more");
    }
    const std::uint64_t count = shape.count;
    require_memory(context,
                   {{"the points", count * shape.dimension * sizeof(float)},
                    {"the truth", count * shape.truth_dimension * sizeof(float)},
                    {"the labels", shape.labelled ? count * sizeof(std::int64_t) : 0},
                    {"the generator", extra_bytes}},
                   "ask for fewer points or dimensions, or raise the limit");
}

Generated generate_points(const GeneratedShape& shape, const RunContext& context,
                          const std::function<void(Generated&, Index)>& fill) {
    require_shape(shape, context);
    Generated result;
    result.points = Points(shape.count, shape.dimension);
    if (shape.truth_dimension > 0) {
        result.truth = Points(shape.count, shape.truth_dimension);
    }
    result.labels.resize(shape.labelled ? shape.count : 0);
    for (Index begin = 0; begin < shape.count;) {
        if (context.interruption()) {
            keep_first(result, begin);
            break;
        }
        const Index size = std::min(chunk_points, shape.count - begin);
        parallel_blocks(context, size, block_points, [&](Range block) {
            for (std::size_t i = block.begin; i < block.end; ++i) {
                fill(result, begin + static_cast<Index>(i));
            }
        });
        begin += size;
        context.report({"points", begin, shape.count, 0.0});
    }
    return result;
}

}  // namespace isogon
