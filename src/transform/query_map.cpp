#include "transform/query_map.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/k_means.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

namespace {

constexpr const char* directions_name = "map_directions";
constexpr const char* prototypes_name = "map_prototypes";
constexpr const char* pieces_name = "map_pieces";

constexpr std::size_t mixed_pieces = 4;  // 8 keep no more neighbours, 1 fewer
constexpr int k_means_rounds = 8;
// Added to all eigenvalues, as shares of their mean.
constexpr double ridge_of_all = 0.01;
constexpr double ridge_of_piece = 0.3;
constexpr Index least_points_of_piece = 400;
constexpr Index points_of_prototype = 8;

/// Rows of length 1: of all points that have a direction in both spaces.
struct Directions {
    Points x;
    Points u;
};

std::vector<Index> usable_points(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<Index> chosen;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] > 0.0 && y[i] > 0.0) {
            chosen.push_back(static_cast<Index>(i));
        }
    }
    if (chosen.empty()) {
        throw InputError("fitted points", "", "a map needs at least one that is not zero, in inputs and coordinates");
    }
    return chosen;
}

using Matrix = Eigen::MatrixXd;

/// The W that minimises |A W - T|^2 + r |W|^2, from A^T A and A^T T; r is so much of the mean eigenvalue.
Matrix ridge(Matrix gram, const Matrix& right, double share) {
    const double mean = gram.trace() / static_cast<double>(gram.rows());
    gram.diagonal().array() += share * mean + std::numeric_limits<double>::min();
    return gram.llt().solve(right);
}

/// A fit under way: the steps of fit_query_map().
class QueryMapFit {
public:
    QueryMapFit(const Directions& points, Index prototypes, Index rank, std::uint64_t seed, const RunContext& context)
        : u_(points.u), svd_(truncated_svd(points.x.view(), rank, false, context)) {
        z_ = project(points.x.view(), svd_, context);
        prototypes_ = k_means(z_.view(), prototypes, k_means_rounds, seed, context);
    }

    [[nodiscard]] std::map<std::string, Array, std::less<>> arrays(const RunContext& context) const {
        const std::uint64_t rank = z_.dimension();
        const std::uint64_t count = prototypes_.count();
        std::vector<float> directions;
        for (std::size_t a = 0; a < svd_.directions.columns; ++a) {
            for (std::size_t k = 0; k < svd_.directions.rows; ++k) {
                directions.push_back(static_cast<float>(svd_.directions(k, a)));
            }
        }
        const std::span<const float> values = prototypes_.values();
        // One by one, as in ProjectionMap::arrays().
        std::map<std::string, Array, std::less<>> made;
        made[directions_name] = {{rank, svd_.directions.rows}, std::move(directions)};
        made[prototypes_name] = {{count, rank}, std::vector<float>(values.begin(), values.end())};
        made[pieces_name] = {{count, rank + 1, u_.dimension()}, pieces(context)};
        return made;
    }

private:
    [[nodiscard]] std::vector<float> pieces(const RunContext& context) const {
        const Matrix all = piece_of_all(context);
        const Index count = prototypes_.count();
        const std::uint64_t twice_mean_points = 2 * std::uint64_t{z_.count()} / count;
        const auto nearest = static_cast<Index>(
            std::min<std::uint64_t>(z_.count(), std::max<std::uint64_t>(least_points_of_piece, twice_mean_points)));
        const NeighborLists lists =
            exact_neighbors(prototypes_.view(), z_.view(), nearest, Metric::Euclidean, already_stated(context));
        const std::size_t size = (std::size_t{z_.dimension()} + 1) * u_.dimension();
        std::vector<float> made(count * size);
        parallel_tasks(context, count, [&](std::size_t j) {
            throw_if_cancelled_in_task(context);
            write_piece(all, lists[static_cast<Index>(j)], std::span(made).subspan(j * size, size));
        });
        return made;
    }

    [[nodiscard]] Matrix piece_of_all(const RunContext& context) const {
        const MultiVector<float> z = block_of(z_);
        const DenseMatrix gram_z = gram(z, z, context);
        const DenseMatrix right = gram(z, block_of(u_), context);
        const auto eigen = [](const DenseMatrix& m) -> Matrix {
            return Eigen::Map<const Matrix>(m.values.data(), static_cast<Eigen::Index>(m.rows),
                                            static_cast<Eigen::Index>(m.columns));
        };
        return ridge(eigen(gram_z), eigen(right), ridge_of_all);
    }

    static MultiVector<float> block_of(const Points& points) {
        MultiVector<float> block(points.count(), points.dimension());
        for (Index i = 0; i < points.count(); ++i) {
            std::copy(points[i].begin(), points[i].end(), block.row(i));
        }
        return block;
    }

    /// W + B and b, where B and b minimise sum |u - W z - B z - b|^2 over some points, with a ridge on B.
    void write_piece(const Matrix& all, std::span<const Index> points, std::span<float> piece) const {
        const auto count = static_cast<Eigen::Index>(points.size());
        Matrix z(count, all.rows());
        Matrix rest(count, all.cols());
        for (Eigen::Index i = 0; i < count; ++i) {
            const Index point = points[static_cast<std::size_t>(i)];
            z.row(i) = row_of(z_, point);
            rest.row(i) = row_of(u_, point);
        }
        rest.noalias() -= z * all;
        const Eigen::RowVectorXd mean_z = z.colwise().mean();
        const Eigen::RowVectorXd mean_rest = rest.colwise().mean();
        z.rowwise() -= mean_z;
        rest.rowwise() -= mean_rest;
        const Matrix own = ridge(z.transpose() * z, z.transpose() * rest, ridge_of_piece);
        using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        Eigen::Map<FloatRows> written(piece.data(), all.rows() + 1, all.cols());
        written.topRows(all.rows()) = (all + own).cast<float>();
        written.bottomRows(1) = (mean_rest - mean_z * own).cast<float>();
    }

    static Eigen::RowVectorXd row_of(const Points& points, Index i) {
        return Eigen::Map<const Eigen::RowVectorXf>(points[i].data(), points.dimension()).cast<double>();
    }

    const Points& u_;
    TruncatedSvd svd_;
    Points z_{};
    Points prototypes_{};
};

}  // namespace

const OptionTable<QueryMapOptions>& query_map_option_table() {
    static const OptionTable<QueryMapOptions> table =
        OptionTable<QueryMapOptions>()
            .integer("prototypes", &QueryMapOptions::prototypes, {.minimum = 1, .maximum = 65536},
                     "linear pieces of the map; 1: a linear map; of few points fewer, one for each 8")
            .integer("directions", &QueryMapOptions::directions, {.minimum = 1, .maximum = 4096},
                     "singular directions of the inputs that the map looks at")
            .integer("seed", &QueryMapOptions::seed, {.minimum = 0}, "of the first prototypes");
    return table;
}

std::map<std::string, Array, std::less<>> fit_query_map(const PointsView& inputs, const PointsView& outputs,
                                                        const QueryMapOptions& options, const RunContext& context) {
    query_map_option_table().validate(options);
    if (inputs.empty()) {
        throw InvalidArgument("fitted points", "0", "there must be at least one: a map is learned from them");
    }
    require_fitted(inputs, outputs);
    const std::vector<double> lengths = lengths_in_float(inputs);
    const std::vector<double> output_lengths = norms(outputs);
    const std::vector<Index> chosen = usable_points(lengths, output_lengths);
    const auto count = static_cast<Index>(chosen.size());
    const Index rank = std::min(static_cast<Index>(options.directions), inputs.dimension);
    const Index prototypes = std::clamp<Index>(count / points_of_prototype, 1, static_cast<Index>(options.prototypes));
    const Index nearest = std::min(count, std::max(least_points_of_piece, 2 * (count / prototypes) + 2));
    const std::uint64_t numbers =
        std::uint64_t{count} * (std::uint64_t{inputs.dimension} + 2 * (std::uint64_t{rank} + outputs.dimension));
    require_memory(context,
                   {{"directions of the fitted points", numbers * sizeof(float)},
                    {"their singular directions", truncated_svd_bytes(count, inputs.dimension, rank)},
                    {"the points nearest to prototypes", exact_search_bytes(prototypes, count, rank, nearest)},
                    {"the pieces of the map",
                     std::uint64_t{prototypes} * (std::uint64_t{rank} + 1) * outputs.dimension * sizeof(float)}},
                   "raise the limit, or take fewer prototypes");
    const Directions points{directions_of(inputs, lengths, chosen), directions_of(outputs, output_lengths, chosen)};
    return QueryMapFit(points, prototypes, rank, options.seed, already_stated(context)).arrays(context);
}

namespace {

ArchiveSchema::Sizes require_map(const Archive& archive) {
    constexpr double unit = 1.001;      // of directions, and of means of their components, to rounding
    constexpr double largest = 1.0e12;  // far beyond what a ridge lets through; sums stay in float32
    return ArchiveSchema()
        .size("p", {1, 4096})
        .size("c", {1, 65536})
        .add({.name = directions_name, .shape = {"p", "D"}, .values = {{-unit, unit}}})
        .add({.name = prototypes_name, .shape = {"c", "p"}, .values = {{-unit, unit}}})
        .add({.name = pieces_name, .shape = {"c", {"p", 1.0}, "d"}, .values = {{-largest, largest}}})
        .require(archive);
}

PackedPoints packed_prototypes(const PointsView& prototypes) {
    std::vector<float> halves;
    for (const double length : norms(prototypes)) {
        halves.push_back(static_cast<float>(-0.5 * length * length));
    }
    return pack(prototypes, {}, halves, {.threads = 1});
}

/// The prototypes that count for a row, and their shares, whose sum is 1.
struct Mixed {
    std::array<Index, mixed_pieces> places{};
    std::array<float, mixed_pieces> shares{};
    std::size_t count = 0;
};

Mixed mixed_of(std::span<const float> keys) {
    // The largest keys, descending; of equal ones the first.
    std::array<std::pair<float, Index>, mixed_pieces + 1> best;
    const std::size_t kept = std::min(best.size(), keys.size());
    std::size_t held = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        if (held == kept && !(keys[j] > best[held - 1].first)) {
            continue;
        }
        std::size_t place = held < kept ? held++ : held - 1;
        for (; place > 0 && keys[j] > best[place - 1].first; --place) {
            best[place] = best[place - 1];
        }
        best[place] = {keys[j], static_cast<Index>(j)};
    }
    Mixed mixed{.count = std::max<std::size_t>(1, kept - 1)};
    const float threshold = kept > 1 ? best[kept - 1].first : -std::numeric_limits<float>::infinity();
    float sum = 0.0F;
    for (std::size_t j = 0; j < mixed.count; ++j) {
        mixed.places[j] = best[j].second;
        mixed.shares[j] = kept > 1 ? best[j].first - threshold : 1.0F;
        sum += mixed.shares[j];
    }
    for (std::size_t j = 0; j < mixed.count; ++j) {
        // All equally near, which no sum tells apart: alike.
        mixed.shares[j] = sum > 0.0F ? mixed.shares[j] / sum : 1.0F / static_cast<float>(mixed.count);
    }
    return mixed;
}

}  // namespace

QueryMap::QueryMap(const Archive& archive) : alone_(!archive.has("inputs")) {
    const auto sizes = require_map(archive);
    projection_ = pack(points_view(archive, directions_name), {}, {}, {.threads = 1});
    prototypes_ = packed_prototypes(points_view(archive, prototypes_name));
    pieces_ = archive.numbers<float>(pieces_name, {sizes.at("c"), sizes.at("p") + 1, sizes.at("d")});
    output_dimension_ = static_cast<Index>(sizes.at("d"));
}

std::string_view QueryMap::only_way() const {
    return alone_ ? "keeps its map for queries alone" : std::string_view{};
}

bool QueryMap::is_in(const Archive& archive) {
    return archive.has(pieces_name);
}

/// 48 rows at a time, in scratch of one thread.
class QueryMap::Panel {
public:
    explicit Panel(const QueryMap& map)
        : map_(map),
          rank_(map.projection_.count()),
          z_((std::size_t{rank_} + 1) * panel_width),
          keys_(panel_width, map.prototypes_.count()),
          sums_(map.output_dimension_) {}

    /// Looks at packed directions.
    void read(const PackedPoints& rows) {
        for (Index t = 0; t < map_.projection_.panels(); ++t) {
            multiply_panels(rows.panel(0), map_.projection_.panel(t), rows.depth(), tile_.data(), panel_width);
            const std::size_t first = t * panel_width;
            for (std::size_t k = 0; k < std::min(panel_width, rank_ - first); ++k) {
                for (std::size_t i = 0; i < panel_width; ++i) {
                    z_.data()[(first + k) * panel_width + i] = tile_[i * panel_width + k];
                }
            }
        }
        std::fill_n(z_.data() + std::size_t{rank_} * panel_width, panel_width, 1.0F);
        for (Index t = 0; t < map_.prototypes_.panels(); ++t) {
            multiply_panels({z_.data(), panel_width}, map_.prototypes_.panel(t), std::size_t{rank_} + 1, tile_.data(),
                            panel_width);
            const std::size_t first = t * panel_width;
            const std::size_t count = std::min(panel_width, map_.prototypes_.count() - first);
            for (std::size_t i = 0; i < panel_width; ++i) {
                std::copy_n(tile_.data() + i * panel_width, count, keys_.row(i) + first);
            }
        }
    }

    void write(std::size_t i, double length, std::span<float> output) {
        const Mixed mixed = mixed_of({keys_.row(i), map_.prototypes_.count()});
        std::fill(sums_.begin(), sums_.end(), 0.0F);
        for (std::size_t j = 0; j < mixed.count; ++j) {
            add_piece(mixed.places[j], mixed.shares[j], i);
        }
        const double squares = std::inner_product(sums_.begin(), sums_.end(), sums_.begin(), 0.0, std::plus<>(),
                                                  [](float a, float b) { return double{a} * double{b}; });
        const double factor = squares > 0.0 ? length / std::sqrt(squares) : 0.0;
        std::transform(sums_.begin(), sums_.end(), output.begin(),
                       [factor](float sum) { return static_cast<float>(factor * double{sum}); });
    }

private:
    void add_piece(Index piece, float share, std::size_t i) {
        const std::size_t width = sums_.size();
        const float* row = map_.pieces_.data() + std::size_t{piece} * (std::size_t{rank_} + 1) * width;
        for (std::size_t k = 0; k <= rank_; ++k, row += width) {
            const float factor = share * z_.data()[k * panel_width + i];
            for (std::size_t a = 0; a < width; ++a) {
                sums_[a] += factor * row[a];
            }
        }
    }

    const QueryMap& map_;
    Index rank_;
    AlignedArray<float> z_;  ///< component k of row i at k * 48 + i; the last is 1
    MultiVector<float> keys_;
    std::vector<float> sums_;
    alignas(64) std::array<float, panel_width * panel_width> tile_{};
};

Points QueryMap::coordinates_of(const PointsView& rows, Transformed& transformed, const RunContext& context) const {
    Summary& summary = transformed.summary;
    require_finite(rows, "input");
    const std::vector<double> lengths = lengths_in_float(rows);
    require_memory(context, {{"the outputs", std::uint64_t{rows.count} * output_dimension_ * sizeof(float)}},
                   "raise the limit, or map fewer rows at a time");
    Points result(rows.count, output_dimension_);
    constexpr std::size_t rows_at_once = 64 * panel_width;  // between two looks at the context
    for (std::size_t first = 0; first < rows.count; first += rows_at_once) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(rows_at_once, rows.count - first);
        parallel_blocks(context, count, panel_width, [&](Range range) {
            std::vector<Index> chosen(range.size());
            std::iota(chosen.begin(), chosen.end(), static_cast<Index>(first + range.begin));
            Panel panel(*this);
            panel.read(pack_directions(rows, lengths, chosen, {.threads = 1}));
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                panel.write(i, lengths[chosen[i]], result[chosen[i]]);
            }
        });
    }
    summary.count("zero_vectors", static_cast<double>(std::count(lengths.begin(), lengths.end(), 0.0)));
    return result;
}

}  // namespace isogon
