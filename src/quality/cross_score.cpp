#include "isogon/quality/score.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/tied_neighbors.hpp"
#include "quality/angles.hpp"
#include "quality/score_steps.hpp"

namespace isogon {

namespace {

struct NamedPoints {
    const char* name;
    const PointsView& points;
};

void require_some(const NamedPoints& some) {
    if (some.points.count == 0) {
        throw InvalidArgument(some.name, "0 points", "must have at least 1 point");
    }
    if (some.points.dimension == 0) {
        throw InvalidArgument(some.name, "0 dimensions", "must have at least 1 dimension");
    }
}

void require_same_count(const NamedPoints& outputs, const NamedPoints& inputs) {
    if (outputs.points.count != inputs.points.count) {
        throw InvalidArgument(outputs.name, points_text(outputs.points.count),
                              std::string("must have as many points as ") + inputs.name + ", which has " +
                                  std::to_string(inputs.points.count) + ", in the same order");
    }
}

void require_same_dimension(const NamedPoints& placed, const NamedPoints& fitted) {
    if (placed.points.dimension != fitted.points.dimension) {
        throw InvalidArgument(placed.name, "points of " + std::to_string(placed.points.dimension) + " numbers",
                              std::string("must have as many numbers a point as ") + fitted.name + ", which has " +
                                  std::to_string(fitted.points.dimension));
    }
}

void require_shapes(const NamedPoints& x, const NamedPoints& y, const NamedPoints& fitted_x,
                    const NamedPoints& fitted_y) {
    for (const NamedPoints* points : {&x, &y, &fitted_x, &fitted_y}) {
        require_some(*points);
    }
    require_same_count(y, x);
    require_same_count(fitted_y, fitted_x);
    require_same_dimension(x, fitted_x);
    require_same_dimension(y, fitted_y);
}

void require_fitted_neighbors(int neighbors, Index fitted) {
    if (static_cast<Index>(neighbors) > fitted) {
        throw InvalidArgument("neighbors", std::to_string(neighbors),
                              "must be at most " + std::to_string(fitted) + ", the number of fitted points");
    }
}

void summarise(CrossScore& result, bool threshold_is_given) {
    result.summary.count("fitted points", result.fitted);
    summarise_pairs(result);
    result.summary.message =
        "compared " + points_text(result.points) + " with each of " + std::to_string(result.fitted) + " fitted ones";
    if (threshold_is_given) {
        warn_of_isolated({result.isolated, result.points, result.zero_vectors, result.threshold}, "no fitted point",
                         "they are unlike all that was fitted, or the threshold is too high; fit some that are like "
                         "them, or take a lower threshold",
                         result.summary);
    }
}

/// The steps of a cross score, each of which writes its numbers to the result.
class CrossJudge {
public:
    CrossJudge(const PointPair& placed, const PointPair& fitted, const CrossScoreOptions& options,
               const RunContext& context)
        : x_(placed.x), y_(placed.y), fitted_x_(fitted.x), fitted_y_(fitted.y), options_(options), context_(context) {
        result_.points = x_.count;
        result_.fitted = fitted_x_.count;
        result_.neighbors = options.neighbors;
        result_.metrics = metrics_of({.metric = options.metric, .output_metric = options.output_metric}, y_.dimension);
        result_.summary.seed = options.seed;
        result_.summary.threads = context.thread_count();
    }

    [[nodiscard]] CrossScore run() {
        try {
            require_scoring_memory();
            measure_norms({x_, y_}, x_lengths_, y_lengths_, result_);
            result_.threshold =
                given_or_chosen(options_.threshold, fitted_x_, options_.seed, context_, result_.summary);
            measure_pairs();
            measure_neighbors();
            summarise(result_, options_.threshold.has_value());
        } catch (const Interruption& interruption) {
            end_early(interruption, result_.summary);
        }
        return std::move(result_);
    }

private:
    void require_scoring_memory() const {
        const std::uint64_t both = std::uint64_t{x_.count} + fitted_x_.count;
        std::uint64_t directions = std::max(x_.count, fitted_x_.count) * sizeof(Index);
        for (const PointsView* points : {&x_, &y_, &fitted_x_, &fitted_y_}) {
            directions += PackedPoints::bytes(points->count, points->dimension);
        }
        const std::uint64_t pairs = cross_pairs_bytes(x_.count, fitted_x_.count, context_.thread_count());
        const std::uint64_t copies =  // rows that are not zero, or all less their means
            std::uint64_t{x_.count} * (x_.dimension + y_.dimension) * sizeof(float) +
            (result_.metrics.correlation ? std::uint64_t{fitted_x_.count} * fitted_x_.dimension * sizeof(float) : 0);
        const std::uint64_t search = copies + 2 * neighbor_bytes(x_.count, neighbors() + 1) +
                                     std::max(exact_neighbors_bytes(fitted_x_.count, fitted_x_.dimension, neighbors()),
                                              exact_neighbors_bytes(fitted_y_.count, fitted_y_.dimension, neighbors()));
        require_memory(context_,
                       {{"lengths", 2 * both * sizeof(double)},
                        {"the directions of all points", directions},
                        {"cosines with all fitted points, or the search among these", std::max(pairs, search)}},
                       "take fewer points, or fewer threads");
    }

    void measure_pairs() {
        const PhaseTimer timer(result_.summary, "pairs");
        const DirectionPair placed{directions(x_, x_lengths_), directions(y_, y_lengths_)};
        const DirectionPair fitted{directions(fitted_x_, norms(fitted_x_)), directions(fitted_y_, norms(fitted_y_))};
        const CrossPairs pairs = compare_cross_pairs(placed, fitted, result_.threshold, context_);
        result_.mean_angular_deviation_degrees = pairs.sums.mean_degrees();
        result_.jaccard = pairs.sums.jaccard();
        result_.isolated = pairs.alone - result_.zero_vectors;
    }

    /// Leaves out zero vectors by cosine: they have no neighbours that could be kept.
    void measure_neighbors() {
        const PhaseTimer timer(result_.summary, "neighbors");
        const SideMetrics& sides = result_.metrics;
        std::vector<Index> rows(x_.count);
        std::iota(rows.begin(), rows.end(), Index{0});
        if (sides.input == Nearness::Cosine) {
            std::erase_if(rows, [&](Index i) { return x_lengths_[i] == 0.0; });
        }
        if (rows.empty()) {
            result_.recall = 1.0;
            return;
        }
        const Metric input = sides.correlation                    ? Metric::Correlation
                             : sides.input == Nearness::Euclidean ? Metric::Euclidean
                                                                  : Metric::Cosine;
        const Metric output = sides.output == Nearness::Euclidean ? Metric::Euclidean : Metric::Cosine;
        const bool are_all = rows.size() == x_.count;
        const Points some_x = are_all ? Points() : read_rows(ViewRows(x_), rows);
        const Points some_y = are_all ? Points() : read_rows(ViewRows(y_), rows);
        const PointsView x = are_all ? x_ : some_x.view();
        const PointsView y = are_all ? y_ : some_y.view();
        const NeighborLists near_x = exact_neighbors(x, fitted_x_, neighbors(), input, context_);
        const NeighborLists near_y =
            exact_neighbors(y, fitted_y_, std::min(neighbors() + 1, fitted_y_.count), output, context_);
        std::iota(rows.begin(), rows.end(), Index{0});
        result_.recall =
            count_kept(rows, {near_x, {x, fitted_x_, input, false}}, {near_y, {y, fitted_y_, output, false}}, context_)
                .neighbors;
    }

    [[nodiscard]] Index neighbors() const { return static_cast<Index>(options_.neighbors); }
    [[nodiscard]] PackedPoints directions(const PointsView& points, const std::vector<double>& lengths) const {
        return pack_all_directions(points, lengths, context_);
    }

    PointsView x_;
    PointsView y_;
    PointsView fitted_x_;
    PointsView fitted_y_;
    const CrossScoreOptions& options_;
    const RunContext& context_;
    CrossScore result_{};
    std::vector<double> x_lengths_;
    std::vector<double> y_lengths_;
};

}  // namespace

const OptionTable<CrossScoreOptions>& cross_score_option_table() {
    static const OptionTable<CrossScoreOptions> table = [] {
        OptionTable<CrossScoreOptions> t;
        t.number("threshold", &CrossScoreOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                 "Cosine above which pairs of inputs count; auto: chosen so that 99% of pairs do not.");
        t.integer("neighbors", &CrossScoreOptions::neighbors, {.minimum = 1},
                  "Number of neighbours of recall, among the fitted points; fewer is more local.");
        add_metrics(t, {}, "");
        t.integer("seed", &CrossScoreOptions::seed, {}, "Seed of the samples.");
        return t;
    }();
    return table;
}

CrossScore cross_score(const PointsView& x, const PointsView& y, const PointsView& fitted_x, const PointsView& fitted_y,
                       const CrossScoreOptions& options, const RunContext& context) {
    cross_score_option_table().validate(options);
    require_shapes({"x", x}, {"y", y}, {"fitted_x", fitted_x}, {"fitted_y", fitted_y});
    require_fitted_neighbors(options.neighbors, fitted_x.count);
    require_finite(x, "x");
    require_finite(y, "y");
    require_finite(fitted_x, "fitted_x");
    require_finite(fitted_y, "fitted_y");
    return CrossJudge({x, y}, {fitted_x, fitted_y}, options, context).run();
}

}  // namespace isogon
