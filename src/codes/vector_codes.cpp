#include "codes/vector_codes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "codes/product_quantizer.hpp"
#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/tied_neighbors.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr const char* method_name = "codes";
constexpr Index learned_from = 65536;
constexpr Index most_codewords = 256;
constexpr std::size_t coded_at_once = 48 * 256;  // encoded, or decoded, at a time

Index bytes_for(const CodesOptions& options, Index dimension) {
    constexpr Index usual = 16;
    if (!options.bytes) {
        return std::min(usual, dimension);
    }
    if (static_cast<Index>(*options.bytes) > dimension) {
        throw InvalidArgument("bytes", std::to_string(*options.bytes),
                              "must be at most " + std::to_string(dimension) +
                                  ", one byte for each number of a vector; more need not be kept");
    }
    return static_cast<Index>(*options.bytes);
}

void require_points_to_code(const PointsView& points) {
    if (points.empty()) {
        throw InputError("input", "", "there are no vectors to make codes of");
    }
    require_finite(points, "input");
}

/// Some rows: by cosine of length 1 or zero, else in this unit.
Points prepared(const PointsView& points, std::span<const Index> rows, Metric metric, double unit) {
    constexpr double longest = 0x1p60;  // beyond it a length no longer changes which codeword is nearest
    Points out(static_cast<Index>(rows.size()), points.dimension);
    for (Index r = 0; r < out.count(); ++r) {
        const auto row = points[rows[r]];
        const double length = norms({row.data(), 1, points.dimension}).front();
        const double divisor = metric == Metric::Cosine ? length : std::max(unit, length / longest);
        std::transform(row.begin(), row.end(), out[r].begin(), [divisor](float value) {
            return divisor > 0.0 ? static_cast<float>(double{value} / divisor) : 0.0F;
        });
    }
    return out;
}

/// Numbers that are multiplied by a power of two.
void multiply(std::span<float> values, double factor) {
    std::ranges::transform(values, values.begin(),
                           [factor](float value) { return static_cast<float>(double{value} * factor); });
}

Points multiplied(const Points& points, double factor) {
    Points copy = points;
    multiply(copy.values(), factor);
    return copy;
}

std::vector<float> multiplied(std::vector<float> values, double factor) {
    multiply(values, factor);
    return values;
}

/// The unit in which products of vectors of these lengths stay in float32.
double unit_of(const std::vector<double>& lengths) {
    return PowerOfTwoScaling(static_cast<Index>(lengths.size()), *std::ranges::max_element(lengths)).unit();
}

std::vector<float> mean_of(const Points& points) {
    std::vector<double> sums(points.dimension(), 0.0);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < points.dimension(); ++k) {
            sums[k] += double{points[i][k]};
        }
    }
    std::vector<float> mean(sums.size());
    std::transform(sums.begin(), sums.end(), mean.begin(),
                   [&](double sum) { return static_cast<float>(sum / points.count()); });
    return mean;
}

/// Products of vectors far from the origin would leave few digits to tell codewords apart.
void subtract(const std::vector<float>& mean, Points& points) {
    for (Index i = 0; i < points.count(); ++i) {
        std::transform(points[i].begin(), points[i].end(), mean.begin(), points[i].begin(), std::minus<>());
    }
}

std::vector<Index> numbered(Range range) {
    std::vector<Index> rows(range.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r] = static_cast<Index>(range.begin + r);
    }
    return rows;
}

}  // namespace

const OptionTable<CodesOptions>& codes_option_table() {
    static const OptionTable<CodesOptions> table = [] {
        using Options = CodesOptions;
        OptionTable<Options> t;
        t.integer("bytes", &Options::bytes, {.minimum = 1},
                  "Bytes of a vector, at most one for each of its numbers; auto: 16, or one for each number.");
        t.choice(
            "metric", &Options::metric,
            {{"cosine", Metric::Cosine}, {"inner-product", Metric::InnerProduct}, {"euclidean", Metric::Euclidean}},
            "What a search will go by; with cosine directions are coded, and lengths are not kept.");
        t.integer("rounds", &Options::rounds, {.minimum = 0, .maximum = 1000},
                  "Rounds that improve codewords and rotation in turn; more are slower and a little better.");
        t.integer("seed", &Options::seed, {.minimum = 0}, "Seed of the sample learned from and of first codewords.");
        return t;
    }();
    return table;
}

VectorCodes::VectorCodes(const PointsView& points, const CodesOptions& options, const RunContext& context)
    : options_(options) {
    codes_option_table().validate(options);
    require_points_to_code(points);
    const Index parts = bytes_for(options, points.dimension);
    options_.bytes = static_cast<int>(parts);
    require_memory(context,
                   {{"the codes and what they are learned from", bytes(points.count, points.dimension, parts)}},
                   "raise the limit, or give fewer vectors");
    {
        const auto rows = sample_rows(points.count, learned_from, options.seed, RandomStream::CodesSample);
        if (options.metric != Metric::Cosine) {
            unit_ = unit_of(lengths_in_float(points));
        }
        Points sample = prepared(points, rows, options.metric, unit_);
        mean_ = mean_of(sample);
        subtract(mean_, sample);
        ProductQuantizer found = learn_product_quantizer(sample.view(), parts, options.rounds, options.seed, context);
        rotation_ = std::move(found.rotation);
        centroids_ = multiplied(found.centroids, unit_);
        multiply(mean_, unit_);
    }
    codes_ = codes_of(points, context);
}

std::vector<std::uint8_t> VectorCodes::codes_of(const PointsView& points, const RunContext& context) const {
    std::vector<std::uint8_t> codes;
    codes.reserve(std::size_t{points.count} * code_bytes());
    const std::vector<float> mean = multiplied(mean_, 1.0 / unit_);
    const Points centroids = multiplied(centroids_, 1.0 / unit_);
    const std::size_t blocks = block_count(points.count, coded_at_once);
    for (std::size_t b = 0; b < blocks; ++b) {
        throw_if_cancelled(context);
        Points block = prepared(points, numbered(block_range(b, points.count, coded_at_once)), options_.metric, unit_);
        subtract(mean, block);
        const Points z = rotated(block.view(), rotation_, context);
        const auto more = nearest_codewords(z.view(), centroids, code_bytes(), context);
        codes.insert(codes.end(), more.begin(), more.end());
        context.report({"encoding", b + 1, blocks, 0.0});
    }
    return codes;
}

VectorCodes VectorCodes::encode(const PointsView& points, const RunContext& context) const {
    require_points_to_code(points);
    if (points.dimension != dimension()) {
        throw InvalidArgument("dimension", std::to_string(points.dimension),
                              "must be " + std::to_string(dimension()) + ", that of the vectors learned from");
    }
    require_memory(context,
                   {{"the codes", std::uint64_t{points.count} * code_bytes() +
                                      4 * coded_at_once * (std::uint64_t{dimension()} + 1) * sizeof(float)}},
                   "raise the limit, or give fewer vectors");
    VectorCodes other;
    other.options_ = options_;
    other.mean_ = mean_;
    other.rotation_ = rotation_;
    other.centroids_ = centroids_;
    other.unit_ = unit_;
    other.codes_ = codes_of(points, context);
    return other;
}

Points VectorCodes::decode(const RunContext& context) const {
    require_memory(context,
                   {{"the decoded vectors", std::uint64_t{count()} * dimension() * sizeof(float) +
                                                2 * coded_at_once * std::uint64_t{dimension()} * sizeof(float)}},
                   "raise the limit");
    Points inverse(dimension(), dimension());  // transpose of an orthogonal matrix
    for (Index i = 0; i < dimension(); ++i) {
        for (Index k = 0; k < dimension(); ++k) {
            inverse[k][i] = rotation_[i][k];
        }
    }
    const std::vector<float> mean = multiplied(mean_, 1.0 / unit_);
    const Points centroids = multiplied(centroids_, 1.0 / unit_);
    Points decoded(count(), dimension());
    for (std::size_t b = 0; b < block_count(count(), coded_at_once); ++b) {
        throw_if_cancelled(context);
        const Range range = block_range(b, count(), coded_at_once);
        const std::vector<std::uint8_t> own(codes_.begin() + static_cast<std::ptrdiff_t>(range.begin * code_bytes()),
                                            codes_.begin() + static_cast<std::ptrdiff_t>(range.end * code_bytes()));
        const Points words = codewords_of(own, centroids, code_bytes());
        const Points block = rotated(words.view(), inverse, context);
        for (Index i = 0; i < block.count(); ++i) {
            std::transform(block[i].begin(), block[i].end(), mean.begin(),
                           decoded[static_cast<Index>(range.begin) + i].begin(), std::plus<>());
        }
    }
    multiply(decoded.values(), unit_);
    require_finite(decoded.view(), "decoded vectors");
    return decoded;
}

NeighborLists VectorCodes::search(const PointsView& queries, Index k, const RunContext& context) const {
    if (queries.dimension != dimension()) {
        throw InvalidArgument("dimension", std::to_string(queries.dimension),
                              "must be " + std::to_string(dimension()) + ", that of the coded vectors");
    }
    require_finite(queries, "queries");
    const Points decoded = decode(context);
    NeighborLists lists = exact_neighbors(queries, decoded.view(), k, options_.metric, context);
    const auto far = std::ranges::find_if(lists.distances, [](float distance) { return !std::isfinite(distance); });
    if (far != lists.distances.end()) {
        throw InputError("queries", "row " + std::to_string((far - lists.distances.begin()) / k),
                         "is farther from a coded vector than the largest number of float32, 3.4e38: multiply all "
                         "values by a small number");
    }
    return lists;
}

Archive VectorCodes::archive() const {
    Archive archive{
        .kind = ArchiveKind::Codes, .method = method_name, .options = codes_option_table().values(options_)};
    archive.notes.emplace("metric", name(options_.metric));
    archive.add("mean", mean_);
    archive.add("rotation", rotation_.view());
    archive.add("codewords", centroids_.view());
    archive.add("codes", Array{{count(), code_bytes()}, codes_});
    return archive;
}

VectorCodes::VectorCodes(const Archive& archive) {
    constexpr double longest = 1.001;  // an entry of an orthogonal matrix, rounded
    const auto sizes = ArchiveSchema(ArchiveKind::Codes)
                           .note("metric", {"cosine", "inner-product", "euclidean"})
                           .size("L", {1, most_codewords})
                           .size("bytes", {1, "d"})
                           .add({.name = "mean", .shape = {"d"}})
                           .add({.name = "rotation", .shape = {"d", "d"}, .values = {{-longest, longest}}})
                           .add({.name = "codewords", .shape = {"L", "d"}})
                           .add({.name = "codes",
                                 .scalar = ArchiveArray::Scalar::Uint8,
                                 .shape = {"n", "bytes"},
                                 .values = {{0, {"L", -1}}}})
                           .require(archive);
    options_.bytes = static_cast<int>(sizes.at("bytes"));
    options_.metric = find_product_metric(archive.note("metric"));
    mean_ = archive.numbers<float>("mean", {sizes.at("d")});
    rotation_ = archive.points("rotation");
    centroids_ = archive.points("codewords");
    codes_ = archive.numbers<std::uint8_t>("codes", {sizes.at("n"), sizes.at("bytes")});
    std::vector<double> lengths = norms(centroids_.view());
    lengths.push_back(norms({mean_.data(), 1, dimension()}).front());
    unit_ = unit_of(lengths);
}

Range VectorCodes::columns_of_byte(Index m) const {
    return columns_of_part(m, code_bytes(), dimension());
}

std::uint64_t VectorCodes::bytes(Index count, Index dimension, Index code_bytes) {
    const std::uint64_t sample = std::min(count, learned_from);
    const std::uint64_t rows = std::max<std::uint64_t>(sample, std::min<std::uint64_t>(count, coded_at_once));
    // The sample, rotated and its codewords; a part of it packed for the search of codewords.
    const std::uint64_t learning = rows * (3ULL * dimension + (dimension / code_bytes + 3ULL)) * sizeof(float) +
                                   sample * (code_bytes + 2 * sizeof(Index));
    // Matrices of d x d in float64, while the rotation is found: one for each block of the sample, and those of the
    // solver.
    const std::uint64_t matrices = block_count(static_cast<std::size_t>(sample), product_rows_at_once) + 8;
    return std::uint64_t{count} * code_bytes + learning + matrices * dimension * dimension * sizeof(double) +
           2ULL * most_codewords * dimension * sizeof(float);
}

double recall_of_codes(const VectorCodes& codes, const PointsView& points, Index k, const RunContext& context) {
    constexpr Index asked = 1000;
    const Metric metric = codes.options().metric;
    if (points.count != codes.count()) {
        throw InputError("input", "",
                         "has " + std::to_string(points.count) + " vectors, and the codes are of " +
                             std::to_string(codes.count()) + ": give those that were coded");
    }
    if (k < 1 || k >= points.count) {
        throw InvalidArgument("neighbors", std::to_string(k),
                              "must be at least 1 and below the number of vectors, " + std::to_string(points.count));
    }
    const auto rows = sample_rows(points.count, asked, codes.options().seed, RandomStream::QualitySample);
    const PowerOfTwoScaling input(points, context);  // products that float32 does not hold would all tie
    const PointsView x = input.points();
    const Points queries = read_rows(ViewRows(x), rows);
    // One more of each: where a point finds itself, that is no neighbour; of what codes find another, which may tie.
    const auto others = [&](const PointsView& searched, Index listed) {
        const NeighborLists with_self = exact_neighbors(queries.view(), searched, listed + 1, metric, context);
        NeighborLists lists{.size = listed};
        for (Index r = 0; r < queries.count(); ++r) {
            const auto list = with_self[r];
            const auto self = std::find(list.begin(), list.end() - 1, rows[r]) - list.begin();  // or the last
            for (Index place = 0; place <= listed; ++place) {
                if (place != self) {
                    lists.indices.push_back(list[place]);
                    lists.distances.push_back(with_self.distances_of(r)[place]);
                }
            }
        }
        return lists;
    };
    Points decoded = codes.decode(context);
    if (metric != Metric::Cosine) {
        multiply(decoded.values(), 1.0 / input.unit());
    }
    const NeighborLists truth = others(x, k);
    const NeighborLists found = others(decoded.view(), std::min(k + 1, points.count - 1));
    return count_kept(rows, {truth, {x, x, metric}}, {found, {x, decoded.view(), metric}}, context).neighbors;
}

}  // namespace isogon
