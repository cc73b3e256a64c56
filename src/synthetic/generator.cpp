#include "isogon/synthetic/generator.hpp"

#include <algorithm>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "synthetic/deformed_images.hpp"
#include "synthetic/point_clouds.hpp"

namespace isogon {

namespace {

constexpr Index chunk_points = 8192;  // between two chunks a run can be stopped: well under a second of any generator
constexpr std::size_t block_points = 64;
constexpr std::uint64_t stream_block_bytes = 32'000'000;

Points first_rows(const Points& points, Index rows) {
    Points kept(points.empty() ? 0 : rows, points.dimension());
    std::copy_n(points.values().begin(), kept.values().size(), kept.values().begin());
    return kept;
}

/// The completed part of an interrupted run.
void keep_first(Generated& result, Index rows) {
    result.points = first_rows(result.points, rows);
    result.truth = first_rows(result.truth, rows);
    result.labels.resize(std::min<std::size_t>(rows, result.labels.size()));
}

Generated empty_points(const PointMaker& maker, Index count) {
    Generated result;
    result.points = Points(count, maker.dimension);
    if (maker.truth_dimension > 0) {
        result.truth = Points(count, maker.truth_dimension);
    }
    result.labels.resize(maker.labelled ? count : 0);
    result.image_height = maker.image_height;
    result.image_width = maker.image_width;
    return result;
}

void make_row(const PointMaker& maker, Index i, Generated& made, Index row) {
    const auto truth = made.truth.empty() ? std::span<float>() : made.truth[row];
    const std::int64_t label = maker.make(i, made.points[row], truth);
    if (maker.labelled) {
        made.labels[row] = label;
    }
}

std::uint64_t bytes_of(const PointMaker& maker, std::uint64_t count) {
    return count * ((std::uint64_t{maker.dimension} + maker.truth_dimension) * sizeof(float) +
                    (maker.labelled ? sizeof(std::int64_t) : 0));
}

}  // namespace

void require_memory_for(const PointMaker& maker, Index count, const RunContext& context) {
    if (count == 0) {
        throw InvalidArgument("count", "0", "must be at least 1, ask for one point or more");
    }
    require_memory(context, {{"the points", bytes_of(maker, count)}, {"the generator", maker.bytes}},
                   "ask for fewer points or dimensions, or raise the limit");
}

Generated make_points(const PointMaker& maker, Index first, Index count, const RunContext& context) {
    require_memory_for(maker, count, context);
    Generated result = empty_points(maker, count);
    for (Index begin = 0; begin < count;) {
        if (context.interruption()) {
            keep_first(result, begin);
            break;
        }
        const Index size = std::min(chunk_points, count - begin);
        parallel_blocks(context, size, block_points, [&](Range block) {
            for (std::size_t i = block.begin; i < block.end; ++i) {
                const Index row = begin + static_cast<Index>(i);
                make_row(maker, first + row, result, row);
            }
        });
        begin += size;
        context.report({"points", begin, count, 0.0});
    }
    return result;
}

Index stream_points(const PointMaker& maker, Index count, const RunContext& context,
                    const std::function<void(const Generated&)>& consume) {
    const std::uint64_t fitting = stream_block_bytes / std::max<std::uint64_t>(1, bytes_of(maker, 1));
    const auto block = static_cast<Index>(std::clamp<std::uint64_t>(fitting, 1, chunk_points));
    require_memory_for(maker, std::min(block, count), context);
    RunContext silent = context;  // progress is over all points, not over those of a block
    silent.on_iteration = nullptr;
    for (Index begin = 0; begin < count;) {
        const Index requested = std::min(block, count - begin);
        const Generated made = make_points(maker, begin, requested, silent);
        if (!made.points.empty()) {
            consume(made);
        }
        begin += made.points.count();
        if (made.points.count() < requested) {
            return begin;
        }
        context.report({"points", begin, count, 0.0});
    }
    return count;
}

void require_images(const SourceImages& source) {
    if (source.empty()) {
        throw InvalidArgument("from", "none", "images are needed of which others are made; name a file of them");
    }
    if (std::uint64_t{source.height} * source.width != source.images.dimension) {
        throw InvalidArgument("height x width", std::to_string(source.height) + " x " + std::to_string(source.width),
                              "must be the dimension of the images, " + std::to_string(source.images.dimension));
    }
    if (!source.labels.empty() && source.labels.size() != source.images.count) {
        throw InvalidArgument("labels", std::to_string(source.labels.size()),
                              "must be none or one for each of the " + std::to_string(source.images.count) + " images");
    }
    require_finite(source.images, "source images");
}

namespace {

template <class Options>
Generator make_generator(std::string name, std::string title, const OptionTable<Options>& table,
                         PointMaker (*maker)(std::uint64_t, const Options&, const RunContext&)) {
    return {name, std::move(title), table.specs(), false,
            [name, &table, maker](std::uint64_t seed, const OptionValues& values, const SourceImages& images,
                                  const RunContext& context) {
                if (!images.empty()) {
                    throw InvalidArgument("from", std::to_string(images.images.count) + " images",
                                          name + " makes its points of nothing; leave them out");
                }
                return maker(seed, table.make(values), context);
            }};
}

Generator deformed_generator() {
    return {"deformed", "New images from given ones, by smooth random warps", deformed_images_option_table().specs(),
            true,
            [](std::uint64_t seed, const OptionValues& values, const SourceImages& images, const RunContext& context) {
                return deformed_images_maker(images, seed, deformed_images_option_table().make(values), context);
            }};
}

}  // namespace

Generated Generator::generate(Index count, std::uint64_t seed, const OptionValues& values, const RunContext& context,
                              const SourceImages& images) const {
    return make_points(prepare(seed, values, images, context), 0, count, context);
}

const std::vector<Generator>& generators() {
    static const std::vector<Generator> list{
        make_generator("drawn-digits", "Images of handwritten digits, drawn stroke by stroke",
                       drawn_digits_option_table(), &drawn_digits_maker),
        make_generator("swiss-roll", "A flat sheet rolled up in three dimensions", swiss_roll_option_table(),
                       &swiss_roll_maker),
        make_generator("arcs", "Beads along a string on the unit circle or sphere", arcs_option_table(), &arcs_maker),
        make_generator("blobs", "Gaussian blobs", blobs_option_table(), &blobs_maker),
        make_generator("sphere", "Uniform points on a sphere, of the whole space or of a subspace",
                       sphere_option_table(), &sphere_maker),
        deformed_generator(),
    };
    return list;
}

const Generator& find_generator(std::string_view name) {
    std::vector<std::string> known;
    std::string names;
    for (const auto& generator : generators()) {
        if (generator.name == name) {
            return generator;
        }
        known.push_back(generator.name);
        names += (names.empty() ? "" : ", ") + generator.name;
    }
    throw InvalidArgument("generator", std::string(name), "must be one of " + names + did_you_mean(name, known));
}

}  // namespace isogon
