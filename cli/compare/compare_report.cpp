#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "isogon/report/report.hpp"
#include "pairs/row_sample.hpp"
#include "program/option_flags.hpp"
#include "score/score.hpp"

namespace isogon::cli {

namespace {

template <double Score::*member>
std::optional<double> scored(const ComparedRow& row) {
    return row.score ? std::optional((*row.score).*member) : std::nullopt;
}

std::optional<double> accuracy(const ComparedRow& row) {
    return row.score ? row.score->knn_accuracy : std::nullopt;
}

std::optional<double> fit_seconds(const ComparedRow& row) {
    return row.seconds;
}

/// The first score of all rows: the number of neighbours is the same for all.
Score first_score(const std::vector<ComparedRow>& rows) {
    const auto scored_rows =
        std::find_if(rows.begin(), rows.end(), [](const ComparedRow& row) { return row.score.has_value(); });
    Score none;
    none.neighbors = ScoreOptions().neighbors;
    return scored_rows == rows.end() ? none : *scored_rows->score;
}

std::string shown(const Measure& measure, const ComparedRow& row) {
    const auto value = measure.of(row);
    if (!value) {
        return "-";
    }
    const bool coarse = measure.key == "deviation_without_self_degrees" || measure.key == "seconds";
    return coarse ? fmt::format("{:.2f}", *value) : fmt::format("{:.4f}", *value);
}

/// Short enough for a table; JSON has the keys.
std::string heading(const Measure& measure) {
    return measure.key == "deviation_without_self_degrees" ? "degrees off"
           : measure.key == "jaccard_without_self"         ? "jaccard"
           : measure.key == "norm_deviation_mean"          ? "lengths off"
           : measure.key == "trustworthiness"              ? "trust"
           : measure.key == "knn_accuracy"                 ? "k-nn"
                                                           : measure.key;
}

std::string remark(const ComparedRow& row) {
    if (!row.refused.empty()) {
        return row.refused;
    }
    if (!row.same_as.empty()) {
        return "same run as " + row.same_as + " above";
    }
    return row.cached ? "kept from before" : "";
}

/// "nearest by cosine" where that is so of all rows, else "nearest by cosine (faithful, svd), nearest by distance
/// (umap)".
std::string metrics_text(const std::vector<ComparedRow>& rows) {
    std::vector<std::pair<std::string, std::vector<std::string>>> names_by_metrics;
    for (const auto& row : rows) {
        if (!row.score) {
            continue;
        }
        const std::string text = nearest_text(row.score->metrics);
        auto place = std::find_if(names_by_metrics.begin(), names_by_metrics.end(),
                                  [&](const auto& one) { return one.first == text; });
        if (place == names_by_metrics.end()) {
            place = names_by_metrics.insert(names_by_metrics.end(), {text, {}});
        }
        if (std::find(place->second.begin(), place->second.end(), row.name) == place->second.end()) {
            place->second.push_back(row.name);
        }
    }
    if (names_by_metrics.size() == 1) {
        return names_by_metrics.front().first;
    }
    std::string text;
    for (const auto& [metrics, names] : names_by_metrics) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", metrics, fmt::join(names, ", "));
    }
    return text;
}

/// Names in the order in which they appear.
std::vector<std::string> names_of(const std::vector<ComparedRow>& rows) {
    std::vector<std::string> names;
    for (const auto& row : rows) {
        if (std::find(names.begin(), names.end(), row.name) == names.end()) {
            names.push_back(row.name);
        }
    }
    return names;
}

/// All dimensions of the rows, ascending.
std::vector<std::int64_t> dimensions_of(const std::vector<ComparedRow>& rows) {
    std::set<std::int64_t> dimensions;
    for (const auto& row : rows) {
        dimensions.insert(row.dimension);
    }
    return {dimensions.begin(), dimensions.end()};
}

/// The mean where neighbours have any rank; for continuity, too.
double chance_trustworthiness(Index points, Index neighbors) {
    const double n = points;
    const double k = neighbors;
    const double beyond = n - 1.0 - k;
    const double most = 2.0 * k < n ? k * (2.0 * n - 3.0 * k - 1.0) / 2.0 : beyond * (beyond + 1.0) / 2.0;
    return most > 0.0 ? 1.0 - k * beyond * (beyond + 1.0) / 2.0 / (n - 1.0) / most : 1.0;
}

/// Of the known labels.
std::optional<double> most_frequent_share(const std::vector<std::int64_t>& labels) {
    std::map<std::int64_t, double> counts;
    double known = 0.0;
    double most = 0.0;
    for (const std::int64_t label : labels) {
        if (label >= 0) {
            most = std::max(most, ++counts[label]);
            ++known;
        }
    }
    return known > 0.0 ? std::optional(most / known) : std::nullopt;
}

ChartSeries series_of(const std::vector<ComparedRow>& rows, const std::string& name, const Measure& measure) {
    ChartSeries series{name, SeriesRole::Other, {}};
    for (const auto& row : rows) {
        const auto value = measure.of(row);
        if (row.name == name && value) {
            series.role = row.role;
            series.points.push_back({static_cast<double>(row.dimension), *value});
        }
    }
    std::sort(series.points.begin(), series.points.end());
    return series;
}

}  // namespace

std::vector<Measure> measures_of(const std::vector<ComparedRow>& rows) {
    const Score first = first_score(rows);
    const int k = first.neighbors;
    std::vector<Measure> measures{
        {"deviation_without_self_degrees", "Small angles are off by", "degrees (0: perfect)",
         scored<&Score::deviation_without_self_degrees>, Best::Lowest, false, "The mean over near pairs of inputs."},
        {"jaccard_without_self", "Near pairs kept and none invented", "Jaccard index (1: perfect)",
         scored<&Score::jaccard_without_self>, Best::Highest, true, "Pairs near in both, of those near in either."},
        {"norm_deviation_mean", "Lengths are off by", "relative (0: perfect)", scored<&Score::norm_deviation_mean>,
         Best::Lowest, false, "The mean over points of how far a length is off, as a share of the input's."},
        {fmt::format("recall_at_{}", k), "Nearest neighbours kept", fmt::format("share of {} (1: perfect)", k),
         scored<&Score::recall>, Best::Highest, true,
         fmt::format("Of a point's {} nearest among inputs, those that are among coordinates too: {}.", k,
                     metrics_text(rows))},
        {"trustworthiness", "Trustworthiness", "no false neighbours: 1", scored<&Score::trustworthiness>, Best::Highest,
         true},
        {"continuity", "Continuity", "no lost neighbours: 1", scored<&Score::continuity>, Best::Highest, true}};
    if (std::any_of(rows.begin(), rows.end(), [](const ComparedRow& row) { return accuracy(row).has_value(); })) {
        measures.push_back({"knn_accuracy", "Labels predicted by the nearest neighbours", "share predicted rightly",
                            accuracy, Best::Highest, true,
                            fmt::format("By a vote of the {} nearest coordinates, each point left out in turn.", k)});
    }
    measures.push_back({"seconds", "Time of the fit", "seconds", fit_seconds, Best::Lowest, false,
                        "Of each fit when it was made; steps that fits share are not in it."});
    return measures;
}

std::string table_text(const std::vector<ComparedRow>& rows) {
    const std::vector<Measure> measures = measures_of(rows);
    std::vector<std::vector<std::string>> table{{"d", "method"}};
    for (const auto& measure : measures) {
        table.front().push_back(heading(measure));
    }
    for (const auto& row : rows) {
        table.push_back({std::to_string(row.dimension), row.name});
        for (const auto& measure : measures) {
            table.back().push_back(shown(measure, row));
        }
    }
    const std::vector<std::string> lines = aligned(table, "  ");
    std::string text = lines.front() + "\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string last = remark(rows[i]);
        text.append(lines[i + 1]).append(last.empty() ? "" : "  ").append(last).append("\n");
    }
    return text;
}

Json rows_json(const std::vector<ComparedRow>& rows) {
    const std::vector<Measure> measures = measures_of(rows);
    Json list = Json::array();
    for (const auto& row : rows) {
        Json values = Json::object();
        for (const auto& measure : measures) {
            if (const auto value = measure.of(row); value && measure.key != "seconds") {
                values[measure.key] = *value;
            }
        }
        if (row.score) {
            values["norm_deviation_max"] = row.score->norm_deviation_max;
            values["mean_angular_deviation_degrees"] = row.score->mean_angular_deviation_degrees;
            values["jaccard"] = row.score->jaccard;
        }
        list.push_back({{"name", row.name},
                        {"dimension", row.dimension},
                        {"measures", row.score ? std::move(values) : Json(nullptr)},
                        {"metrics", row.score ? to_json(row.score->metrics) : Json(nullptr)},
                        {"seconds", row.seconds ? Json(*row.seconds) : Json(nullptr)},
                        {"kept", row.cached},
                        {"same_run_as", json_or_null(row.same_as)},
                        {"refused", json_or_null(row.refused)},
                        {"termination", json_or_null(row.termination)},
                        {"options", to_json(row.options)},
                        {"file", json_or_null(row.file)}});
    }
    return list;
}

std::vector<Chart> charts_of(const std::vector<ComparedRow>& rows) {
    const std::vector<std::int64_t> dimensions = dimensions_of(rows);
    if (dimensions.size() < 2) {
        return {};
    }
    const std::array<double, 2> all{static_cast<double>(dimensions.front()), static_cast<double>(dimensions.back())};
    std::vector<Chart> charts;
    for (const auto& measure : measures_of(rows)) {
        const bool seconds = measure.key == "seconds";
        Chart chart{measure.title,
                    {"dimensions", AxisScale::Log, all},
                    {measure.label, seconds ? AxisScale::Log : AxisScale::Linear, std::nullopt},
                    {},
                    measure.note};
        if (measure.is_share) {
            chart.y.range = {0.0, 1.0};
        }
        for (const auto& name : names_of(rows)) {
            if (ChartSeries series = series_of(rows, name, measure); !series.points.empty()) {
                chart.series.push_back(std::move(series));
            }
        }
        if (!chart.series.empty()) {
            charts.push_back(std::move(chart));
        }
    }
    return charts;
}

namespace {

/// What coordinates that know nothing would give.
std::optional<double> chance_of(const Measure& measure, const Score& score, const std::vector<std::int64_t>& labels) {
    if (measure.key.starts_with("recall")) {
        return score.chance_recall;
    }
    if (measure.key == "trustworthiness" || measure.key == "continuity") {
        return chance_trustworthiness(score.points, static_cast<Index>(score.neighbors));
    }
    if (measure.key == "knn_accuracy" && score.knn_accuracy) {
        return most_frequent_share(labels);
    }
    return std::nullopt;
}

/// What a reader of the table has to know of its rows: those that were refused, and those that ended early.
std::string remarks_on(const std::vector<ComparedRow>& rows, std::int64_t dimension) {
    std::string text;
    for (const auto& row : rows) {
        if (row.dimension != dimension) {
            continue;
        }
        if (!row.refused.empty()) {
            text += fmt::format("{}{} was refused: {}.", text.empty() ? "" : " ", row.name, row.refused);
        } else if (!row.termination.empty() && row.termination != name(Termination::Converged)) {
            text += fmt::format("{}{} stopped before it converged ({}).", text.empty() ? "" : " ", row.name,
                                row.termination);
        }
    }
    return text;
}

ChartTable table_of(const std::vector<ComparedRow>& rows, const std::vector<Measure>& measures, std::int64_t dimension,
                    const std::vector<std::int64_t>& labels) {
    ChartTable table{.title = fmt::format("{} dimension{}", dimension, dimension == 1 ? "" : "s"),
                     .columns = {"method"},
                     .best = {Best::None},
                     .chance = {std::string("chance")}};
    const Score score = first_score(rows);
    for (const auto& measure : measures) {
        table.columns.push_back(heading(measure));
        table.best.push_back(measure.best);
        table.chance.push_back(cell_of(chance_of(measure, score, labels)));
    }
    for (const auto& row : rows) {
        if (row.dimension != dimension || !row.score) {
            continue;
        }
        std::vector<ChartCell> cells{row.name};
        for (const auto& measure : measures) {
            cells.push_back(cell_of(measure.of(row)));
        }
        table.rows.push_back(std::move(cells));
    }
    table.note = remarks_on(rows, dimension);
    return table;
}

}  // namespace

std::vector<ChartTable> tables_of(const std::vector<ComparedRow>& rows, const std::vector<std::int64_t>& labels) {
    const std::vector<Measure> measures = measures_of(rows);
    std::vector<ChartTable> tables;
    for (const std::int64_t dimension : dimensions_of(rows)) {
        tables.push_back(table_of(rows, measures, dimension, labels));
    }
    // What recall is of; where there are charts, they tell it too.
    const auto recall = std::find_if(measures.begin(), measures.end(),
                                     [](const Measure& measure) { return measure.key.starts_with("recall"); });
    if (!tables.empty() && recall != measures.end()) {
        std::string& note = tables.front().note;
        note = "Recall: " + recall->note + (note.empty() ? "" : " ") + note;
    }
    return tables;
}

std::vector<Index> mapped_rows(Index points, std::uint64_t seed) {
    constexpr Index most_points_of_a_map = 3000;
    return sample_rows(points, most_points_of_a_map, seed, RandomStream::ReportedPoints);
}

std::vector<ChartMap> maps_of(const std::vector<ComparedRow>& rows, const std::vector<std::int64_t>& labels,
                              Index points, std::uint64_t seed) {
    const Classes classes = labels.empty() ? Classes{} : classes_of(classes_of(labels), mapped_rows(points, seed));
    std::vector<ChartMap> maps;
    for (const auto& row : rows) {
        if (!row.map.empty()) {
            maps.push_back({fmt::format("{}: {:.0f}% of the {} nearest kept", row.name, 100.0 * row.score->recall,
                                        row.score->neighbors),
                            row.map, classes});
        }
    }
    return maps;
}

SeriesRole role_of(const std::string& method) {
    if (method == "faithful") {
        return SeriesRole::Ours;
    }
    return method == "svd" || method == "pca" ? SeriesRole::Baseline : SeriesRole::Other;
}

}  // namespace isogon::cli
