#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/fitted_rows.hpp"
#include "methods/fitting_defaults.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "neighbors/sparse_neighbors.hpp"
#include "registry/input_rules.hpp"

namespace isogon {

namespace {

void require_sparse_fit(const Method& method, const FitArguments& given) {
    if (!method.accepts_sparse) {
        std::string names;
        for (const Method& other : methods()) {
            names += other.accepts_sparse ? (names.empty() ? "" : ", ") + other.name : "";
        }
        throw InvalidArgument("method", method.name,
                              "takes no sparse matrix: take " + names + ", or the coordinates that svd makes of it");
    }
    if (given.landmarks != nullptr) {
        throw InvalidArgument("landmarks", "given",
                              "are chosen among dense rows, and the inputs are a sparse matrix; leave them out");
    }
    if (given.extras.neighbors != nullptr || given.extras.affinities != nullptr) {
        throw InvalidArgument("inputs", "a sparse matrix",
                              "are not needed beside neighbours or edge weights: give these alone");
    }
    if (given.points.count() != given.extras.sparse->rows || given.points.dimension() != 0) {
        throw InvalidArgument("points", std::to_string(given.points.count()),
                              "must be as many rows of no numbers as the sparse matrix has rows, " +
                                  std::to_string(given.extras.sparse->rows));
    }
}

bool is_by_angle(Metric metric) {
    return metric == Metric::Cosine || metric == Metric::Correlation;
}

/// Labels, targets and start, if there are any, are of all rows.
void require_one_each(const FitArguments& given, const Method& method) {
    const Index rows = given.extras.sparse->rows;
    const auto require = [&](const char* what, std::size_t count) {
        if (count != 0 && count != rows) {
            throw InvalidArgument(what, std::to_string(count),
                                  "must be " + std::to_string(rows) + ", one for each point");
        }
    };
    require("labels", given.extras.labels.size());
    require("targets", given.extras.targets.count);
    const auto d = positive_number(option_of(method.options, given.options, "dimension"));
    require_start_shape(given.extras.start, rows, static_cast<int>(d),
                        method.accepts_partial_init ? StartRows::Some : StartRows::All);
}

/// One fit of a method on a graph of neighbours.
class SparseFit {
public:
    SparseFit(const Method& method, const FitArguments& given)
        : method_(method),
          given_(given),
          all_(*given.extras.sparse),
          metric_(find_metric(metric_option())),
          equal_(distinct(Metric::Euclidean, {})),
          same_(distinct(metric_, given.extras.labels)),
          duplicates_(all_.rows - static_cast<Index>(equal_.rows.size())),
          undirected_(same_.undirected),
          fitted_(std::move(same_)) {}

    [[nodiscard]] Embedding run() {
        require_rows_for(metric_, all_, "input");
        require_points(all_, 1, MostNumbers::OfPoints);
        if (fitted_.count() < 2) {
            throw InputError(
                "input", "",
                std::to_string(undirected_) + " of " + std::to_string(all_.rows) +
                    " rows have no direction, and the others are equal: there is nothing to embed by metric " +
                    std::string(name(metric_)));
        }
        if (fitted_.count() < all_.rows) {
            require_memory(given_.context, {{"the distinct rows", all_.bytes()}}, "raise the limit or take fewer rows");
            some_ = rows_of(all_, fitted_.rows());
        }
        OptionValues values = options();
        FitExtras extras = fitting_extras();
        Embedding result = unfitted({}, 0, given_.context);
        run_steps(result, [&] {
            const PhaseTimer timer(result.summary, "search");
            lists_ = sparse_neighbors({x(), x(), metric_}, neighbors(values), given_.context);
        });
        if (was_interrupted(result.summary.termination)) {
            result.options = std::move(values);
            return result;
        }
        const auto search = std::move(result.summary.seconds);
        if (method_.name == "faithful" && is_by_angle(metric_)) {  // which keeps chords of unit vectors
            std::ranges::transform(lists_.distances, lists_.distances.begin(),
                                   [](float distance) { return std::sqrt(2.0F * distance); });
            values["metric"] = std::string("euclidean");
        }
        extras.neighbors = &lists_;
        result = method_.embed(PointsView(nullptr, fitted_.count(), 0), values, given_.context, extras);
        result.options["metric"] = metric_option();
        result.summary.seconds.insert(result.summary.seconds.begin(), search.begin(), search.end());
        spread_to_all(result);
        return result;
    }

private:
    [[nodiscard]] DistinctPoints distinct(Metric metric, std::span<const std::int64_t> labels) const {
        return distinct_points(all_, metric, labels, uninterrupted(given_.context));
    }

    [[nodiscard]] const CsrMatrix<double>& x() const { return some_ ? *some_ : all_; }

    [[nodiscard]] std::string metric_option() const {
        return to_text(option_of(method_.options, given_.options, "metric"));
    }

    /// Those that the rows allow; a start by pca is one of the components.
    [[nodiscard]] OptionValues options() const {
        OptionValues values =
            with_fitting_defaults(method_, given_.options, {.points = fitted_.count(), .features = all_.columns});
        if (positive_number(option_of(method_.options, values, "dimension")) == 0) {
            throw InvalidArgument("dimension", to_text(option_of(method_.options, values, "dimension")),
                                  "must be a number where the inputs are a sparse matrix");
        }
        const OptionSpec* start = find_option(method_.options, "start");
        if (start != nullptr && given_.extras.start.empty() &&
            start->default_value == OptionValue{std::string("pca")}) {
            values.emplace("start", std::string("pca"));
        }
        return values;
    }

    [[nodiscard]] Index neighbors(const OptionValues& values) const {
        const std::optional<Index> listed = listed_neighbors(method_, values, fitted_.count());
        return std::min(listed.value_or(1), fitted_.count() - 1);
    }

    /// Of the fitted rows.
    [[nodiscard]] FitExtras fitting_extras() {
        FitExtras extras = given_.extras;
        extras.sparse = nullptr;
        extras.components = [this] { return components(); };
        if (!extras.labels.empty()) {
            for (const Index i : fitted_.rows()) {
                labels_.push_back(extras.labels[i]);
            }
            extras.labels = labels_;
        }
        for (const auto& [given, chosen] : {std::pair(&extras.targets, &targets_), std::pair(&extras.start, &start_)}) {
            if (!given->empty()) {
                *chosen = read_rows(ViewRows(*given), fitted_.rows());
                *given = chosen->view();
            }
        }
        return extras;
    }

    /// As many as coordinates, of the rows as the metric compares them; made when they are asked for.
    [[nodiscard]] PointsView components() {
        if (components_.empty()) {
            CsrMatrix<double> units;
            if (is_by_angle(metric_)) {
                units = x();
                for (Index i = 0; i < units.rows; ++i) {
                    double squares = 0.0;
                    for (Offset k = units.offsets[i]; k < units.offsets[i + 1]; ++k) {
                        squares += units.values[k] * units.values[k];
                    }
                    for (Offset k = units.offsets[i]; k < units.offsets[i + 1]; ++k) {
                        units.values[k] /= std::sqrt(squares);
                    }
                }
            }
            const CsrMatrix<double>& rows = units.rows > 0 ? units : x();
            const auto d = positive_number(option_of(method_.options, options(), "dimension"));
            const auto rank = static_cast<Index>(std::min<std::uint64_t>({d, rows.columns, rows.rows - 1ULL}));
            require_memory(given_.context,
                           {{"the directions of a start by pca, and the columns of the inputs",
                             sparse_svd_bytes(rows, rank) + units.bytes()}},
                           "raise the limit, or give a start");
            components_ = project(rows, truncated_svd(rows, rank, true, given_.context), given_.context);
        }
        return components_.view();
    }

    /// Equal rows lie in one place, those without a direction at the mean of the others.
    void spread_to_all(Embedding& result) const {
        Summary& summary = result.summary;
        summary.count("duplicates", duplicates_);
        if (undirected_ > 0) {
            record_undirected(undirected_, metric_, true, summary);
        }
        if (fitted_.count() == all_.rows || result.coordinates.empty()) {
            return;
        }
        Points coordinates = fitted_.to_all(result.coordinates);
        std::vector<double> mean(coordinates.dimension());
        for (Index i = 0; i < all_.rows; ++i) {
            for (Index c = 0; fitted_.has_place(i) && c < coordinates.dimension(); ++c) {
                mean[c] += double{coordinates[i][c]} / (all_.rows - undirected_);
            }
        }
        for (Index i = 0; i < all_.rows; ++i) {
            if (!fitted_.has_place(i)) {
                std::ranges::transform(mean, coordinates[i].begin(),
                                       [](double value) { return static_cast<float>(value); });
            }
        }
        result.coordinates = std::move(coordinates);
        if (result.kept) {
            result.kept = fitted_.to_all(std::move(*result.kept));
        }
    }

    const Method& method_;
    const FitArguments& given_;
    const CsrMatrix<double>& all_;
    Metric metric_;
    DistinctPoints equal_;
    DistinctPoints same_;  ///< to the metric; until fitted_ has it
    Index duplicates_;
    Index undirected_;
    FittedRows fitted_;
    std::optional<CsrMatrix<double>> some_{};  ///< the fitted rows where they are not all
    NeighborLists lists_{};
    Points components_{};
    std::vector<std::int64_t> labels_{};
    Points targets_{};
    Points start_{};
};

}  // namespace

Method with_sparse_rows(const Method& method) {
    return {method.description(), [method](const FitArguments& given) {
                if (given.extras.sparse == nullptr) {
                    return method.embed(given.points, given.options, given.context, given.extras, given.landmarks);
                }
                require_sparse_fit(method, given);
                validate(*given.extras.sparse);
                require_one_each(given, method);
                if (method.accepts_precomputed) {
                    return SparseFit(method, given).run();
                }
                const OptionValues values = with_fitting_defaults(
                    method, given.options,
                    {.points = given.extras.sparse->rows, .features = given.extras.sparse->columns});
                return method.embed(given.points, values, given.context, given.extras);
            }};
}

}  // namespace isogon
