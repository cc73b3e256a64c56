#include "registry/input_rules.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/methods/landmarks.hpp"
#include "methods/distinct_points.hpp"
#include "methods/fitted_rows.hpp"
#include "methods/forces.hpp"
#include "methods/forces/layout_edges.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "neighbors/metric_rows.hpp"
#include "transform/undirected_rows.hpp"

namespace isogon {

namespace {

/// Sets the count for all rows; a method may have counted those that it was given.
void set_count(Summary& summary, const std::string& what, Index value) {
    const auto known = std::find_if(summary.counts.begin(), summary.counts.end(),
                                    [&](const auto& count) { return count.first == what; });
    if (known == summary.counts.end()) {
        summary.count(what, value);
    } else {
        known->second = value;
    }
}

}  // namespace

std::optional<Index> listed_neighbors(const Method& method, const OptionValues& values, Index points) {
    const OptionValue asked = option_of(method.options, values, "neighbors");
    const bool usual_asked = find_option(method.options, "neighbors") != nullptr && to_text(asked) == "auto";
    const std::uint64_t neighbors = usual_asked ? FaithfulOptions::usual_neighbors : positive_number(asked);
    if (neighbors > 0) {
        return static_cast<Index>(std::min<std::uint64_t>(neighbors, points));
    }
    if (find_option(method.options, "perplexity") == nullptr) {
        return std::nullopt;
    }
    const OptionValue given = option_of(method.options, values, "perplexity");
    const auto* number = std::get_if<double>(&given);
    const double usual = fitting_perplexity({}, points).value_or(1.0);
    return static_cast<Index>(neighbors_of_perplexity(number == nullptr ? usual : *number, points));
}

void record_undirected(Index undirected, Metric metric, bool left_out, Summary& summary) {
    set_count(summary, "zero_vectors", undirected);
    const std::string who =
        std::to_string(undirected) + (metric == Metric::Correlation ? " rows of equal numbers have no direction"
                                                                    : " zero vectors have no direction");
    summary.warn(who + (left_out ? " and no neighbours: they were left out, and lie at the mean of the others"
                                 : ": they count as at right angles to all points"));
}

namespace {

/// How a method compares points, by its options; none for a table of kernel values.
struct Comparison {
    Metric metric = Metric::Euclidean;
    std::optional<Index> listed{};  ///< neighbours of a point, of methods on a graph of them
    bool needs_directions = false;  ///< a row of the graph needs a direction
    bool table = false;             ///< a table of distances in place of points
    bool by_coordinates = true;     ///< distances or angles: not of tables and nmf
};

std::string text_option(const Method& method, const OptionValues& values, const char* name) {
    const OptionValue value = option_of(method.options, values, name);
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? "" : *text;
}

Metric metric_of(const Method& method, const OptionValues& values) {
    const bool angles = method.name == "tsm" || method.name == "svd" || text_option(method, values, "graph") == "tsm" ||
                        text_option(method, values, "kernel") == "cosine";
    const std::string metric = text_option(method, values, "metric");
    const auto& names = metric_names();
    return angles                                                         ? Metric::Cosine
           : std::find(names.begin(), names.end(), metric) == names.end() ? Metric::Euclidean
                                                                          : find_metric(metric);
}

std::optional<Comparison> comparison_of(const Method& method, const OptionValues& values, Index points) {
    const bool table = text_option(method, values, "metric") == "precomputed";
    if (text_option(method, values, "kernel") == "precomputed" || (table && !method.uses_neighbors)) {
        return std::nullopt;
    }
    Comparison result{
        .metric = metric_of(method, values), .table = table, .by_coordinates = !table && method.name != "nmf"};
    if (method.uses_neighbors) {
        result.needs_directions = true;
        if (text_option(method, values, "graph") != "tsm") {
            result.listed = listed_neighbors(method, values, points);
        }
    }
    return result;
}

std::string copies_in_words(Index duplicates, Index points) {
    return std::to_string(duplicates) + " of " + std::to_string(points) +
           " points equal earlier ones in float32, in all seven digits";
}

void warn_of_many_copies(Index duplicates, Index points, Summary& summary) {
    if (2 * std::uint64_t{duplicates} > points) {
        summary.warn(copies_in_words(duplicates, points) +
                     ": if yours differ in later ones, subtract their mean first");
    }
}

/// Whether rounding may give copies different outputs that fit equally well.
bool parts_copies(const Method& method) {
    return method.name == "tsm";
}

void join_copies(const std::vector<Index>& first, Points& coordinates) {
    for (Index i = 0; i < coordinates.count(); ++i) {
        std::copy_n(coordinates[first[i]].begin(), coordinates.dimension(), coordinates[i].begin());
    }
}

/// For points that ranks share: the rules of one process, but for a long coordinate. Collective.
void rule_shared(const Method& method, const DistributedPoints& x, const OptionValues& values, Embedding& result) {
    Summary& summary = result.summary;
    const std::vector<Index> first = first_equal_points(x);
    Index duplicates = 0;
    for (Index i = 0; i < x.count(); ++i) {
        duplicates += first[i] == i ? 0 : 1;
    }
    if (parts_copies(method)) {
        join_copies(first, result.coordinates);
    }
    set_count(summary, "duplicates", duplicates);
    warn_of_many_copies(duplicates, x.count(), summary);
    if (metric_of(method, values) == Metric::Cosine) {
        const std::vector<double> lengths = norms_of_all(x, {.threads = 1});
        const auto zeros = static_cast<Index>(std::count(lengths.begin(), lengths.end(), 0.0));
        if (zeros > 0) {
            record_undirected(zeros, Metric::Cosine, false, summary);
        }
    }
}

/// One fit with the rules.
class RuledFit {
public:
    RuledFit(const Method& method, const FitArguments& given)
        : method_(method),
          x_(given.points.local()),
          values_(given.options),
          landmarks_(given.landmarks),
          context_(given.context),
          extras_(given.extras),
          compared_(comparison_of(method, values_, x_.count)) {}

    [[nodiscard]] Embedding run() {
        const bool labels_fit = (extras_.labels.empty() || extras_.labels.size() == x_.count) &&
                                (extras_.targets.empty() || extras_.targets.count == x_.count);
        if (!compared_ || x_.dimension == 0 || x_.count < 2 || !labels_fit ||
            (compared_->table && x_.count != x_.dimension)) {
            return method_.embed(x_, values_, context_, extras_, landmarks_);
        }
        look();
        Embedding result = fitted_ ? fit_some() : method_.embed(x_, values_, context_, extras_, landmarks_);
        if (!first_.empty()) {
            join_copies(first_, result.coordinates);
        }
        record(result.summary);
        return result;
    }

private:
    /// The method's own fit, of all points, or, where there are options of landmarks, of these.
    void look() {
        const RunContext brief = uninterrupted(context_);
        const DistinctPoints equal = distinct_points(x_, Metric::Euclidean, {}, brief);
        duplicates_ = x_.count - static_cast<Index>(equal.rows.size());
        if (parts_copies(method_) && duplicates_ > 0) {
            std::transform(equal.place.begin(), equal.place.end(), std::back_inserter(first_),
                           [&](Index place) { return equal.rows[place]; });
        }
        const bool other = by_angle() || compared_->metric == Metric::Jaccard || !extras_.labels.empty();
        DistinctPoints same = other ? distinct_points(x_, compared_->metric, extras_.labels, brief) : equal;
        undirected_ = same.undirected;
        // A graph with copies would part them by their order, or know nothing but them.
        once_ = compared_->listed && same.most > 1;
        crowded_ = once_ && same.most > *compared_->listed;
        if (once_) {
            fitted_ = FittedRows(std::move(same));
        } else if (undirected_ > 0 && compared_->needs_directions) {
            fitted_ = FittedRows::directed(same);
        }
        // A graph that the user gives is taken as it is, unless its lists are of the fitted rows alone.
        if (fitted_ &&
            (extras_.affinities != nullptr || (extras_.neighbors != nullptr && !fitted_->tells(*extras_.neighbors)))) {
            once_ = crowded_ = false;
            fitted_.reset();
        }
    }

    [[nodiscard]] bool by_angle() const {
        return compared_->metric == Metric::Cosine || compared_->metric == Metric::Correlation;
    }

    [[nodiscard]] Index points() const { return fitted_->count(); }

    [[nodiscard]] std::int64_t dimension() const {
        return static_cast<std::int64_t>(positive_number(option_of(method_.options, values_, "dimension")));
    }

    /// Throws as the fit would, with the row numbers that the caller knows; and requires that a problem is left.
    void require_input() const {
        if (!compared_->table) {  // the method has looked at the table itself: infinity may be no way there
            require_points(x_, static_cast<int>(dimension()), MostNumbers::OfPoints);
            static_cast<void>(lengths_in_float(x_));
            require_rows_for(compared_->metric, x_, "input");
        }
        if (points() < 2) {
            throw InputError("input", "",
                             (undirected_ > 0 ? std::to_string(undirected_) + " of " + std::to_string(x_.count) +
                                                    " points have no direction, and "
                                              : std::string()) +
                                 (points() == 0 ? "no other is left" : "all others have the same") +
                                 ": there is nothing to embed by metric " + std::string(name(compared_->metric)));
        }
    }

    /// Options that fit the points that are left, where they fit all points.
    [[nodiscard]] OptionValues fitting_options() {
        OptionValues values = values_;
        const auto most = static_cast<std::int64_t>(points()) - 1;
        if (dimension() > most) {
            values["dimension"] = most;
        }
        const auto neighbors =
            static_cast<std::int64_t>(positive_number(option_of(method_.options, values_, "neighbors")));
        if (neighbors > most && neighbors < std::int64_t{x_.count} && extras_.affinities == nullptr) {
            values["neighbors"] = most;
            warnings_.emplace_back("there are no more than " + std::to_string(most) + " neighbors to each of " +
                                   std::to_string(most + 1) + " distinct points, and all were taken");
        }
        const OptionValue given = option_of(method_.options, values_, "perplexity");
        const auto* perplexity = std::get_if<double>(&given);
        if (perplexity != nullptr && neighbors == 0 && *perplexity > static_cast<double>(most) &&
            *perplexity < static_cast<double>(x_.count)) {
            values["perplexity"] = OptionValue();
            warnings_.emplace_back("a perplexity of " + to_text(given) + " is too much for " +
                                   std::to_string(most + 1) + " distinct points, and auto was taken");
        }
        return values;
    }

    [[nodiscard]] FitExtras fitting_extras(std::int64_t dimension) {
        FitExtras extras = extras_;
        extras.shared = nullptr;
        if (extras_.neighbors != nullptr) {
            lists_ = fitted_->among(*extras_.neighbors);
            extras.neighbors = &lists_;
        }
        if (!extras_.labels.empty()) {
            for (const Index i : fitted_->rows()) {
                labels_.push_back(extras_.labels[i]);
            }
            extras.labels = labels_;
        }
        if (!extras_.targets.empty()) {
            targets_ = first_known(extras_.targets);
            extras.targets = targets_.view();
        }
        if (!extras_.start.empty()) {
            require_start_shape(extras_.start, x_.count, static_cast<int>(this->dimension()),
                                method_.accepts_partial_init ? StartRows::Some : StartRows::All);
            start_ = first_known(extras_.start);
            extras.start =
                PointsView(start_.values().data(), start_.count(), static_cast<Index>(dimension), start_.dimension());
        }
        return extras;
    }

    /// Rows for the fitted ones: where the first of equal rows has NaN, the next without it.
    [[nodiscard]] Points first_known(const PointsView& given) const {
        Points rows = read_rows(ViewRows(given), fitted_->rows());
        for (Index i = 0; i < x_.count; ++i) {
            if (fitted_->has_place(i) &&
                std::ranges::any_of(rows[fitted_->place(i)], [](float value) { return std::isnan(value); })) {
                std::ranges::copy(given[i], rows[fitted_->place(i)].begin());
            }
        }
        return rows;
    }

    [[nodiscard]] Embedding fit_some() {
        require_input();
        const std::uint64_t bytes =
            require_memory(context_, {{"the distinct points", std::uint64_t{points()} * x_.dimension * sizeof(float)}},
                           "raise the limit or take fewer points");
        const Points some = compared_->table ? fitted_->table_of(x_) : read_rows(ViewRows(x_), fitted_->rows());
        const OptionValues values = fitting_options();
        const OptionValue columns = option_of(method_.options, values, "dimension");
        const FitExtras extras = fitting_extras(static_cast<std::int64_t>(positive_number(columns)));
        const LandmarkOptions* landmarks = landmarks_;
        if (landmarks != nullptr && landmarks->landmarks > 0 && landmarks->landmarks < std::int64_t{x_.count} &&
            landmarks->landmarks >= std::int64_t{points()}) {
            landmarks = nullptr;
            warnings_.emplace_back("there are no more than " + std::to_string(points()) +
                                   " distinct points, and all were landmarks");
        }
        Embedding result = method_.embed(some.view(), values, beside(context_, bytes), extras, landmarks);
        spread_to_all(result);
        if (dimension() > 0) {
            result.options["dimension"] = dimension();
        }
        return result;
    }

    /// Adds columns up to the number that the caller wants; few points have no more than zeros in the last.
    [[nodiscard]] Points widened(const Points& coordinates) const {
        Points wide(coordinates.count(), static_cast<Index>(dimension()));
        for (Index i = 0; i < coordinates.count(); ++i) {
            std::copy(coordinates[i].begin(), coordinates[i].end(), wide[i].begin());
        }
        return wide;
    }

    /// Coordinates of the distinct points become those of all.
    void spread_to_all(Embedding& result) const {
        if (result.coordinates.empty()) {
            return;
        }
        result.coordinates = fitted_->to_all(widened(result.coordinates));
        if (result.barycentric_map) {
            BarycentricMap& map = *result.barycentric_map;
            std::transform(map.landmarks.begin(), map.landmarks.end(), map.landmarks.begin(),
                           [&](Index i) { return fitted_->rows()[i]; });
            map.coordinates = widened(map.coordinates);
        }
        if (result.kept) {
            result.kept = fitted_->to_all(std::move(*result.kept));
        }
        if (result.local_placement) {
            result.local_placement->rows = {fitted_->rows().begin(), fitted_->rows().end()};
        }
        if (undirected_ > 0) {
            place_undirected(result);
        }
    }

    /// Where a model of the fit puts such rows.
    void place_undirected(Embedding& result) const {
        const auto& map = result.barycentric_map;
        const Points kept = map ? read_rows(ViewRows(x_), map->landmarks) : Points();
        const std::vector<float> middle =
            map ? place_without_direction(kept.view(), map->coordinates.view(), compared_->metric)
                : place_without_direction(x_, result.coordinates.view(), compared_->metric);
        for (Index i = 0; i < x_.count; ++i) {
            if (!fitted_->has_place(i)) {
                std::copy(middle.begin(), middle.end(), result.coordinates[i].begin());
            }
        }
    }

    void record(Summary& summary) const {
        set_count(summary, "duplicates", duplicates_);
        summary.warnings.insert(summary.warnings.end(), warnings_.begin(), warnings_.end());
        warn_of_copies(summary);
        if (undirected_ > 0) {
            record_undirected(undirected_, compared_->metric, fitted_.has_value(), summary);
        }
        if (compared_->by_coordinates) {
            warn_of_long_coordinate(x_, compared_->metric, summary);
        }
    }

    void warn_of_copies(Summary& summary) const {
        if (crowded_) {
            const std::string what = by_angle() ? " directions" : " points";
            summary.warn(copies_in_words(duplicates_, x_.count) + ", and some" + what +
                         " come more often than a point has neighbours (" + std::to_string(*compared_->listed) +
                         "): the " + std::to_string(points()) + " distinct" + what +
                         " were fitted, and equal ones lie in one place");
        } else {
            warn_of_many_copies(duplicates_, x_.count, summary);
        }
    }

    const Method& method_;
    const PointsView& x_;
    const OptionValues& values_;
    const LandmarkOptions* landmarks_;
    const RunContext& context_;
    const FitExtras& extras_;
    std::optional<Comparison> compared_;
    Index duplicates_ = 0;
    Index undirected_ = 0;
    std::vector<Index> first_{};          ///< for each row the first that equals it, where copies are joined
    bool once_ = false;                   ///< the distinct rows are fitted
    bool crowded_ = false;                ///< some row has more copies than a list holds
    std::optional<FittedRows> fitted_{};  ///< none: all rows
    std::vector<std::int64_t> labels_{};
    Points start_{};
    Points targets_{};
    NeighborLists lists_{};
    std::vector<Text> warnings_{};
};

}  // namespace

Method with_input_rules(const Method& method) {
    return {method.description(), [method](const FitArguments& given) {
                if (given.points.communicator() == nullptr) {
                    return RuledFit(method, given).run();
                }
                Embedding result = method.embed(given.points, given.options, given.context, given.extras);
                rule_shared(method, given.points, given.options, result);
                return result;
            }};
}

}  // namespace isogon
