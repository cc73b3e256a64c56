#include "isogon/quality/score.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/metric_rows.hpp"
#include "pairs/row_sample.hpp"
#include "quality/angles.hpp"
#include "quality/ranks.hpp"
#include "quality/score_steps.hpp"

namespace isogon {

namespace {

void require_shapes(const PointsView& x, const PointsView& y, std::size_t labels) {
    if (x.count < 2) {
        throw InvalidArgument("x", points_text(x.count), "must have at least 2 points, for angles are those of pairs");
    }
    if (y.count != x.count) {
        throw InvalidArgument(
            "y", points_text(y.count),
            "must have as many points as x, which has " + std::to_string(x.count) + ", in the same order");
    }
    for (const auto& [name, points] : {std::pair{"x", &x}, std::pair{"y", &y}}) {
        if (points->dimension == 0) {
            throw InvalidArgument(name, "0 dimensions", "must have at least 1 dimension");
        }
    }
    if (labels != 0 && labels != x.count) {
        throw InvalidArgument("labels", std::to_string(labels) + " numbers",
                              "must hold one number for each of the " + points_text(x.count) + ", or none at all");
    }
}

void require_fewer_neighbors(int neighbors, Index count) {
    if (static_cast<Index>(neighbors) >= count) {
        throw InvalidArgument("neighbors", std::to_string(neighbors),
                              "must be at most " + std::to_string(count - 1) +
                                  ", for a point has no more neighbours among " + points_text(count));
    }
}

/// The steps of a score, each of which writes its numbers to the result.
class ScoreRun {
public:
    ScoreRun(const PointPair& given, std::span<const std::int64_t> labels, const ScoreOptions& options,
             const RunContext& context, PointAngles* points)
        : x_(given.x), y_(given.y), labels_(labels), options_(options), context_(context), points_(points) {
        result_.points = x_.count;
        result_.neighbors = options.neighbors;
        result_.metrics = metrics_of(options, y_.dimension);
        result_.summary.seed = options.seed;
        result_.summary.threads = context.thread_count();
        if (result_.metrics.inner_product) {
            lifted_ = y_;
            y_ = PointsView(lifted_.data, lifted_.count, lifted_.dimension - 1, lifted_.stride);
        }
    }

    [[nodiscard]] Score run() {
        try {
            take_steps();
        } catch (const Interruption& interruption) {
            end_early(interruption, result_.summary);
        }
        return std::move(result_);
    }

private:
    void take_steps() {
        rows_ = sample(options_.rank_rows);
        if (points_ == nullptr && static_cast<Index>(options_.angle_rows) < x_.count) {
            angle_rows_ = sample(options_.angle_rows);
        }
        require_score_memory();
        measure_norms({x_, y_}, x_lengths_, y_lengths_, result_);
        choose();
        measure_angles();
        measure_ranks();
        summarise();
    }

    [[nodiscard]] std::vector<Index> sample(int rows) const {
        return sample_rows(x_.count, static_cast<Index>(rows), options_.seed, RandomStream::QualitySample);
    }

    [[nodiscard]] RankProblem rank_problem(const PointsView& x, std::span<const double> x_lengths) const {
        return {
            x,      y_, x_lengths, y_lengths_, labels_, rows_, static_cast<Index>(options_.neighbors), result_.metrics,
            lifted_};
    }

    /// Angles and ranks are computed one after the other, so the need is the larger of the two.
    void require_score_memory() const {
        const auto packed = [&](std::size_t rows) {
            const auto count = static_cast<Index>(rows);
            return PackedPoints::bytes(count, x_.dimension) + PackedPoints::bytes(count, y_.dimension);
        };
        const std::uint64_t directions = packed(x_.count) + (angle_rows_.empty() ? 0 : packed(angle_rows_.size()));
        const std::uint64_t ranks =
            rank_bytes(rank_problem(x_, x_lengths_), context_) +
            (result_.metrics.correlation ? std::uint64_t{x_.count} * x_.dimension * sizeof(float) : 0);
        const std::uint64_t lengths = 2 * std::uint64_t{x_.count} * sizeof(double);
        const std::string remedy = "take fewer points or neighbours, smaller rank-rows, or fewer threads";
        require_memory(context_, {{"lengths", lengths}, {"the directions of all points", directions}}, remedy);
        require_memory(context_, {{"lengths", lengths}, {"the search for neighbours", ranks}}, remedy);
    }

    /// Inputs that have no threshold have no angles to speak of; distances need none.
    void choose() {
        const auto take_plain = [&](const Error& error) {
            if (result_.metrics.input != Nearness::Euclidean || result_.metrics.output != Nearness::Euclidean) {
                throw;
            }
            constexpr double plain_threshold = 0.5;  // 60 degrees
            result_.threshold = plain_threshold;
            result_.summary.warn("no threshold suits these inputs (" + std::string(error.what()) +
                                 "): angles below 60 degrees were taken for near, and say little");
        };
        try {
            result_.threshold = given_or_chosen(options_.threshold, x_, options_.seed, context_, result_.summary);
        } catch (const InputError& error) {
            take_plain(error);
        } catch (const InvalidArgument& error) {
            take_plain(error);
        }
    }

    void measure_angles() {
        const PhaseTimer timer(result_.summary, "angles");
        const PackedPoints x_directions = pack_all_directions(x_, x_lengths_, context_);
        const PackedPoints y_directions = pack_all_directions(y_, y_lengths_, context_);
        const AngleScore angles =
            compare_angles({{x_, x_directions}, {y_, y_directions}, result_.threshold, angle_rows_}, context_, points_);
        result_.angle_rows = angle_rows_.empty() ? x_.count : static_cast<Index>(angle_rows_.size());
        result_.mean_angular_deviation_degrees = angles.mean_deviation_degrees;
        result_.jaccard = angles.jaccard;
        result_.deviation_without_self_degrees = angles.mean_without_self_degrees;
        result_.jaccard_without_self = angles.jaccard_without_self;
        result_.sparsity = angles.sparsity;
        result_.isolated = angles.isolated;
    }

    void measure_ranks() {
        const PhaseTimer timer(result_.summary, "ranks");
        RankScore ranks;
        if (result_.metrics.correlation) {
            const Points centred = centred_rows(x_, context_);
            const std::vector<double> lengths = norms(centred.view());
            ranks = compare_ranks(rank_problem(centred.view(), lengths), context_);
        } else {
            ranks = compare_ranks(rank_problem(x_, x_lengths_), context_);
        }
        result_.recall = ranks.kept.neighbors;
        result_.chance_recall = ranks.chance;
        result_.all_kept = ranks.kept.all;
        result_.kept_in_order = ranks.kept.in_order;
        result_.kept = std::move(ranks.kept);
        result_.trustworthiness = ranks.trustworthiness;
        result_.continuity = ranks.continuity;
        result_.knn_accuracy = ranks.knn_accuracy;
        result_.knn_accuracy_inputs = ranks.knn_accuracy_inputs;
        result_.rank_rows = static_cast<Index>(rows_.size());
    }

    void summarise() {
        summarise_pairs(result_);
        const std::string compared = angle_rows_.empty() ? "all pairs of " + points_text(x_.count)
                                                         : std::to_string(angle_rows_.size()) + " of " +
                                                               points_text(x_.count) + " with all others";
        result_.summary.message =
            "compared " + compared + ", and ranks over " + std::to_string(result_.rank_rows) + " of them";
        // By default, and in fits, 99% of the pairs are at or below it; points that have none above it are far from
        // all.
        constexpr double too_sparse = 0.995;
        if (options_.threshold && result_.sparsity > too_sparse) {
            const auto zeros = std::ranges::count(angle_rows_, 0.0, [&](Index row) { return x_lengths_[row]; });
            const Index zero_vectors = angle_rows_.empty() ? result_.zero_vectors : static_cast<Index>(zeros);
            warn_of_isolated({result_.isolated, result_.angle_rows, zero_vectors, result_.threshold}, "no other point",
                             "the threshold is too high, take a lower one", result_.summary);
        }
    }

    PointsView x_;
    PointsView y_;
    PointsView lifted_;  ///< y with the number that only the search uses; empty when it is by cosine
    std::span<const std::int64_t> labels_;
    const ScoreOptions& options_;
    const RunContext& context_;
    PointAngles* points_;
    Score result_{};
    std::vector<double> x_lengths_;
    std::vector<double> y_lengths_;
    std::vector<Index> rows_;        ///< of ranks
    std::vector<Index> angle_rows_;  ///< empty: all
};

}  // namespace

const OptionTable<ScoreOptions>& score_option_table() {
    static const OptionTable<ScoreOptions> table = [] {
        OptionTable<ScoreOptions> t;
        t.number("threshold", &ScoreOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                 "Cosine above which pairs of inputs count; auto: chosen so that 99% of pairs do not.");
        t.integer(
            "neighbors", &ScoreOptions::neighbors, {.minimum = 1},
            "Number of neighbours of recall, trustworthiness, continuity and k-nn accuracy; fewer is more local.");
        add_metrics(t, {{"inner-product", OutputMetric::InnerProduct}},
                    "; inner-product: of rows [y, s] by the largest y.y' - s s'");
        t.integer("angle-rows", &ScoreOptions::angle_rows, {.minimum = 1},
                  "Points whose angles with all others are compared: all up to this number, else a sample; more is "
                  "slower.");
        t.integer("rank-rows", &ScoreOptions::rank_rows, {.minimum = 1},
                  "Points whose neighbours are looked at: all up to this number, else a sample; more is slower.");
        t.integer("seed", &ScoreOptions::seed, {}, "Seed of the samples.");
        return t;
    }();
    return table;
}

std::string_view SideMetrics::input_name() const {
    return correlation ? "correlation" : input == Nearness::Cosine ? "cosine" : "euclidean";
}

std::string_view SideMetrics::output_name() const {
    return inner_product ? "inner-product" : output == Nearness::Cosine ? "cosine" : "euclidean";
}

SideMetrics metrics_of(const ScoreOptions& options, Index dimension) {
    constexpr Index most_of_a_map = 3;
    const bool lifted = options.output_metric == OutputMetric::InnerProduct;
    const bool by_direction = options.metric == InputMetric::Cosine || options.metric == InputMetric::Correlation;
    const bool by_distance =
        options.output_metric == OutputMetric::Euclidean ||
        (options.output_metric == OutputMetric::Auto && (!by_direction || dimension <= most_of_a_map));
    const bool input_by_distance =
        options.metric == InputMetric::Euclidean || (options.metric == InputMetric::Auto && by_distance);
    return {input_by_distance ? Nearness::Euclidean : Nearness::Cosine,
            by_distance ? Nearness::Euclidean : Nearness::Cosine, lifted, options.metric == InputMetric::Correlation};
}

Score score(const PointsView& x, const PointsView& y, std::span<const std::int64_t> labels, const ScoreOptions& options,
            const RunContext& context, PointAngles* points) {
    score_option_table().validate(options);
    require_shapes(x, y, labels.size());
    require_fewer_neighbors(options.neighbors, x.count);
    require_finite(x, "x");
    require_finite(y, "y");
    if (options.output_metric == OutputMetric::InnerProduct && y.dimension < 2) {
        throw InvalidArgument("output-metric", "inner-product",
                              "needs coordinates of at least 2 numbers, the last for search");
    }
    if (points != nullptr) {
        *points = {};
    }
    return ScoreRun({x, y}, labels, options, context, points).run();
}

}  // namespace isogon
